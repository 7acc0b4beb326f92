#include "resolve.h"
#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

_Atomic(void *) resolved[FUNCTION_COUNT];
static const char *const names[FUNCTION_COUNT] = {
#define NAME(name) #name,
    INTERPOSED(NAME) ASKED(NAME)
#undef NAME
};

static void *own_base(void) {
    Dl_info info;
    return dladdr((void *)resolve_first, &info) ? info.dli_fbase : NULL;
}

bool symbol_is_ours(void *address) {
    Dl_info info;
    return address && dladdr(address, &info) && info.dli_fbase == own_base();
}

static bool is_foreign(void *address) { return address && !symbol_is_ours(address); }

// The address stays valid even if the program closes the library.
static void pin(void *address) {
    Dl_info info;
    if (dladdr(address, &info) && info.dli_fname)
        (void)dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
}

#define PATH_BYTES 512
struct search {
    size_t wanted; // number of the module asked for
    size_t at;
    char path[PATH_BYTES];
};

// dlopen takes the loader's lock, so it is called outside of the walk: one module a walk.
static int nth_module(struct dl_phdr_info *info, size_t size, void *data) {
    struct search *search = data;
    (void)size;
    if (!info->dlpi_name || !info->dlpi_name[0] || strlen(info->dlpi_name) >= PATH_BYTES)
        return 0;
    if (search->at++ != search->wanted)
        return 0;
    strcpy(search->path, info->dlpi_name);
    return 1;
}

static void *search_modules(const char *name) {
    for (size_t n = 0;; n++) {
        struct search search = {.wanted = n};
        if (!dl_iterate_phdr(nth_module, &search))
            return NULL;
        void *module = dlopen(search.path, RTLD_NOW | RTLD_NOLOAD);
        if (!module)
            continue;
        void *address = dlsym(module, name);
        dlclose(module);
        if (is_foreign(address))
            return address;
    }
}

// Not RTLD_DEFAULT: asked from here, that looks into this library too.
void *symbol_for_all(const char *name) {
    void *program = dlopen(NULL, RTLD_LAZY);
    void *address = program ? dlsym(program, name) : NULL;
    if (program)
        dlclose(program);
    return address;
}

// A program that carries ggml and exports it comes last: it has no name to be opened by, and where
// libraries have the function, what the program has of that name may be a stub that leads to ours.
static void *search_program(const char *name) {
    void *address = symbol_for_all(name);
    return is_foreign(address) ? address : NULL;
}

static void *search(const char *name) {
    void *address = dlsym(RTLD_NEXT, name);
    if (!is_foreign(address))
        address = search_modules(name);
    return address ? address : search_program(name);
}

void *resolve_first(enum function function) {
    void *address = search(names[function]);
    if (address) {
        pin(address);
        atomic_store_explicit(&resolved[function], address, memory_order_release);
    }
    return address;
}

bool symbol_exists(const char *name) { return search(name) != NULL; }
