// Calls functions of both tables, one of them also by the address that the runtime gives for it,
// and one that nothing implements.
#include "hip.h"
#include <stdio.h>

int main(void) {
    int count = -1, version = 0;
    dim3 grid, block;
    size_t shared;
    hipStream_t stream;
    hipError_t error = hipGetDeviceCount(&count);
    printf("devices %d %d\n", error, count);
    hipRuntimeGetVersion(&version);
    printf("version %d\n", version);
    printf("configuration %d\n", __hipPopCallConfiguration(&grid, &block, &shared, &stream));
#ifdef NEWER // than HIP 5
    void *address = NULL;
    error = hipGetProcAddress("hipGetDeviceCount", &address, 60000, 0, NULL);
    if (!error)
        error = ((hipError_t(*)(int *))(uintptr_t)address)(&count);
    printf("by address %d %d\n", error, count);
#endif
    printf("unsupported %d\n", hipModuleGetTexRef(NULL, NULL, ""));
    return 0;
}
