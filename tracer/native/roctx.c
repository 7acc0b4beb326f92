// Ranges and marks that a program tells by roctx, AMD's annotations of programs. They are
// interposed by name and by dlsym, and told to AMD's library as well, if there is one. Source:
// roctx.h of roctracer and of rocprofiler-sdk (MIT).
#include "roctx.h"
#include "op.h"
#include "ranges.h"

#define ROCTX_FUNCTIONS(X)                                                                         \
    X(roctxMarkA, 0, 0)                                                                            \
    X(roctxRangePushA, 0, 1)                                                                       \
    X(roctxRangePop, 0, 2)                                                                         \
    X(roctxRangeStartA, 0, 3)                                                                      \
    X(roctxRangeStop, 0, 4)
enum {
#define NUMBER(name, table, index) ROCTX_##name,
    ROCTX_FUNCTIONS(NUMBER)
#undef NUMBER
        ROCTX_COUNT
};

ROCTX_FUNCTIONS(LIBRARY_DECLARE)
static const struct library_entry entries[ROCTX_COUNT] = {ROCTX_FUNCTIONS(LIBRARY_ENTRY)};
static _Atomic(void *) real[ROCTX_COUNT];

static int none(void) { return -1; }

struct library roctx_library = {
    .files = {"libroctx", "librocprofiler-sdk-roctx"},
    .prefixes = {"roctx"},
    .entries = entries,
    .real = real,
    .count = ROCTX_COUNT,
    .missing = (void *)none,
};

static void *real_of(unsigned function) {
    void *found = atomic_load_explicit(&real[function], memory_order_acquire);
    return found ? found : library_resolve(&roctx_library, function);
}

// Its ranges are popped by themselves, as those of a domain of NVTX are.
static const struct nvtx_domain domain;

// What a range is called here, by its number there.
enum { STARTED = 1024 };
static struct { _Atomic uint64_t theirs, ours; } started[STARTED];

#define EXPORT __attribute__((visibility("default")))

EXPORT void roctxMarkA(const char *message) {
    range_mark(&domain, message, __builtin_return_address(0), OP_FRAME());
    ((void (*)(const char *))real_of(ROCTX_roctxMarkA))(message);
}

EXPORT int roctxRangePushA(const char *message) {
    range_push(&domain, message);
    return ((int (*)(const char *))real_of(ROCTX_roctxRangePushA))(message);
}

EXPORT int roctxRangePop(void) {
    range_pop(&domain);
    return ((int (*)(void))real_of(ROCTX_roctxRangePop))();
}

EXPORT uint64_t roctxRangeStartA(const char *message) {
    uint64_t ours = range_start(&domain, message);
    uint64_t theirs = ((uint64_t(*)(const char *))real_of(ROCTX_roctxRangeStartA))(message);
    atomic_store(&started[theirs % STARTED].ours, ours);
    atomic_store(&started[theirs % STARTED].theirs, theirs);
    return theirs;
}

EXPORT void roctxRangeStop(uint64_t range) {
    if (atomic_load(&started[range % STARTED].theirs) == range)
        range_end(atomic_exchange(&started[range % STARTED].ours, 0));
    ((void (*)(uint64_t))real_of(ROCTX_roctxRangeStop))(range);
}
