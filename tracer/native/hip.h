// The HIP runtime as the recorder sees it: its functions, and the ways to stand in for them.
//
//   table    the runtime hands its dispatch tables to rocprofiler_set_api_table: seen is whoever
//            calls it, however the library was loaded (hip_table.c)
//   name     the wrappers' names come first where the program's libraries are linked against them
//   dlsym    who asks for a function's address is given the wrapper's (dlsym.c)
//
// A call goes through one wrapper whichever way it came, and the wrapper calls what the runtime had
// in its table before.
#pragma once
#include "hip_functions.h"
#include "library.h"
#include <stddef.h>
#include <stdint.h>

enum hip_table { HIP_RUNTIME, HIP_COMPILER };

enum hip_function {
#define NUMBER(name, table, index) HIP_##name,
    HIP_FUNCTIONS(NUMBER)
#undef NUMBER
        HIP_COUNT
};

enum { HIP_ERROR_NOT_FOUND = 302 }; // hipErrorSharedObjectSymbolNotFound

extern struct library hip_library;
extern const struct library_entry hip_entries[HIP_COUNT];
extern _Atomic(void *) hip_real[HIP_COUNT];

static inline void *hip_function(enum hip_function function) {
    void *real = atomic_load_explicit(&hip_real[function], memory_order_acquire);
    return real ? real : library_resolve(&hip_library, function);
}
static inline void *hip_unrecorded(const char *name) {
    return library_unrecorded(&hip_library, name);
}

struct hip_dim3 {
    uint32_t x, y, z;
};
struct hip_ipc_handle {
    char bytes[64];
};
