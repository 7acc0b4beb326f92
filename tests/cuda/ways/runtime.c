// What a CUDA runtime does at its start: opens the driver and looks for functions, in one way.
#define _GNU_SOURCE
#include "play.h"
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

typedef CUresult (*getter)(const char *, void **, int, cuuint64_t, int *);

static void *driver;
static getter get;
static cuuint64_t flags;

static void *by_name(const char *name) { return dlsym(driver, name); }
static void *by_getter(const char *name) {
    void *found = NULL;
    int status = 0;
    get(name, &found, 13000, flags, &status);
    return found;
}

// `numbered`: dlsym finds a function by what it is called, number and all.
static int play_found(void *(*find)(const char *), bool numbered, bool first_version) {
    struct functions found;
    *(void **)&found.create = find("cuStreamCreate");
    *(void **)&found.allocate = find(numbered ? "cuMemAlloc_v2" : "cuMemAlloc");
    *(void **)&found.copy = find(numbered && !first_version ? "cuMemcpyHtoD_v2" : "cuMemcpyHtoD");
    *(void **)&found.copy_in_stream = find(numbered ? "cuMemcpyHtoDAsync_v2" : "cuMemcpyHtoDAsync");
    *(void **)&found.synchronize = dlsym(driver, "cuCtxSynchronize"); // the getter has a newer one
    return play(&found);
}

int play_by(const char *way) {
    driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (strcmp(way, "dlsym") == 0 || strcmp(way, "first-version") == 0)
        return play_found(by_name, true, *way == 'f');
    bool first = strcmp(way, "first-getter") == 0;
    *(void **)&get = dlsym(driver, first ? "cuGetProcAddress" : "cuGetProcAddress_v2");
    if (strcmp(way, "through-itself") == 0)
        *(void **)&get = by_getter("cuGetProcAddress");
    if (strcmp(way, "per-thread") == 0)
        flags = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
    return play_found(by_getter, false, false);
}
