// RCCL, and NCCL, whose functions it has: collectives are interposed by name and by dlsym, as HIP's
// and CUDA's functions are. A library of the same functions for other GPUs is passed on to,
// unrecorded.
#pragma once
#include "library.h"
#include "rccl_functions.h"

enum rccl_table { RCCL_LIBRARY };

enum rccl_function {
#define NUMBER(name, table, index) RCCL_##name,
    RCCL_FUNCTIONS(NUMBER)
#undef NUMBER
        RCCL_COUNT
};

extern struct library rccl_library;
extern const struct library_entry rccl_entries[RCCL_COUNT];
extern _Atomic(void *) rccl_real[RCCL_COUNT];

static inline void *rccl_function(enum rccl_function function) {
    void *real = atomic_load_explicit(&rccl_real[function], memory_order_acquire);
    return real ? real : library_resolve(&rccl_library, function);
}
static inline void *rccl_unrecorded(const char *name) {
    return library_unrecorded(&rccl_library, name);
}
