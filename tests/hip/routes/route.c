// Makes the calls by one route, so that what is recorded of each can be compared.
//
//     route linked                  the library is linked
//     route local|deep LIBRARY      dlopen(RTLD_LOCAL) of it, and with RTLD_DEEPBIND
//     route dlsym|proc RUNTIME      the runtime itself is opened; asked by dlsym, hipGetProcAddress
//     route default RUNTIME         dlsym(RTLD_DEFAULT), the runtime being global
#define _GNU_SOURCE
#include "calls.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#ifdef LINKED
int of_library(void);
#else
static int of_library(void) { return -2; }
#endif

static int by_library(const char *path, int mode) {
    void *library = dlopen(path, RTLD_NOW | mode);
    int (*make)(void) = library ? (int (*)(void))(uintptr_t)dlsym(library, "of_library") : NULL;
    return make ? make() : -3;
}

static int by_handle(void *library) {
    struct calls calls = {
#define FOUND(name, returns, types) (returns(*) types)(uintptr_t) dlsym(library, #name),
        CALLS(FOUND)
#undef FOUND
    };
    return calls.hipFree ? make_calls(&calls) : -4;
}

static int by_proc_address(void *library) {
    __typeof__(hipGetProcAddress) *ask =
        (__typeof__(ask))(uintptr_t)dlsym(library, "hipGetProcAddress");
    struct calls calls;
#define ASKED(name, returns, types)                                                                \
    if (!ask || ask(#name, (void **)&calls.name, 60000000, 0, NULL))                               \
        return -5;
    CALLS(ASKED)
#undef ASKED
    return make_calls(&calls);
}

int main(int argc, char **argv) {
    const char *route = argc > 1 ? argv[1] : "", *path = argc > 2 ? argv[2] : "";
    int got = -6;
    if (!strcmp(route, "linked"))
        got = of_library();
    else if (!strcmp(route, "local"))
        got = by_library(path, RTLD_LOCAL);
    else if (!strcmp(route, "deep"))
        got = by_library(path, RTLD_LOCAL | RTLD_DEEPBIND);
    else if (!strcmp(route, "dlsym"))
        got = by_handle(dlopen(path, RTLD_NOW | RTLD_LOCAL));
    else if (!strcmp(route, "proc"))
        got = by_proc_address(dlopen(path, RTLD_NOW | RTLD_LOCAL));
    else if (!strcmp(route, "default") && dlopen(path, RTLD_NOW | RTLD_GLOBAL))
        got = by_handle(RTLD_DEFAULT);
    printf("%d\n", got);
    return got != 7;
}
