// A pinned buffer is filled again while its copy to the device may still read it.
//
//   hipcc -g -O1 staging.hip -o staging
//   synctrace run -o race.synctrace -- ./staging          the race: RACE04
//   synctrace run -o fixed.synctrace -- ./staging fixed   silent
#include <hip/hip_runtime.h>
#include <cstdio>
#include <cstdlib>

static void must(hipError_t error) {
    if (error != hipSuccess) {
        fprintf(stderr, "%s\n", hipGetErrorString(error));
        exit(1);
    }
}

__global__ void add(float *sum, const float *token, unsigned n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sum[i] += token[i];
}

int main(int count, char **) {
    const bool fixed = count > 1;
    const unsigned n = 4096;
    const size_t bytes = n * sizeof(float);
    float *staging, *token, *sum;
    hipStream_t stream;
    hipEvent_t copied;
    must(hipHostMalloc((void **)&staging, bytes, hipHostMallocDefault));
    must(hipMalloc((void **)&token, bytes));
    must(hipMalloc((void **)&sum, bytes));
    must(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    must(hipEventCreateWithFlags(&copied, hipEventDisableTiming));
    must(hipMemsetAsync(sum, 0, bytes, stream));
    for (int turn = 1; turn <= 5; turn++) {
        if (fixed)
            must(hipEventSynchronize(copied)); // not recorded in the first turn: returns at once
        for (unsigned i = 0; i < n; i++)
            staging[i] = (float)turn;
        must(hipMemcpyAsync(token, staging, bytes, hipMemcpyHostToDevice, stream));
        must(hipEventRecord(copied, stream));
        add<<<n / 64, 64, 0, stream>>>(sum, token, n);
        must(hipGetLastError());
    }
    must(hipMemcpyAsync(staging, token, bytes, hipMemcpyDeviceToHost, stream));
    must(hipStreamSynchronize(stream));
    printf("last token: %g\n", staging[0]);
    must(hipEventDestroy(copied));
    must(hipStreamDestroy(stream));
    must(hipFree(sum));
    must(hipFree(token));
    must(hipHostFree(staging));
    return 0;
}
