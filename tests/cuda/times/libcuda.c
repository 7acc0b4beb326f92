// A CUDA driver with a few functions that do nothing on a GPU, and tell CUPTI's stand-in
// (libcupti.c) of each call, as a real driver tells the real one.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void (*standin_called)(const char *name, int pieces); // CUPTI's; null: nobody listens

static int work(const char *name, int pieces) {
    if (standin_called)
        standin_called(name, pieces);
    return 0;
}

int cuInit(unsigned flags) { return (int)flags; }
int cuDriverGetVersion(int *version) {
    const char *said = getenv("STANDIN_DRIVER");
    *version = said ? atoi(said) : 13000;
    return 0;
}
int cuCtxGetDevice(int *device) {
    *device = 0;
    return 0;
}
int cuMemAlloc_v2(void **memory, size_t size) { return !(*memory = malloc(size)); }
int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t size, void *stream) {
    (void)stream;
    memcpy(to, from, size);
    return work("cuMemcpyHtoDAsync_v2", 1);
}
int cuMemsetD8Async(void *to, unsigned char value, size_t size, void *stream) {
    (void)stream;
    memset(to, value, size);
    return work("cuMemsetD8Async", 1);
}
int cuLaunchKernel(void *function, unsigned a, unsigned b, unsigned c, unsigned d, unsigned e,
                   unsigned f, unsigned shared, void *stream, void **arguments, void **extra) {
    (void)function, (void)a, (void)b, (void)c, (void)d, (void)e, (void)f;
    (void)shared, (void)stream, (void)arguments, (void)extra;
    return work("cuLaunchKernel", 1);
}
int cuGraphLaunch(void *executable, void *stream) {
    (void)executable, (void)stream;
    return work("cuGraphLaunch", 2);
}
int cuCtxSynchronize(void) { return 0; }

int cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, void *status) {
    (void)name, (void)version, (void)flags, (void)status;
    *found = NULL;
    return 500; // CUDA_ERROR_NOT_FOUND
}
