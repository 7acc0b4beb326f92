// Names that end in _spt: the same calls, where no stream means the thread's own one. A program
// that is compiled for per-thread default streams calls these.
#include "standin.h"

#define SPT(name, parameters, arguments)                                                           \
    hipError_t impl_##name##_spt parameters {                                                      \
        standin_own_stream++;                                                                      \
        hipError_t error = impl_##name arguments;                                                  \
        standin_own_stream--;                                                                      \
        return error;                                                                              \
    }

__thread int standin_own_stream;

SPT(hipMemcpy, (void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind),
    (dst, src, sizeBytes, kind))
SPT(hipMemcpyToSymbol,
    (const void *symbol, const void *src, size_t sizeBytes, size_t offset, hipMemcpyKind kind),
    (symbol, src, sizeBytes, offset, kind))
SPT(hipMemcpyFromSymbol,
    (void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind),
    (dst, symbol, sizeBytes, offset, kind))
SPT(hipMemcpy2D,
    (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
     hipMemcpyKind kind),
    (dst, dpitch, src, spitch, width, height, kind))
SPT(hipMemcpy3D, (const hipMemcpy3DParms *p), (p))
SPT(hipMemset, (void *dst, int value, size_t sizeBytes), (dst, value, sizeBytes))
SPT(hipMemsetAsync, (void *dst, int value, size_t sizeBytes, hipStream_t stream),
    (dst, value, sizeBytes, stream))
SPT(hipMemset2D, (void *dst, size_t pitch, int value, size_t width, size_t height),
    (dst, pitch, value, width, height))
SPT(hipMemset2DAsync,
    (void *dst, size_t pitch, int value, size_t width, size_t height, hipStream_t stream),
    (dst, pitch, value, width, height, stream))
SPT(hipMemset3DAsync,
    (hipPitchedPtr pitchedDevPtr, int value, hipExtent extent, hipStream_t stream),
    (pitchedDevPtr, value, extent, stream))
SPT(hipMemset3D, (hipPitchedPtr pitchedDevPtr, int value, hipExtent extent),
    (pitchedDevPtr, value, extent))
SPT(hipMemcpyAsync,
    (void *dst, const void *src, size_t sizeBytes, hipMemcpyKind kind, hipStream_t stream),
    (dst, src, sizeBytes, kind, stream))
SPT(hipMemcpy3DAsync, (const hipMemcpy3DParms *p, hipStream_t stream), (p, stream))
SPT(hipMemcpy2DAsync,
    (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width, size_t height,
     hipMemcpyKind kind, hipStream_t stream),
    (dst, dpitch, src, spitch, width, height, kind, stream))
SPT(hipMemcpyFromSymbolAsync,
    (void *dst, const void *symbol, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
     hipStream_t stream),
    (dst, symbol, sizeBytes, offset, kind, stream))
SPT(hipMemcpyToSymbolAsync,
    (const void *symbol, const void *src, size_t sizeBytes, size_t offset, hipMemcpyKind kind,
     hipStream_t stream),
    (symbol, src, sizeBytes, offset, kind, stream))
SPT(hipStreamQuery, (hipStream_t stream), (stream))
SPT(hipStreamSynchronize, (hipStream_t stream), (stream))
SPT(hipStreamGetPriority, (hipStream_t stream, int *priority), (stream, priority))
SPT(hipStreamWaitEvent, (hipStream_t stream, hipEvent_t event, unsigned int flags),
    (stream, event, flags))
SPT(hipStreamGetFlags, (hipStream_t stream, unsigned int *flags), (stream, flags))
SPT(hipStreamAddCallback,
    (hipStream_t stream, hipStreamCallback_t callback, void *userData, unsigned int flags),
    (stream, callback, userData, flags))
SPT(hipEventRecord, (hipEvent_t event, hipStream_t stream), (event, stream))
SPT(hipLaunchCooperativeKernel,
    (const void *f, dim3 gridDim, dim3 blockDim, void **kernelParams, uint32_t sharedMemBytes,
     hipStream_t hStream),
    (f, gridDim, blockDim, kernelParams, sharedMemBytes, hStream))
SPT(hipLaunchKernel,
    (const void *function_address, dim3 numBlocks, dim3 dimBlocks, void **args,
     size_t sharedMemBytes, hipStream_t stream),
    (function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream))
SPT(hipGraphLaunch, (hipGraphExec_t graphExec, hipStream_t stream), (graphExec, stream))
SPT(hipStreamBeginCapture, (hipStream_t stream, hipStreamCaptureMode mode), (stream, mode))
SPT(hipStreamEndCapture, (hipStream_t stream, hipGraph_t *pGraph), (stream, pGraph))
SPT(hipStreamIsCapturing, (hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus),
    (stream, pCaptureStatus))
SPT(hipStreamGetCaptureInfo,
    (hipStream_t stream, hipStreamCaptureStatus *pCaptureStatus, unsigned long long *pId),
    (stream, pCaptureStatus, pId))
SPT(hipStreamGetCaptureInfo_v2,
    (hipStream_t stream, hipStreamCaptureStatus *captureStatus_out, unsigned long long *id_out,
     hipGraph_t *graph_out, const hipGraphNode_t **dependencies_out, size_t *numDependencies_out),
    (stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out))
SPT(hipLaunchHostFunc, (hipStream_t stream, hipHostFn_t fn, void *userData), (stream, fn, userData))
