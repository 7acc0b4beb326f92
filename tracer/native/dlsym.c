// dlsym of the program: who asks CUDA's driver, HIP's runtime or RCCL for a function is given the
// wrapper. Its header is not included, since there the name is not null and bound to a version
// (glibc_compat.h).
#include "cuda.h"
#include "hip.h"
#include "loaded.h"
#include "rccl.h"

// What a program without a recorder would have found. If that is nothing, the loader has said so,
// as some ask dlerror alone. (No jump there: "next" is what comes behind this library.)
static void *behind_us(const char *name) {
    void *volatile found = hip_plain_dlsym((void *)-1l, name);
    return found;
}

static void *instead_of(void *library, const char *name, enum hip_function function) {
    void *found = hip_plain_dlsym(library, name);
    const struct hip_entry *entry = &hip_entries[function];
    if (!found || (found != entry->wrapper && !hip_owns(found)))
        return found;
    if (found != entry->wrapper)
        return hip_recorded(function, found) ? entry->wrapper : found;
    // A program that looks whether HIP is there must not find us in its place.
    return atomic_load(&hip_real[function]) || hip_look_up(function) ? found : behind_us(name);
}

static void *instead_of_rccl(void *library, const char *name, enum rccl_function function) {
    void *found = hip_plain_dlsym(library, name), *none = NULL;
    const struct rccl_entry *entry = &rccl_entries[function];
    if (found == entry->wrapper)
        return rccl_unrecorded(name) ? found : behind_us(name);
    if (!found || !rccl_owns(found))
        return found;
    loaded_pin(found);
    atomic_compare_exchange_strong(&rccl_real[function], &none, found);
    return entry->wrapper;
}

static void *instead_of_cuda(void *library, const char *name, enum cuda_function function) {
    void *found = hip_plain_dlsym(library, name), *none = NULL;
    const struct cuda_entry *entry = &cuda_entries[function];
    if (found == entry->wrapper) // a program that looks whether CUDA is there
        return atomic_load(&cuda_real[function]) || cuda_look_up(function) ? found
                                                                           : behind_us(name);
    if (!found || !cuda_owns(found))
        return found;
    loaded_pin(found);
    atomic_compare_exchange_strong(&cuda_real[function], &none, found);
    return entry->wrapper;
}

static bool is_next(const void *library) { return library == (void *)-1l; }

// "Next" means what comes behind the caller, whom the loader knows by the return address: all that
// is of neither is passed on by a jump.
__attribute__((visibility("default"))) void *dlsym(void *library, const char *name) {
    bool passed_on = is_next(library) || !name;
    enum hip_function function = passed_on ? HIP_COUNT : hip_named(name);
    enum rccl_function collective = passed_on ? RCCL_COUNT : rccl_named(name);
    enum cuda_function driver = passed_on ? CUDA_COUNT : cuda_named(name);
    if (driver != CUDA_COUNT)
        return instead_of_cuda(library, name, driver);
    if (collective != RCCL_COUNT)
        return instead_of_rccl(library, name, collective);
    if (function == HIP_COUNT)
        return hip_plain_dlsym(library, name);
    return instead_of(library, name, function);
}
