#include "cuda.h"
#include "hip.h"
#include "loaded.h"
#include <string.h>

_Atomic(void *) cuda_real[CUDA_COUNT];

// Declared as what they are not: only their addresses are used here.
#define DECLARE(name, table, index) extern char wrapper_##name[] __asm__(#name);
CUDA_FUNCTIONS(DECLARE)
#undef DECLARE
const struct cuda_entry cuda_entries[CUDA_COUNT] = {
#define ENTRY(name, table, index) {#name, wrapper_##name},
    CUDA_FUNCTIONS(ENTRY)
#undef ENTRY
};

static const char library_name[] = "libcuda.so";

bool cuda_owns(const void *address) { return loaded_owns(library_name, address); }

void *cuda_unrecorded(const char *name) {
    static _Atomic(void *) known;
    void *library = loaded_library(library_name, &known);
    return library ? hip_plain_dlsym(library, name) : NULL;
}

void *cuda_look_up(enum cuda_function function) {
    void *real = cuda_unrecorded(cuda_entries[function].name);
    if (!real || real == cuda_entries[function].wrapper)
        return NULL;
    void *none = NULL;
    atomic_compare_exchange_strong(&cuda_real[function], &none, real);
    return atomic_load(&cuda_real[function]);
}

static int not_found(void) { return CUDA_ERROR_NOT_FOUND; }

void *cuda_resolve(enum cuda_function function) {
    void *real = cuda_look_up(function), *none = NULL;
    if (real)
        return real;
    real = loaded_function(cuda_entries[function].name); // of a library of another name
    if (!real)
        return (void *)not_found;
    atomic_compare_exchange_strong(&cuda_real[function], &none, real);
    return atomic_load(&cuda_real[function]);
}

enum cuda_function cuda_named(const char *name) {
    if (strncmp(name, "cu", 2) != 0)
        return CUDA_COUNT;
    for (unsigned i = 0; i < CUDA_COUNT; i++)
        if (strcmp(cuda_entries[i].name, name) == 0)
            return (enum cuda_function)i;
    return CUDA_COUNT;
}

// By address: which version of a function is meant depends on what the asker was compiled with.
void *cuda_instead_of(void *address) {
    static _Atomic bool all;
    for (unsigned i = 0; i < CUDA_COUNT && !atomic_load(&all); i++)
        if (!atomic_load(&cuda_real[i]))
            cuda_look_up((enum cuda_function)i);
    atomic_store(&all, true); // not before: another thread would miss what is not looked up yet
    for (unsigned i = 0; i < CUDA_COUNT; i++)
        if (atomic_load_explicit(&cuda_real[i], memory_order_acquire) == address)
            return cuda_entries[i].wrapper;
    return address;
}
