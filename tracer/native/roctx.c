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

// What a range is called here, by its number there plus 1. 0: empty.
enum { STARTED = 4096, NEAR = 64 };
static struct started { _Atomic uint64_t theirs, ours; } started[STARTED];

// The place of that number, near where the search begins; null: there is none.
static struct started *place_of(uint64_t theirs, uint64_t number) {
    for (uint64_t i = 0; i < NEAR; i++) {
        struct started *one = &started[(theirs + i) % STARTED];
        if (atomic_load(&one->theirs) == number)
            return one;
    }
    return NULL;
}

// What has no place ends at once: it would never.
static void note_started(uint64_t theirs, uint64_t ours) {
    struct started *one;
    uint64_t none;
    do {
        none = 0;
        one = place_of(theirs, 0);
    } while (one && !atomic_compare_exchange_strong(&one->theirs, &none, theirs + 1));
    if (one)
        atomic_store(&one->ours, ours);
    else
        range_end(ours);
}

static void end_started(uint64_t theirs) {
    struct started *one = place_of(theirs, theirs + 1);
    uint64_t ours = one ? atomic_load(&one->ours) : 0;
    if (!one)
        return;
    atomic_store(&one->theirs, 0);
    range_end(ours);
}

#define EXPORT __attribute__((visibility("default")))

EXPORT void roctxMarkA(const char *message) {
    range_mark(&domain, message, CALL_nvtxMark, __builtin_return_address(0), OP_FRAME());
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
    note_started(theirs, ours);
    return theirs;
}

EXPORT void roctxRangeStop(uint64_t range) {
    end_started(range);
    ((void (*)(uint64_t))real_of(ROCTX_roctxRangeStop))(range);
}
