// A program linked straight to libcuda: copies, a kernel of a module, events on two streams.
//
//     driver KERNELS.cubin race|fixed
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        CUresult rc = (call);                                                                      \
        if (rc != CUDA_SUCCESS) {                                                                  \
            fprintf(stderr, "%s:%d: %s: %d\n", __FILE__, __LINE__, #call, (int)rc);                \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
enum { N = 1 << 20, BYTES = 4 * N };

int main(int count, char **arguments) {
    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction scale;
    CUstream one, two;
    CUevent done;
    CUdeviceptr from, to;
    float *host, by = 2, sum = 0;
    int n = N;
    if (count != 3)
        return 2;
    MUST(cuInit(0));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoad(&module, arguments[1]));
    MUST(cuModuleGetFunction(&scale, module, "plain_scale"));
    MUST(cuStreamCreate(&one, CU_STREAM_NON_BLOCKING));
    MUST(cuStreamCreate(&two, CU_STREAM_NON_BLOCKING));
    MUST(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
    MUST(cuMemAlloc(&from, BYTES));
    MUST(cuMemAlloc(&to, BYTES));
    MUST(cuMemAllocHost((void **)&host, BYTES));
    for (int i = 0; i < N; i++)
        host[i] = 1;
    MUST(cuMemcpyHtoDAsync(from, host, BYTES, one));
    void *given[] = {&to, &from, &by, &n};
    MUST(cuLaunchKernel(scale, N / 256, 1, 1, 256, 1, 1, 0, one, given, NULL));
    MUST(cuEventRecord(done, one));
    if (strcmp(arguments[2], "fixed") == 0)
        MUST(cuStreamWaitEvent(two, done, 0));
    MUST(cuMemcpyDtoHAsync(host, to, BYTES, two));
    MUST(cuCtxSynchronize());
    for (int i = 0; i < N; i++)
        sum += host[i] == 2;
    if (strcmp(arguments[2], "fixed") == 0)
        printf("%.0f\n", sum);
    MUST(cuMemFree(from));
    MUST(cuMemFreeHost(host));
    return 0;
}
