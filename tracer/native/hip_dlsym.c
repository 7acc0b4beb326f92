// dlsym of the program: who asks the HIP runtime for a function is given the wrapper.
#include "hip.h"
#include "wrapper.h"
#include <dlfcn.h>

typedef void *(*finder)(void *library, const char *name);

static void *plain(void) {
    static _Atomic(void *) known;
    void *found = atomic_load_explicit(&known, memory_order_acquire);
    if (!found) { // glibc moved it into libc under a new version
#if defined(__aarch64__)
        const char *old = "GLIBC_2.17";
#else
        const char *old = "GLIBC_2.2.5";
#endif
        found = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
        if (!found)
            found = dlvsym(RTLD_NEXT, "dlsym", old);
        atomic_store_explicit(&known, found, memory_order_release);
    }
    return found;
}

void *hip_plain_dlsym(void *library, const char *name) { return ((finder)plain())(library, name); }

static void *instead_of(void *library, const char *name, enum hip_function function) {
    void *found = hip_plain_dlsym(library, name);
    const struct hip_entry *entry = &hip_entries[function];
    if (!found || (found != entry->wrapper && !hip_owns(found)))
        return found;
    void *real = found == entry->wrapper ? NULL : found, *none = NULL;
    if (real)
        atomic_compare_exchange_strong(&hip_real[function], &none, real);
    // A program that looks whether HIP is there must not find us in its place.
    return real || atomic_load(&hip_real[function]) || hip_look_up(function) ? entry->wrapper
                                                                             : NULL;
}

// RTLD_NEXT means what comes behind the caller, whom the loader knows by the return address: all
// that is not ours is passed on by a jump.
__attribute__((visibility("default"))) void *dlsym(void *restrict library,
                                                   const char *restrict name) {
    enum hip_function function =
        library == RTLD_NEXT || !name ? HIP_COUNT : hip_named(name);
    if (function == HIP_COUNT)
        return ((finder)plain())(library, name);
    return instead_of(library, name, function);
}
