// The CUDA driver as the recorder sees it: its functions, and the ways to stand in for them.
//
//   name               who is linked against libcuda.so.1
//   dlsym              who opens it, as every CUDA runtime does, also one linked in statically
//                      (dlsym.c)
//   cuGetProcAddress   where the runtime gets all else, that function itself too (cuda_address.c)
//
// A call goes through one wrapper whichever way it came.
#pragma once
#include "cuda_functions.h"
#include "library.h"
#include <stddef.h>
#include <stdint.h>

enum cuda_table { CUDA_DRIVER };

enum cuda_function {
#define NUMBER(name, table, index) CUDA_##name,
    CUDA_FUNCTIONS(NUMBER)
#undef NUMBER
        CUDA_COUNT
};

enum { CUDA_ERROR_NOT_FOUND = 500 };

extern struct library cuda_library;
extern const struct library_entry cuda_entries[CUDA_COUNT];
extern _Atomic(void *) cuda_real[CUDA_COUNT];

static inline void *cuda_function(enum cuda_function function) {
    void *real = atomic_load_explicit(&cuda_real[function], memory_order_acquire);
    return real ? real : library_resolve(&cuda_library, function);
}
static inline void *cuda_unrecorded(const char *name) {
    return library_unrecorded(&cuda_library, name);
}

// The wrapper of the driver's function at this address, or the address where it has none.
void *cuda_instead_of(void *address);

struct cuda_ipc_handle {
    char bytes[64];
};
