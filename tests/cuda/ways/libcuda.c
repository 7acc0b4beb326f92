// Six functions of a CUDA driver that do nothing on a GPU: enough to be found in every way.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int cuDriverGetVersion(int *version) {
    *version = 13000;
    return 0;
}
int cuCtxGetDevice(int *device) {
    *device = 0;
    return 0;
}
int cuMemAlloc_v2(void **memory, size_t size) { return !(*memory = malloc(size)); }
int cuMemcpyHtoD(void *to, const void *from, unsigned size) { // of CUDA 3.1 and before
    memcpy(to, from, size);
    return 0;
}
int cuMemcpyHtoD_v2(void *to, const void *from, size_t size) {
    memcpy(to, from, size);
    return 0;
}
int cuCtxSynchronize(void) { return 0; }

int cuGetProcAddress_v2(const char *name, void **found, int version, uint64_t flags, void *status) {
    const struct {
        const char *name;
        void *function;
    } all[] = {{"cuMemAlloc", (void *)cuMemAlloc_v2},
               {"cuMemcpyHtoD", (void *)cuMemcpyHtoD_v2},
               {"cuCtxSynchronize", (void *)cuCtxSynchronize},
               {"cuGetProcAddress", (void *)cuGetProcAddress_v2}};
    (void)version, (void)flags, (void)status;
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].name) == 0) {
            *found = all[i].function;
            return 0;
        }
    return 500; // CUDA_ERROR_NOT_FOUND
}
