// Calls of several operations, and libraries of kernels, of HIP's ABI: a part of hip.h.
#pragma once

typedef struct hipLaunchParams {
    void *func;
    dim3 gridDim, blockDim;
    void **args;
    size_t sharedMem;
    hipStream_t stream;
} hipLaunchParams;
typedef struct hipFunctionLaunchParams {
    hipFunction_t function;
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    hipStream_t hStream;
    void **kernelParams;
} hipFunctionLaunchParams;
typedef struct hipMemcpy3DOperand {
    int type; // 1: a pointer
    union {
        struct {
            void *ptr;
            size_t rowLength, layerHeight;
            hipMemLocation locHint;
        } ptr;
        struct {
            hipArray_t array;
            size_t x, y, z;
        } array;
    } op;
} hipMemcpy3DOperand;
typedef struct hipMemcpy3DBatchOp {
    hipMemcpy3DOperand src, dst;
    hipExtent extent;
    hipMemcpySrcAccessOrder srcAccessOrder;
    unsigned flags;
} hipMemcpy3DBatchOp;
typedef struct ihipLibrary_t *hipLibrary_t;
typedef struct ihipKernel_t *hipKernel_t;
