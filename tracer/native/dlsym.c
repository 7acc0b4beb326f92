// dlsym of the program: who asks CUDA's driver, HIP's runtime or RCCL for a function is given the
// wrapper. Its header is not included, since there the name is not null and bound to a version
// (glibc_compat.h).
#include "cuda.h"
#include "cupti_hooks.h"
#include "hip.h"
#include "loaded.h"
#include "rccl.h"
#include "roctx.h"

// What a program without a recorder would have found. If that is nothing, the loader has said so,
// as some ask dlerror alone. (No jump there: "next" is what comes behind this library.)
static void *behind_us(const char *name) {
    void *volatile found = plain_dlsym((void *)-1l, name);
    return found;
}

static void *instead_of(struct library *of, unsigned function, void *handle, const char *name) {
    void *found = plain_dlsym(handle, name);
    void *wrapper = of->entries[function].wrapper;
    if (!found || (found != wrapper && !library_owns(of, found)))
        return found;
    if (found != wrapper)
        return library_recorded(of, function, found) ? wrapper : found;
    // A program that looks whether the library is there must not find us in its place.
    return atomic_load(&of->real[function]) || library_look_up(of, function) ? found
                                                                             : behind_us(name);
}

// What CUPTI asks of the driver is no call of the program's.
static bool is_profiler(const void *caller) { return library_owns(&cupti_library, caller); }

static bool is_next(const void *library) { return library == (void *)-1l; }

// "Next" means what comes behind the caller, whom the loader knows by the return address: all that
// is of neither is passed on by a jump.
__attribute__((visibility("default"))) void *dlsym(void *library, const char *name) {
    static struct library *const stood_in_for[] = {&cuda_library, &cupti_library, &hip_library,
                                                   &rccl_library, &roctx_library};
    for (unsigned i = 0; i < 5 && !is_next(library) && name; i++) {
        unsigned function = library_named(stood_in_for[i], name);
        if (function < stood_in_for[i]->count && !is_profiler(__builtin_return_address(0)))
            return instead_of(stood_in_for[i], function, library, name);
    }
    return plain_dlsym(library, name);
}
