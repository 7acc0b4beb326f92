// The CUDA driver as the recorder sees it: its functions, and the ways to stand in for them.
//
//   name                who is linked against libcuda.so.1
//   dlsym               who opens it, as every CUDA runtime does, also one linked in statically
//   (dlsym.c) cuGetProcAddress    where the runtime gets all else, that function itself too
//
// A call goes through one wrapper whichever way it came.
#pragma once
#include "cuda_functions.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum cuda_function {
#define NUMBER(name, table, index) CUDA_##name,
    CUDA_FUNCTIONS(NUMBER)
#undef NUMBER
        CUDA_COUNT
};

enum { CUDA_ERROR_NOT_FOUND = 500 };

struct cuda_entry {
    const char *name;
    void *wrapper;
};
extern const struct cuda_entry cuda_entries[CUDA_COUNT];
extern _Atomic(void *) cuda_real[CUDA_COUNT];

// The driver's own function; one that says it was not found where there is none.
void *cuda_resolve(enum cuda_function function);
// As above, but null where there is none. Never called on the hot path.
void *cuda_look_up(enum cuda_function function);
static inline void *cuda_function(enum cuda_function function) {
    void *real = atomic_load_explicit(&cuda_real[function], memory_order_acquire);
    return real ? real : cuda_resolve(function);
}
// A function of the driver that is not recorded, to ask it something; null: there is none.
void *cuda_unrecorded(const char *name);
// The function of this name; CUDA_COUNT: none that is recorded.
enum cuda_function cuda_named(const char *name);
// The wrapper of the driver's function at this address, or the address where it has none.
void *cuda_instead_of(void *address);
// Whether this is an address within the driver.
bool cuda_owns(const void *address);

struct cuda_ipc_handle {
    char bytes[64];
};
