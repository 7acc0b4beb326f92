// The functions of HIP that tests/hip/programs call, by those of CUDA's driver: with this file
// those programs are CUDA programs. Calls within a program bind to it, so that no HIP runtime is in
// it.
//
// Kernels have the names that a C++ compiler would give them, which say what is only read.
#include "cuda.h"
#include <stdbool.h>
#include <string.h>

#define MAX_KERNELS 16

static __thread bool chosen;

static CUcontext context_of(int device) {
    CUcontext context = NULL;
    cuDevicePrimaryCtxRetain(&context, device);
    return context;
}

hipError_t hipSetDevice(int device) {
    chosen = true;
    return cuCtxSetCurrent(context_of(device));
}
hipError_t hipGetDevice(int *device) { return cuCtxGetDevice(device); }
// In HIP a thread that says nothing uses device 0: without a context NVIDIA's driver refuses calls
// of it, which the stand-in does not.
static void choose(void) {
    if (!chosen)
        hipSetDevice(0);
}
__attribute__((constructor)) static void begin(void) {
    cuInit(0);
    choose();
}

// --- Streams and events ---

hipError_t hipStreamCreateWithFlags(hipStream_t *stream, unsigned flags) {
    choose();
    return cuStreamCreate((CUstream *)stream, flags);
}
hipError_t hipStreamGetDevice(hipStream_t stream, hipDevice_t *device) {
    CUcontext context;
    CUresult result = cuStreamGetCtx((CUstream)stream, &context);
    return result ? result : cuCtxGetDevice_v2(device, context);
}
hipError_t hipLaunchHostFunc(hipStream_t stream, hipHostFn_t function, void *data) {
    choose();
    return cuLaunchHostFunc((CUstream)stream, function, data);
}
hipError_t hipStreamAddCallback(hipStream_t stream, hipStreamCallback_t callback, void *data,
                                unsigned flags) {
    return cuStreamAddCallback((CUstream)stream, (CUstreamCallback)callback, data, flags);
}
hipError_t hipStreamSynchronize(hipStream_t stream) {
    choose();
    return cuStreamSynchronize((CUstream)stream);
}
hipError_t hipDeviceSynchronize(void) {
    choose();
    return cuCtxSynchronize();
}
hipError_t hipStreamWaitEvent(hipStream_t stream, hipEvent_t event, unsigned flags) {
    choose();
    return cuStreamWaitEvent((CUstream)stream, (CUevent)event, flags);
}
hipError_t hipEventCreateWithFlags(hipEvent_t *event, unsigned flags) {
    choose();
    return cuEventCreate((CUevent *)event, flags);
}
hipError_t hipEventDestroy(hipEvent_t event) { return cuEventDestroy_v2((CUevent)event); }
hipError_t hipEventRecord(hipEvent_t event, hipStream_t stream) {
    choose();
    return cuEventRecord((CUevent)event, (CUstream)stream);
}
hipError_t hipEventSynchronize(hipEvent_t event) { return cuEventSynchronize((CUevent)event); }
hipError_t hipEventQuery(hipEvent_t event) { return cuEventQuery((CUevent)event); }

// --- Memory ---

#define ADDRESS(pointer) ((CUdeviceptr)(uintptr_t)(pointer))

hipError_t hipMalloc(void **memory, size_t size) {
    choose();
    return cuMemAlloc((CUdeviceptr *)memory, size);
}
hipError_t hipFree(void *memory) {
    choose();
    return cuMemFree(ADDRESS(memory));
}
hipError_t hipHostMalloc(void **memory, size_t size, unsigned flags) {
    choose();
    return cuMemHostAlloc(memory, size, flags);
}
hipError_t hipHostFree(void *memory) {
    choose();
    return cuMemFreeHost(memory);
}
hipError_t hipHostRegister(void *memory, size_t size, unsigned flags) {
    choose();
    return cuMemHostRegister(memory, size, flags);
}
hipError_t hipHostUnregister(void *memory) { return cuMemHostUnregister(memory); }
hipError_t hipMallocAsync(void **memory, size_t size, hipStream_t stream) {
    choose();
    return cuMemAllocAsync((CUdeviceptr *)memory, size, (CUstream)stream);
}
hipError_t hipMemPoolCreate(hipMemPool_t *pool, const hipMemPoolProps *props) {
    choose();
    return cuMemPoolCreate((CUmemoryPool *)pool, props);
}
hipError_t hipMallocFromPoolAsync(void **memory, size_t size, hipMemPool_t pool,
                                  hipStream_t stream) {
    choose();
    return cuMemAllocFromPoolAsync((CUdeviceptr *)memory, size, (CUmemoryPool)pool,
                                   (CUstream)stream);
}
hipError_t hipFreeAsync(void *memory, hipStream_t stream) {
    choose();
    return cuMemFreeAsync(ADDRESS(memory), (CUstream)stream);
}

// --- Copies and fills ---

hipError_t hipMemcpyAsync(void *dst, const void *src, size_t size, hipMemcpyKind kind,
                          hipStream_t on) {
    choose();
    CUstream stream = (CUstream)on;
    switch (kind) {
    case hipMemcpyHostToDevice:
        return cuMemcpyHtoDAsync(ADDRESS(dst), src, size, stream);
    case hipMemcpyDeviceToHost:
        return cuMemcpyDtoHAsync(dst, ADDRESS(src), size, stream);
    case hipMemcpyDeviceToDevice:
        return cuMemcpyDtoDAsync(ADDRESS(dst), ADDRESS(src), size, stream);
    default:
        return cuMemcpyAsync(ADDRESS(dst), ADDRESS(src), size, stream);
    }
}
hipError_t hipMemcpy(void *dst, const void *src, size_t size, hipMemcpyKind kind) {
    choose();
    switch (kind) {
    case hipMemcpyHostToDevice:
        return cuMemcpyHtoD(ADDRESS(dst), src, size);
    case hipMemcpyDeviceToHost:
        return cuMemcpyDtoH(dst, ADDRESS(src), size);
    case hipMemcpyDeviceToDevice:
        return cuMemcpyDtoD(ADDRESS(dst), ADDRESS(src), size);
    default:
        return cuMemcpy(ADDRESS(dst), ADDRESS(src), size);
    }
}
hipError_t hipMemcpyPeerAsync(void *dst, int to, const void *src, int from, size_t size,
                              hipStream_t stream) {
    choose();
    return cuMemcpyPeerAsync(ADDRESS(dst), context_of(to), ADDRESS(src), context_of(from), size,
                             (CUstream)stream);
}
hipError_t hipMemsetAsync(void *dst, int value, size_t size, hipStream_t stream) {
    choose();
    return cuMemsetD8Async(ADDRESS(dst), (unsigned char)value, size, (CUstream)stream);
}

// --- Graphs ---

hipError_t hipStreamBeginCapture(hipStream_t stream, hipStreamCaptureMode mode) {
    choose();
    return cuStreamBeginCapture((CUstream)stream, (int)mode);
}
hipError_t hipStreamEndCapture(hipStream_t stream, hipGraph_t *graph) {
    return cuStreamEndCapture((CUstream)stream, (CUgraph *)graph);
}
hipError_t hipGraphInstantiate(hipGraphExec_t *exec, hipGraph_t graph, hipGraphNode_t *node,
                               char *log, size_t size) {
    choose();
    (void)node, (void)log, (void)size;
    return cuGraphInstantiateWithFlags((CUgraphExec *)exec, (CUgraph)graph, 0);
}
hipError_t hipGraphLaunch(hipGraphExec_t exec, hipStream_t stream) {
    choose();
    return cuGraphLaunch((CUgraphExec)exec, (CUstream)stream);
}
hipError_t hipGraphGetNodes(hipGraph_t graph, hipGraphNode_t *nodes, size_t *count) {
    return cuGraphGetNodes((CUgraph)graph, (CUgraphNode *)nodes, count);
}
hipError_t hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *params) {
    return cuGraphHostNodeGetParams((CUgraphNode)node, (CUDA_HOST_NODE_PARAMS *)params);
}
hipError_t hipGraphDestroy(hipGraph_t graph) { return cuGraphDestroy((CUgraph)graph); }
hipError_t hipGraphExecDestroy(hipGraphExec_t exec) {
    return cuGraphExecDestroy((CUgraphExec)exec);
}

// --- Kernels ---

static const char *const mangled[][2] = {
    {"fill", "_Z4fillPjj"}, {"pass", "_Z4passPKjPj"},
    {"add", "_Z3addPjj"},   {"clear_pages", "_Z11clear_pagesPKjPj"},
    {"busy", "_Z4busyj"},   {"gather", "_Z6gather5partsPj"},
};
static struct kernel {
    const void *stub;
    const char *name;
    CUfunction function;
} kernels[MAX_KERNELS];

void **__hipRegisterFatBinary(const void *data) { return (void **)(uintptr_t)data; }
void __hipUnregisterFatBinary(void **modules) { (void)modules; }
void __hipRegisterFunction(void **modules, const void *stub, char *device_function,
                           const char *name, unsigned limit, uint3 *thread, uint3 *group,
                           dim3 *block, dim3 *grid, int *warp) {
    (void)modules, (void)device_function, (void)limit, (void)thread, (void)group, (void)block;
    (void)grid, (void)warp;
    struct kernel *kernel = kernels;
    while (kernel->stub)
        kernel++;
    for (size_t i = 0; i < sizeof mangled / sizeof *mangled; i++)
        if (!strcmp(mangled[i][0], name))
            *kernel = (struct kernel){stub, mangled[i][1], NULL};
}
static struct kernel *kernel_of(const void *stub) {
    struct kernel *kernel = kernels;
    while (kernel->stub != stub)
        kernel++;
    return kernel;
}
void standin_kernel(const void *stub, standin_body body, int count, const size_t *sizes) {
    standin_named_kernel(kernel_of(stub)->name, body, count, sizes);
}
// The stand-in takes any; tests/gpu/cuda/catalogue.c has one for a GPU.
__attribute__((weak)) const char *kernels_image(void) { return "any image"; }
hipError_t hipLaunchKernel(const void *stub, dim3 grid, dim3 block, void **arguments, size_t shared,
                           hipStream_t stream) {
    choose();
    struct kernel *kernel = kernel_of(stub);
    CUmodule module;
    if (!kernel->function && (cuModuleLoadData(&module, kernels_image()) ||
                              cuModuleGetFunction(&kernel->function, module, kernel->name)))
        return hipErrorInvalidDeviceFunction;
    return cuLaunchKernel(kernel->function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                          (unsigned)shared, (CUstream)stream, arguments, NULL);
}
