#include "rccl.h"
#include "hip.h"
#include "loaded.h"
#include <string.h>

static const char library_name[] = "librccl";
_Atomic(void *) rccl_real[RCCL_COUNT];

// Declared as what they are not: only their addresses are used here.
#define DECLARE(name, table, index) extern char wrapper_##name[] __asm__(#name);
RCCL_FUNCTIONS(DECLARE)
#undef DECLARE
const struct rccl_entry rccl_entries[RCCL_COUNT] = {
#define ENTRY(name, table, index) {#name, wrapper_##name},
    RCCL_FUNCTIONS(ENTRY)
#undef ENTRY
};

void *rccl_unrecorded(const char *name) {
    static _Atomic(void *) known;
    void *library = loaded_library(library_name, &known);
    return library ? hip_plain_dlsym(library, name) : NULL;
}

bool rccl_owns(const void *address) { return loaded_owns(library_name, address); }

static int failed(void) {
    enum { INTERNAL_ERROR = 3 }; // ncclInternalError
    return INTERNAL_ERROR;
}

void *rccl_resolve(enum rccl_function function) {
    const struct rccl_entry *entry = &rccl_entries[function];
    void *real = rccl_unrecorded(entry->name), *none = NULL;
    if (!real || real == entry->wrapper)
        real = loaded_function(entry->name);
    if (!real)
        return (void *)failed;
    atomic_compare_exchange_strong(&rccl_real[function], &none, real);
    return atomic_load(&rccl_real[function]);
}

enum rccl_function rccl_named(const char *name) {
    if (strncmp(name, "nccl", 4) != 0)
        return RCCL_COUNT;
    for (unsigned i = 0; i < RCCL_COUNT; i++)
        if (strcmp(rccl_entries[i].name, name) == 0)
            return (enum rccl_function)i;
    return RCCL_COUNT;
}
