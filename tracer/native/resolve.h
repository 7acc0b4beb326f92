// Addresses of the real functions. The recorder references no ggml symbol itself: with a library
// loaded RTLD_LOCAL (ctypes, node add-ons) an undefined symbol would kill the process.
#pragma once
#include "call.h"
#include <stdatomic.h>
#include <stdbool.h>

enum function {
#define NUMBER(name) FUNCTION_##name,
    INTERPOSED(NUMBER) ASKED(NUMBER)
#undef NUMBER
        FUNCTION_COUNT
};

extern _Atomic(void *) resolved[FUNCTION_COUNT];
void *resolve_first(enum function function);

// Null where no loaded module has it.
static inline void *resolve(enum function function) {
    void *address = atomic_load_explicit(&resolved[function], memory_order_acquire);
    return address ? address : resolve_first(function);
}
bool symbol_exists(const char *name);
bool symbol_is_ours(void *address);
// What the name means to the program and to libraries that have none of their own.
void *symbol_for_all(const char *name);

// The real function with the type of its prototype in ggml_abi.h.
#define REAL(name) ((__typeof__(&name))resolve(FUNCTION_##name))
