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
#include <stdatomic.h>
#include <stdbool.h>
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

struct hip_entry {
    const char *name;
    void *wrapper;
    uint8_t table;
    uint16_t index;
};
extern const struct hip_entry hip_entries[HIP_COUNT];
extern _Atomic(void *) hip_real[HIP_COUNT];

// The runtime's own function; one that says it was not found where there is none.
void *hip_resolve(enum hip_function function);
// As above, but null where there is none. Never called on the hot path.
void *hip_look_up(enum hip_function function);
static inline void *hip_function(enum hip_function function) {
    void *real = atomic_load_explicit(&hip_real[function], memory_order_acquire);
    return real ? real : hip_resolve(function);
}
// A function of the runtime that is not recorded, to ask it something; null: there is none.
void *hip_unrecorded(const char *name);
// Whether calls of this function, as it was looked up, are recorded: if no other was before it. A
// process may have two runtimes, and handles of one mean nothing to the other.
bool hip_recorded(enum hip_function function, void *found);
// The function of this name; HIP_COUNT: none that is recorded.
enum hip_function hip_named(const char *name);
// Whether this is an address within a HIP runtime.
bool hip_owns(const void *address);

// The loader's own dlsym.
typedef void *(*hip_finder)(void *library, const char *name);
hip_finder hip_loaders_dlsym(void);
static inline void *hip_plain_dlsym(void *library, const char *name) {
    return hip_loaders_dlsym()(library, name);
}

struct hip_dim3 {
    uint32_t x, y, z;
};
struct hip_ipc_handle {
    char bytes[64];
};
