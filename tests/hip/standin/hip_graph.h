// Graphs, captures and launches of HIP's ABI: a part of hip.h.
#pragma once

typedef enum hipStreamCaptureMode {
    hipStreamCaptureModeGlobal,
    hipStreamCaptureModeThreadLocal,
    hipStreamCaptureModeRelaxed,
} hipStreamCaptureMode;
typedef enum hipStreamCaptureStatus {
    hipStreamCaptureStatusNone,
    hipStreamCaptureStatusActive,
    hipStreamCaptureStatusInvalidated,
} hipStreamCaptureStatus;
enum { hipStreamAddCaptureDependencies, hipStreamSetCaptureDependencies };
typedef enum hipGraphNodeType {
    hipGraphNodeTypeKernel,
    hipGraphNodeTypeMemcpy,
    hipGraphNodeTypeMemset,
    hipGraphNodeTypeHost,
    hipGraphNodeTypeGraph,
    hipGraphNodeTypeEmpty,
    hipGraphNodeTypeWaitEvent,
    hipGraphNodeTypeEventRecord,
    hipGraphNodeTypeMemAlloc = 10,
    hipGraphNodeTypeMemFree = 11,
    hipGraphNodeTypeBatchMemOp = 14,
} hipGraphNodeType;
typedef struct hipHostNodeParams {
    hipHostFn_t fn;
    void *userData;
} hipHostNodeParams;
typedef struct hipKernelNodeParams {
    dim3 blockDim;
    void **extra;
    void *func;
    dim3 gridDim;
    void **kernelParams;
    unsigned sharedMemBytes;
} hipKernelNodeParams;
typedef struct hipMemsetParams {
    void *dst;
    unsigned elementSize;
    size_t height, pitch;
    unsigned value;
    size_t width; // in elements
} hipMemsetParams;
typedef struct hipMemAllocNodeParams {
    hipMemPoolProps poolProps;
    const hipMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
} hipMemAllocNodeParams;
typedef enum hipGraphExecUpdateResult {
    hipGraphExecUpdateSuccess,
    hipGraphExecUpdateError,
    hipGraphExecUpdateErrorTopologyChanged,
    hipGraphExecUpdateErrorNodeTypeChanged,
    hipGraphExecUpdateErrorFunctionChanged,
    hipGraphExecUpdateErrorParametersChanged,
    hipGraphExecUpdateErrorNotSupported,
} hipGraphExecUpdateResult;
enum { hipGraphInstantiateSuccess, hipGraphInstantiateError, hipGraphInstantiateInvalidStructure };
typedef struct hipGraphInstantiateParams {
    hipGraphNode_t errNode_out;
    unsigned long long flags;
    int result_out;
    hipStream_t uploadStream;
} hipGraphInstantiateParams;
typedef struct hipGraphEdgeData {
    unsigned char from_port, reserved[5], to_port, type;
} hipGraphEdgeData;
typedef struct hipLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    hipStream_t stream;
    void *attrs;
    unsigned numAttrs;
} hipLaunchConfig_t;
typedef struct HIP_LAUNCH_CONFIG {
    unsigned gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes;
    hipStream_t hStream;
    void *attrs;
    unsigned numAttrs;
} HIP_LAUNCH_CONFIG;
typedef struct hipFuncAttributes {
    int binaryVersion, cacheModeCA;
    size_t constSizeBytes, localSizeBytes;
    int maxDynamicSharedSizeBytes, maxThreadsPerBlock, numRegs, preferredShmemCarveout, ptxVersion;
    size_t sharedSizeBytes;
} hipFuncAttributes;
typedef int hipFunction_attribute, hipFuncAttribute, hipFuncCache_t, hipSharedMemConfig;
typedef struct hipStreamMemOp {
    int operation;
    hipDeviceptr_t address;
    union {
        uint32_t value;
        uint64_t value64;
    };
    unsigned flags;
    hipDeviceptr_t alias;
} hipStreamMemOp;
enum {
    hipStreamMemOpWaitValue32 = 1,
    hipStreamMemOpWriteValue32 = 2,
    hipStreamMemOpWaitValue64 = 4,
    hipStreamMemOpWriteValue64 = 5,
};
typedef union hipStreamBatchMemOpParams {
    int operation;
    hipStreamMemOp waitValue, writeValue;
    uint64_t pad[6];
} hipStreamBatchMemOpParams;
typedef enum hipDriverProcAddressQueryResult {
    HIP_GET_PROC_ADDRESS_SUCCESS,
    HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
    HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT,
} hipDriverProcAddressQueryResult, hipDriverEntryPointQueryResult;
