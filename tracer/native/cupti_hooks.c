// The program's own use of CUPTI (torch.profiler, JAX): passed on, and noted by cuda_times.c.
#include "cupti_hooks.h"
#include "cuda_times.h"
#include "cupti.h"

#define EXPORT __attribute__((visibility("default")))

enum cupti_function {
#define NUMBER(name, table, index) OF_##name,
    CUPTI_FUNCTIONS(NUMBER)
#undef NUMBER
        CUPTI_COUNT
};

CUPTI_FUNCTIONS(LIBRARY_DECLARE)
static const struct library_entry entries[CUPTI_COUNT] = {CUPTI_FUNCTIONS(LIBRARY_ENTRY)};
static _Atomic(void *) real[CUPTI_COUNT];

static int missing(void) { return CUPTI_NOT_INITIALIZED; }

struct library cupti_library = {
    .files = {"libcupti.so"},
    .prefixes = {"cupti"},
    .entries = entries,
    .real = real,
    .count = CUPTI_COUNT,
    .missing = (void *)missing,
};

static void *used(enum cupti_function function) {
    void *found = atomic_load_explicit(&real[function], memory_order_acquire);
    cuda_times_give_up();
    return found ? found : library_resolve(&cupti_library, function);
}
#define REAL(name, types) ((int(*) types)used(OF_##name))

EXPORT int cuptiSubscribe(void **subscriber, void *callback, void *data) {
    return REAL(cuptiSubscribe, (void **, void *, void *))(subscriber, callback, data);
}

EXPORT int cuptiSubscribe_v2(void **subscriber, void *callback, void *data, void *parameters) {
    return REAL(cuptiSubscribe_v2, (void **, void *, void *, void *))(subscriber, callback, data,
                                                                      parameters);
}

EXPORT int cuptiActivityRegisterCallbacks(void *request, void *complete) {
    return REAL(cuptiActivityRegisterCallbacks, (void *, void *))(request, complete);
}

EXPORT int cuptiActivityRegisterCallbacks_v2(void *subscriber, void *request, void *complete) {
    return REAL(cuptiActivityRegisterCallbacks_v2, (void *, void *, void *))(subscriber, request,
                                                                             complete);
}
