// What a CUDA runtime does at its start: opens the driver and looks for functions, in one way.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <string.h>

typedef int (*getter)(const char *, void **, int, uint64_t, void *);

int play(const char *way) {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    int (*allocate)(void **, size_t);
    int (*copy)(void *, const void *, size_t);
    int (*synchronize)(void);
    if (strcmp(way, "dlsym") == 0 || strcmp(way, "first-version") == 0) {
        *(void **)&allocate = dlsym(driver, "cuMemAlloc_v2");
        *(void **)&copy = dlsym(driver, *way == 'f' ? "cuMemcpyHtoD" : "cuMemcpyHtoD_v2");
        *(void **)&synchronize = dlsym(driver, "cuCtxSynchronize");
    } else {
        void *get = dlsym(driver, "cuGetProcAddress_v2");
        if (strcmp(way, "through-itself") == 0)
            ((getter)get)("cuGetProcAddress", &get, 13000, 0, NULL);
        ((getter)get)("cuMemAlloc", (void **)&allocate, 13000, 0, NULL);
        ((getter)get)("cuMemcpyHtoD", (void **)&copy, 13000, 0, NULL);
        ((getter)get)("cuCtxSynchronize", (void **)&synchronize, 13000, 0, NULL);
    }
    char bytes[64] = {0};
    void *memory;
    return allocate(&memory, sizeof bytes) || copy(memory, bytes, sizeof bytes) || synchronize();
}
