// The functions of CUDA's runtime that the programs of tests/gpu/cuda call, by those of the driver,
// and their kernels as loops on the CPU: with this header g++ compiles those programs, once each
// `kernel<<<grid, ...>>>` in them is written LAUNCH(kernel, grid, ...) (build.py). Each function
// calls that of the driver that NVIDIA's runtime was seen to call.
#pragma once
extern "C" {
#include "cuda.h"
}
#include <cstring>
#include <ctime>
#include <map>
#include <string>
#include <tuple>
#include <typeinfo>
#include <unistd.h>

typedef CUresult cudaError_t;
typedef CUstream cudaStream_t;
typedef CUevent cudaEvent_t;
typedef CUgraph cudaGraph_t;
typedef CUgraphNode cudaGraphNode_t;
typedef CUgraphExec cudaGraphExec_t;
typedef CUgraphExecUpdateResultInfo cudaGraphExecUpdateResultInfo;
enum { cudaSuccess = 0, cudaErrorNotReady = 600 };
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaHostRegisterDefault = 0 };
enum { cudaStreamCaptureModeThreadLocal = 1 };
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault,
};
typedef dim3 size_of_grid; // as the stand-in has it
struct dim3_of_cuda {      // of one dimension
    unsigned x;
    dim3_of_cuda(unsigned x = 1) : x(x) {}
};
#define dim3 dim3_of_cuda
struct cudaKernelNodeParams {
    void *func;
    dim3 gridDim, blockDim;
    unsigned sharedMemBytes;
    void **kernelParams, **extra;
};

// --- Kernels ---

#define __global__
#define __constant__ static
inline thread_local dim3_of_cuda blockIdx, blockDim, threadIdx;
inline long long clock64() { // at 1.8 GHz
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (now.tv_sec * 1000000000ll + now.tv_nsec) * 9 / 5;
}

inline std::map<const void *, CUfunction> &functions() {
    static std::map<const void *, CUfunction> known;
    return known;
}
inline CUcontext context_here() {
    static thread_local CUcontext context;
    if (!context) {
        cuInit(0);
        cuDevicePrimaryCtxRetain(&context, 0);
        cuCtxSetCurrent(context);
    }
    return context;
}

template <auto kernel, class Parameters> struct Kernel;
template <auto kernel, class... P> struct Kernel<kernel, void (*)(P...)> {
    template <std::size_t... I> static void call(void **arguments, std::index_sequence<I...>) {
        kernel(*static_cast<std::remove_reference_t<P> *>(arguments[I])...);
    }
    static void body(void **arguments, size_of_grid grid, size_of_grid block) {
        blockDim.x = block.x;
        for (blockIdx.x = 0; blockIdx.x < grid.x; blockIdx.x++)
            for (threadIdx.x = 0; threadIdx.x < block.x; threadIdx.x++)
                call(arguments, std::index_sequence_for<P...>());
    }
    // As a C++ compiler calls it: its name, then its parameters' types.
    static CUfunction function(const char *name) {
        CUfunction &known = functions()[reinterpret_cast<const void *>(kernel)];
        if (known)
            return known;
        std::string types = typeid(void(P...)).name(); // FvTYPESE
        std::string mangled =
            "_Z" + std::to_string(std::strlen(name)) + name + types.substr(2, types.size() - 3);
        const std::size_t sizes[] = {sizeof(P)...};
        CUmodule module;
        standin_named_kernel(mangled.c_str(), body, sizeof...(P), sizes);
        cuModuleLoadData(&module, "any image");
        cuModuleGetFunction(&known, module, mangled.c_str());
        return known;
    }
    const char *name;
    unsigned grid, block;
    CUstream stream;
    template <class... A> void operator()(A... arguments) const {
        context_here();
        std::tuple<P...> values(arguments...);
        std::apply(
            [&](P &...value) {
                void *pointers[] = {&value...};
                cuLaunchKernel(function(name), grid, 1, 1, block, 1, 1, 0, stream, pointers,
                               nullptr);
            },
            values);
    }
};
template <auto kernel>
Kernel<kernel, decltype(kernel)> launch(const char *name, unsigned grid, unsigned block,
                                        std::size_t = 0, CUstream stream = nullptr) {
    return {name, grid, block, stream};
}
#define LAUNCH(kernel, ...) launch<&kernel>(#kernel, __VA_ARGS__)

// --- The runtime's functions ---

inline CUdeviceptr address(const void *pointer) { return (CUdeviceptr)(uintptr_t)pointer; }

inline const char *cudaGetErrorString(cudaError_t error) {
    const char *text = "unknown";
    cuGetErrorString(error, &text);
    return text;
}
inline cudaError_t cudaDeviceSynchronize() { return context_here(), cuCtxSynchronize_v2(nullptr); }
template <class T> cudaError_t cudaMalloc(T **memory, std::size_t size) {
    return context_here(), cuMemAlloc((CUdeviceptr *)memory, size);
}
template <class T> cudaError_t cudaMallocManaged(T **memory, std::size_t size) {
    return context_here(), cuMemAllocManaged((CUdeviceptr *)memory, size, CU_MEM_ATTACH_GLOBAL);
}
template <class T> cudaError_t cudaHostAlloc(T **memory, std::size_t size, unsigned flags) {
    return context_here(), cuMemHostAlloc((void **)memory, size, flags);
}
template <class T> cudaError_t cudaMallocAsync(T **memory, std::size_t size, CUstream stream) {
    return cuMemAllocAsync((CUdeviceptr *)memory, size, stream);
}
inline cudaError_t cudaFree(void *memory) { return cuMemFree(address(memory)); }
inline cudaError_t cudaFreeHost(void *memory) { return cuMemFreeHost(memory); }
inline cudaError_t cudaFreeAsync(void *memory, CUstream stream) {
    return cuMemFreeAsync(address(memory), stream);
}
inline cudaError_t cudaHostRegister(void *memory, std::size_t size, unsigned flags) {
    return cuMemHostRegister(memory, size, flags);
}
inline cudaError_t cudaHostUnregister(void *memory) { return cuMemHostUnregister(memory); }

inline cudaError_t cudaMemcpyAsync(void *to, const void *from, std::size_t size,
                                   cudaMemcpyKind kind, CUstream stream) {
    context_here();
    return kind == cudaMemcpyHostToDevice   ? cuMemcpyHtoDAsync(address(to), from, size, stream)
           : kind == cudaMemcpyDeviceToHost ? cuMemcpyDtoHAsync(to, address(from), size, stream)
           : kind == cudaMemcpyDeviceToDevice
               ? cuMemcpyDtoDAsync(address(to), address(from), size, stream)
               : cuMemcpyAsync(address(to), address(from), size, stream);
}
inline cudaError_t cudaMemcpy(void *to, const void *from, std::size_t size, cudaMemcpyKind kind) {
    return kind == cudaMemcpyHostToDevice     ? cuMemcpyHtoD(address(to), from, size)
           : kind == cudaMemcpyDeviceToHost   ? cuMemcpyDtoH(to, address(from), size)
           : kind == cudaMemcpyDeviceToDevice ? cuMemcpyDtoD(address(to), address(from), size)
                                              : cuMemcpy(address(to), address(from), size);
}
inline cudaError_t cudaMemcpy2DAsync(void *to, std::size_t to_pitch, const void *from,
                                     std::size_t from_pitch, std::size_t width, std::size_t height,
                                     cudaMemcpyKind kind, CUstream stream) {
    CUDA_MEMCPY2D copy = {};
    bool up = kind == cudaMemcpyHostToDevice;
    copy.srcMemoryType = up ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
    copy.srcHost = up ? from : nullptr;
    copy.srcDevice = up ? 0 : address(from);
    copy.srcPitch = from_pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = address(to);
    copy.dstPitch = to_pitch;
    copy.WidthInBytes = width;
    copy.Height = height;
    return cuMemcpy2DAsync(&copy, stream);
}
inline cudaError_t cudaMemset(void *memory, int value, std::size_t size) {
    return cuMemsetD8(address(memory), (unsigned char)value, size);
}
inline cudaError_t cudaMemsetAsync(void *memory, int value, std::size_t size, CUstream stream) {
    return cuMemsetD8Async(address(memory), (unsigned char)value, size, stream);
}
inline cudaError_t cudaMemset2DAsync(void *memory, std::size_t pitch, int value, std::size_t width,
                                     std::size_t height, CUstream stream) {
    return cuMemsetD2D8Async(address(memory), pitch, (unsigned char)value, width, height, stream);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(T &, const void *from, std::size_t size, std::size_t offset,
                                    cudaMemcpyKind, CUstream stream) {
    CUdeviceptr memory;
    CUlibrary library;
    std::size_t whole;
    standin_variable("symbol", sizeof(T));
    cuLibraryLoadData(&library, "any image", nullptr, nullptr, 0, nullptr, nullptr, 0);
    CUresult result = cuLibraryGetGlobal(&memory, &whole, library, "symbol");
    return result ? result : cuMemcpyHtoDAsync(memory + offset, from, size, stream);
}

inline cudaError_t cudaStreamCreateWithFlags(CUstream *stream, unsigned flags) {
    return context_here(), cuStreamCreate(stream, flags);
}
inline cudaError_t cudaStreamDestroy(CUstream stream) { return cuStreamDestroy(stream); }
inline cudaError_t cudaStreamSynchronize(CUstream stream) { return cuStreamSynchronize(stream); }
inline cudaError_t cudaStreamWaitEvent(CUstream stream, CUevent event, unsigned flags = 0) {
    return cuStreamWaitEvent(stream, event, flags);
}
inline cudaError_t cudaLaunchHostFunc(CUstream stream, CUhostFn function, void *data) {
    return cuLaunchHostFunc(stream, function, data);
}
inline cudaError_t cudaEventCreateWithFlags(CUevent *event, unsigned flags) {
    return context_here(), cuEventCreate(event, flags);
}
inline cudaError_t cudaEventDestroy(CUevent event) { return cuEventDestroy(event); }
inline cudaError_t cudaEventRecord(CUevent event, CUstream stream = nullptr) {
    return cuEventRecord(event, stream);
}
inline cudaError_t cudaEventSynchronize(CUevent event) { return cuEventSynchronize(event); }
inline cudaError_t cudaEventQuery(CUevent event) {
    CUresult result = cuEventQuery(event);
    if (result == CUDA_ERROR_NOT_READY) // a loop leaves the threads that play the GPU their turn
        usleep(1000);
    return result;
}

inline cudaError_t cudaStreamBeginCapture(CUstream stream, int mode) {
    return cuStreamBeginCapture(stream, mode);
}
inline cudaError_t cudaStreamEndCapture(CUstream stream, CUgraph *graph) {
    return cuStreamEndCapture(stream, graph);
}
inline cudaError_t cudaGraphCreate(CUgraph *graph, unsigned flags) {
    return cuGraphCreate(graph, flags);
}
inline cudaError_t cudaGraphDestroy(CUgraph graph) { return cuGraphDestroy(graph); }
inline cudaError_t cudaGraphAddKernelNode(CUgraphNode *node, CUgraph graph,
                                          const CUgraphNode *before, std::size_t count,
                                          const cudaKernelNodeParams *of) {
    CUDA_KERNEL_NODE_PARAMS same = {};
    same.func = functions().at(of->func);
    same.gridDimX = of->gridDim.x;
    same.blockDimX = of->blockDim.x;
    same.gridDimY = same.gridDimZ = same.blockDimY = same.blockDimZ = 1;
    same.kernelParams = of->kernelParams;
    return cuGraphAddKernelNode(node, graph, before, count, &same);
}
inline cudaError_t cudaGraphAddMemcpyNode1D(CUgraphNode *node, CUgraph graph,
                                            const CUgraphNode *before, std::size_t count, void *to,
                                            const void *from, std::size_t size, cudaMemcpyKind) {
    CUDA_MEMCPY3D line = {};
    line.srcMemoryType = line.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    line.srcDevice = address(from);
    line.dstDevice = address(to);
    line.WidthInBytes = size;
    line.Height = line.Depth = 1;
    return cuGraphAddMemcpyNode(node, graph, before, count, &line, context_here());
}
inline cudaError_t cudaGraphInstantiate(CUgraphExec *exec, CUgraph graph,
                                        unsigned long long flags) {
    return cuGraphInstantiateWithFlags(exec, graph, flags);
}
inline cudaError_t cudaGraphExecUpdate(CUgraphExec exec, CUgraph graph,
                                       cudaGraphExecUpdateResultInfo *info) {
    return cuGraphExecUpdate(exec, graph, info);
}
inline cudaError_t cudaGraphLaunch(CUgraphExec exec, CUstream stream) {
    return cuGraphLaunch(exec, stream);
}
inline cudaError_t cudaGraphUpload(CUgraphExec exec, CUstream stream) {
    return cuGraphUpload(exec, stream);
}
inline cudaError_t cudaGraphExecDestroy(CUgraphExec exec) { return cuGraphExecDestroy(exec); }
