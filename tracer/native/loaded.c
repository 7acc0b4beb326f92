#include "loaded.h"
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <string.h>

enum { PATH_BYTES = 512 };
struct looked_for {
    const char *begins; // null: the object at this place
    unsigned at;
    char path[PATH_BYTES];
};

// A library's name up to its version, wherever it lies.
static bool is_named(const char *path, const char *begins) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    const char *name = slash ? slash + 1 : path;
    return name && strncmp(name, begins, strlen(begins)) == 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *wanted) {
    (void)size;
    struct looked_for *looked = wanted;
    bool found = looked->begins ? is_named(info->dlpi_name, looked->begins) : looked->at-- == 0;
    if (!found || strlen(info->dlpi_name) >= PATH_BYTES)
        return found && !looked->begins;
    strcpy(looked->path, info->dlpi_name);
    return 1;
}

// RTLD_NEXT does not see a library that was opened RTLD_LOCAL. Opened again it stays.
void *loaded_library(const char *begins, _Atomic(void *) *known) {
    struct looked_for looked = {.begins = begins};
    if (!atomic_load(known) && dl_iterate_phdr(look, &looked))
        atomic_store(known, dlopen(looked.path, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE));
    return atomic_load(known);
}

bool loaded_owns(const char *begins, const void *address) {
    Dl_info info;
    return dladdr(address, &info) && is_named(info.dli_fname, begins);
}

bool loaded_together(const void *one, const void *other) {
    Dl_info first, second;
    return dladdr(one, &first) && dladdr(other, &second) && first.dli_fbase == second.dli_fbase;
}

void loaded_pin(const void *address) {
    Dl_info info;
    if (dladdr(address, &info) && info.dli_fname)
        (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

void *quiet_dlsym(void *library, const char *name) {
    void *found = plain_dlsym(library, name);
    if (!found)
        (void)dlerror();
    return found;
}

void *loaded_function(const char *name) {
    Dl_info own, info;
    if (!dladdr((void *)loaded_function, &own))
        return NULL;
    for (unsigned i = 0;; i++) {
        struct looked_for looked = {.at = i};
        if (!dl_iterate_phdr(look, &looked))
            return NULL;
        void *library = dlopen(*looked.path ? looked.path : NULL, RTLD_NOW | RTLD_NOLOAD);
        void *found = library ? quiet_dlsym(library, name) : NULL;
        if (library)
            dlclose(library);
        else
            (void)dlerror();
        if (found && dladdr(found, &info) && info.dli_fbase != own.dli_fbase)
            return found;
    }
}

// By its versions: ours has none, and takes the place of each where no version is asked for.
loaded_finder loaders_dlsym(void) {
    static _Atomic(void *) known;
    void *found = atomic_load_explicit(&known, memory_order_acquire);
    if (found)
        return (loaded_finder)found;
    static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.17", "GLIBC_2.2.5"};
    for (unsigned i = 0; !found && i < 3; i++)
        found = dlvsym(RTLD_NEXT, "dlsym", versions[i]);
    atomic_store_explicit(&known, found, memory_order_release);
    return (loaded_finder)found;
}
