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
    PROGRAMMATIC = 4096,
    LOWERED = 131072,
    BATCHED = 262144,
    FOREIGN = 524288,
    IMPLIED = 1048576,
};
constexpr unsigned WITHOUT_EFFECT = FAILED | SKIPPED | CAPTURED | PARENT | REFUSED | NOOP;

// Without effect where the calls that an op was done by are judged themselves.
constexpr unsigned DONE_BY_API = LOWERED;
// Syncs that the program does not make, whose other side is not in the trace, or that keep kernels'
// starts in order.
constexpr unsigned NOT_JUDGED = FOREIGN | IMPLIED | PROGRAMMATIC;
constexpr unsigned LEVEL_API = 2;

enum StreamFlag : unsigned { BLOCKING = 1, LEGACY = 4, PER_THREAD = 8, SYNCHRONOUS = 16 };

enum Kind : unsigned {
    EVENT_DESTROY = 33,
    KERNEL = 60,
    BATCH = 63,
};

constexpr unsigned KINDS = 128, MEMORIES = 9, THREAD = 0;

} // namespace synctrace
