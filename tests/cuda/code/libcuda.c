// Of a CUDA driver what it takes to load code and launch one kernel of it, of two pointers: nothing
// runs. Its GPU says that it is an sm_90.
#include <stddef.h>
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
int cuDeviceGetAttribute(int *value, int attribute, int device) {
    (void)device;
    *value = attribute == 75 ? 9 : 0;
    return 0;
}
int cuMemAlloc_v2(void **memory, size_t size) { return !(*memory = malloc(size)); }
int cuCtxSynchronize(void) { return 0; }
int cuModuleLoadData(void **module, const void *image) {
    *module = (void *)image;
    return 0;
}
int cuModuleGetFunction(void **function, void *module, const char *name) {
    (void)name;
    *function = module;
    return 0;
}
int cuFuncGetName(const char **name, void *function) {
    (void)function;
    *name = "scale";
    return 0;
}
int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *size) {
    (void)function;
    *offset = index < 3 ? 8 * index : 20;
    *size = index < 2 ? 8 : 4;
    return index < 4 ? 0 : 1;
}
int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra) {
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared;
    (void)stream, (void)arguments, (void)extra;
    return 0;
}
