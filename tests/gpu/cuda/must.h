// For the programs on CUDA's runtime: calls that must succeed, streams and events, a kernel that
// takes its time.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        cudaError_t rc = (call);                                                                   \
        if (rc != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(rc)); \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void spin(long long cycles) {
    long long start = clock64();
    while (clock64() - start < cycles)
        ;
}

static inline cudaStream_t stream(unsigned flags = cudaStreamNonBlocking) {
    cudaStream_t made;
    MUST(cudaStreamCreateWithFlags(&made, flags));
    return made;
}
static inline cudaEvent_t event() {
    cudaEvent_t made;
    MUST(cudaEventCreateWithFlags(&made, cudaEventDisableTiming));
    return made;
}
