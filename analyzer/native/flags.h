// The numbers of tracer/kinds.py that the engine knows by name; all else is in the placement.
#pragma once

namespace synctrace {

enum Flag : unsigned {
    FAILED = 1,
    SKIPPED = 2,
    CAPTURED = 4,
    PARENT = 8,
    BLOCKING_CALL = 16,
    REFUSED = 32,
    NOOP = 64,
    PDL = 128,
};
constexpr unsigned WITHOUT_EFFECT = FAILED | SKIPPED | CAPTURED | PARENT | REFUSED | NOOP;

enum StreamFlag : unsigned { BLOCKING = 1, LEGACY = 4, PER_THREAD = 8, SYNCHRONOUS = 16 };

enum Kind : unsigned {
    EVENT_DESTROY = 33,
    KERNEL = 60,
};

constexpr unsigned KINDS = 128, MEMORIES = 9, THREAD = 0;

} // namespace synctrace
