#include "hip.h"
#include "loaded.h"
#include "process.h"
#include <dlfcn.h>
#include <string.h>

_Atomic(void *) hip_real[HIP_COUNT];

// By its versions: ours has none, and takes the place of each where no version is asked for.
hip_finder hip_loaders_dlsym(void) {
    static _Atomic(void *) known;
    void *found = atomic_load_explicit(&known, memory_order_acquire);
    if (found)
        return (hip_finder)found;
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    for (unsigned i = 0; !found && i < 3; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    atomic_store_explicit(&known, found, memory_order_release);
    return (hip_finder)found;
}

// Declared as what they are not: only their addresses are used here.
#define DECLARE(name, table, index) extern char wrapper_##name[] __asm__(#name);
HIP_FUNCTIONS(DECLARE)
#undef DECLARE
const struct hip_entry hip_entries[HIP_COUNT] = {
#define ENTRY(name, table, index) {#name, wrapper_##name, table, index},
    HIP_FUNCTIONS(ENTRY)
#undef ENTRY
};

static const char library_name[] = "libamdhip64";

bool hip_owns(const void *address) { return loaded_owns(library_name, address); }

static void *runtime(void) {
    static _Atomic(void *) known;
    return loaded_library(library_name, &known);
}

void *hip_unrecorded(const char *name) {
    void *library = runtime();
    return library ? hip_plain_dlsym(library, name) : NULL;
}

void *hip_look_up(enum hip_function function) {
    void *library = runtime();
    void *real = library ? hip_plain_dlsym(library, hip_entries[function].name) : NULL;
    if (!real || real == hip_entries[function].wrapper)
        return NULL;
    void *none = NULL;
    atomic_compare_exchange_strong(&hip_real[function], &none, real);
    return atomic_load(&hip_real[function]);
}

bool hip_recorded(enum hip_function function, void *found) {
    void *none = NULL;
    if (!atomic_load(&hip_real[function])) {
        loaded_pin(found);
        atomic_compare_exchange_strong(&hip_real[function], &none, found);
    }
    void *real = atomic_load(&hip_real[function]);
    bool recorded = loaded_together(real, found);
    if (!recorded && hip_owns(real)) // else a profiler's, in the table of the same runtime
        atomic_store(&process.control->other_runtimes, 1);
    return recorded;
}

static int not_found(void) { return HIP_ERROR_NOT_FOUND; }

void *hip_resolve(enum hip_function function) {
    void *real = hip_look_up(function), *none = NULL;
    if (real)
        return real;
    real = loaded_function(hip_entries[function].name); // of another name: chipStar's
    if (!real)
        return (void *)not_found;
    atomic_compare_exchange_strong(&hip_real[function], &none, real);
    return atomic_load(&hip_real[function]);
}

enum hip_function hip_named(const char *name) {
    if (strncmp(name, "hip", 3) != 0 && strncmp(name, "__hip", 5) != 0)
        return HIP_COUNT;
    for (unsigned i = 0; i < HIP_COUNT; i++)
        if (strcmp(hip_entries[i].name, name) == 0)
            return (enum hip_function)i;
    return HIP_COUNT;
}
