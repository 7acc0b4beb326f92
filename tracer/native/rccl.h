// RCCL as the recorder sees it: its collectives are interposed by name and by dlsym, as HIP's
// functions are. A library of the same functions for other GPUs is passed on to, unrecorded.
#pragma once
#include "rccl_functions.h"
#include <stdatomic.h>
#include <stdbool.h>

enum rccl_function {
#define NUMBER(name, table, index) RCCL_##name,
    RCCL_FUNCTIONS(NUMBER)
#undef NUMBER
        RCCL_COUNT
};

struct rccl_entry {
    const char *name;
    void *wrapper;
};
extern const struct rccl_entry rccl_entries[RCCL_COUNT];
extern _Atomic(void *) rccl_real[RCCL_COUNT];

// The library's own function; one that says it failed where there is none.
void *rccl_resolve(enum rccl_function function);
static inline void *rccl_function(enum rccl_function function) {
    void *real = atomic_load_explicit(&rccl_real[function], memory_order_acquire);
    return real ? real : rccl_resolve(function);
}
// A function to ask something; null: RCCL is not loaded, or has none.
void *rccl_unrecorded(const char *name);
// RCCL_COUNT: none that is recorded.
enum rccl_function rccl_named(const char *name);
bool rccl_owns(const void *address);
