// Kernel launches. A test's program gives kernels bodies that run on the CPU; all others, and so
// all of real software, do nothing: what they would have written stays as it was.
#include "standin.h"
#include <stdlib.h>
#include <string.h>

#define MAX_ARGUMENTS 64
#define NESTED_CONFIGURATIONS 8

struct kernel { // known by stub, by name, or by both once the compiler's code registered it
    struct kernel *next;
    const void *stub;
    char *name;
    standin_body body;
    int count;
    size_t sizes[MAX_ARGUMENTS];
};
static struct kernel *kernels;

static struct kernel *known(const void *stub, const char *name) {
    for (struct kernel *k = kernels; k; k = k->next)
        if ((stub && k->stub == stub) || (name && k->name && !strcmp(k->name, name)))
            return k;
    return NULL;
}

static struct kernel *know(const void *stub, const char *name) {
    struct kernel *kernel = known(stub, NULL);
    if (!kernel)
        kernel = known(NULL, name);
    if (!kernel) {
        kernel = calloc(1, sizeof *kernel);
        kernel->next = kernels;
        kernels = kernel;
    }
    if (stub)
        kernel->stub = stub;
    if (name && !kernel->name)
        kernel->name = strdup(name);
    return kernel;
}

static void give_body(struct kernel *kernel, standin_body body, int count, const size_t *sizes) {
    kernel->body = body;
    kernel->count = count < MAX_ARGUMENTS ? count : MAX_ARGUMENTS;
    memcpy(kernel->sizes, sizes, (size_t)kernel->count * sizeof *sizes);
}
#define EXPORTED __attribute__((visibility("default")))
EXPORTED void standin_kernel(const void *stub, standin_body body, int count, const size_t *sizes) {
    lock();
    give_body(know(stub, NULL), body, count, sizes);
    unlock();
}
EXPORTED void standin_named_kernel(const char *name, standin_body body, int count,
                                   const size_t *sizes) {
    lock();
    give_body(know(NULL, name), body, count, sizes);
    unlock();
}

// A function of a module is its kernel, so that launches by it and by a stub come to the same.
hipFunction_t function_named(const char *name) { return (hipFunction_t)know(NULL, name); }
hipFunction_t function_of(const void *stub) { return (hipFunction_t)know(stub, NULL); }
const char *name_of_function(const void *function) {
    for (struct kernel *k = kernels; k; k = k->next)
        if (k == function || k->stub == function)
            return k->name;
    return NULL;
}

static const struct kernel *launched(const void *function) {
    for (const struct kernel *k = kernels; k; k = k->next)
        if (k == function || k->stub == function)
            return k;
    return NULL;
}

int arguments_of_function(const void *function, const size_t **sizes) {
    const struct kernel *kernel = launched(function);
    *sizes = kernel && kernel->body ? kernel->sizes : NULL;
    return kernel ? kernel->count : 0;
}

// In the one buffer that `extra` may give, each argument lies at a multiple of its own size.
static size_t offset_after(size_t at, size_t size) {
    size_t align = size >= 16 ? 8 : size && !(size & (size - 1)) ? size : 1;
    return (at + align - 1) / align * align;
}

static const char *buffer_of(void **extra) {
    for (; extra && *extra && *extra != HIP_LAUNCH_PARAM_END; extra += 2)
        if (*extra == HIP_LAUNCH_PARAM_BUFFER_POINTER)
            return extra[1];
    return NULL;
}

struct launch *new_launch(const void *function, dim3 grid, dim3 block, unsigned shared,
                          void **parameters, void **extra) {
    const struct kernel *kernel = launched(function);
    const char *buffer = buffer_of(extra);
    int count = kernel && (parameters || buffer) ? kernel->count : 0;
    size_t bytes = 0;
    for (int i = 0; i < count; i++)
        bytes += kernel->sizes[i] + 8;
    struct launch *launch =
        calloc(1, sizeof *launch + (size_t)count * sizeof(void *) + bytes + sizeof(max_align_t));
    *launch = (struct launch){0,      function, kernel ? kernel->body : NULL, grid, block,
                              shared, count,    (void **)(launch + 1)};
    char *copies = (char *)(launch->arguments + count);
    size_t at = 0, in_buffer = 0;
    for (int i = 0; i < count; i++) {
        size_t size = kernel->sizes[i];
        in_buffer = offset_after(in_buffer, size);
        launch->arguments[i] = copies + at;
        memcpy(copies + at, parameters ? parameters[i] : buffer + in_buffer, size);
        in_buffer += size;
        at = (at + size + 7) / 8 * 8;
    }
    return launch;
}

static hipError_t launch_in(const void *function, dim3 grid, dim3 block, size_t shared,
                            void **parameters, void **extra, hipStream_t stream) {
    bool empty = !grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z;
    if (!function)
        return fail(hipErrorInvalidDeviceFunction);
    if (empty || (uint64_t)block.x * block.y * block.z > MAX_THREADS)
        return fail(hipErrorInvalidConfiguration);
    lock();
    struct launch *launch = new_launch(function, grid, block, (unsigned)shared, parameters, extra);
    unlock();
    struct work work = {WORK_KERNEL, .launch = launch};
    struct work held = work_again(&work);
    hipError_t error = submit(stream, &held);
    work_over(&held);
    return error;
}

hipError_t impl_hipLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                size_t shared, hipStream_t stream) {
    return launch_in(function, grid, block, shared, arguments, NULL, stream);
}
hipError_t impl_hipLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block,
                                           void **arguments, unsigned shared, hipStream_t stream) {
    return launch_in(function, grid, block, shared, arguments, NULL, stream);
}
hipError_t impl_hipLaunchKernelExC(const hipLaunchConfig_t *config, const void *function,
                                   void **arguments) {
    if (!config)
        return fail(hipErrorInvalidValue);
    return launch_in(function, config->gridDim, config->blockDim, config->dynamicSmemBytes,
                     arguments, NULL, config->stream);
}
hipError_t impl_hipDrvLaunchKernelEx(const HIP_LAUNCH_CONFIG *config, hipFunction_t function,
                                     void **parameters, void **extra) {
    if (!config)
        return fail(hipErrorInvalidValue);
    dim3 grid = {config->gridDimX, config->gridDimY, config->gridDimZ};
    dim3 block = {config->blockDimX, config->blockDimY, config->blockDimZ};
    return launch_in(function, grid, block, config->sharedMemBytes, parameters, extra,
                     config->hStream);
}
hipError_t impl_hipModuleLaunchKernel(hipFunction_t function, unsigned gx, unsigned gy, unsigned gz,
                                      unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                      hipStream_t stream, void **parameters, void **extra) {
    return launch_in(function, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, parameters, extra,
                     stream);
}
hipError_t impl_hipModuleLaunchCooperativeKernel(hipFunction_t function, unsigned gx, unsigned gy,
                                                 unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                                 unsigned shared, hipStream_t stream,
                                                 void **parameters) {
    return launch_in(function, (dim3){gx, gy, gz}, (dim3){bx, by, bz}, shared, parameters, NULL,
                     stream);
}

static hipError_t record_if(hipEvent_t event, hipStream_t stream, hipError_t error) {
    return error || !event ? error : impl_hipEventRecord(event, stream);
}
static hipError_t launch_between(const void *function, dim3 grid, dim3 block, size_t shared,
                                 void **parameters, void **extra, hipStream_t stream,
                                 hipEvent_t start, hipEvent_t stop) {
    hipError_t error = record_if(start, stream, hipSuccess);
    if (!error)
        error = launch_in(function, grid, block, shared, parameters, extra, stream);
    return record_if(stop, stream, error);
}
hipError_t impl_hipExtLaunchKernel(const void *function, dim3 grid, dim3 block, void **arguments,
                                   size_t shared, hipStream_t stream, hipEvent_t start,
                                   hipEvent_t stop, int flags) {
    (void)flags;
    return launch_between(function, grid, block, shared, arguments, NULL, stream, start, stop);
}
// Sizes in threads, not in blocks.
static unsigned blocks(unsigned threads, unsigned block) {
    return block ? (threads + block - 1) / block : 0;
}
hipError_t impl_hipExtModuleLaunchKernel(hipFunction_t function, uint32_t gx, uint32_t gy,
                                         uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                                         size_t shared, hipStream_t stream, void **parameters,
                                         void **extra, hipEvent_t start, hipEvent_t stop,
                                         uint32_t flags) {
    (void)flags;
    dim3 grid = {blocks(gx, bx), blocks(gy, by), blocks(gz, bz)};
    return launch_between(function, grid, (dim3){bx, by, bz}, shared, parameters, extra, stream,
                          start, stop);
}
hipError_t impl_hipHccModuleLaunchKernel(hipFunction_t function, uint32_t gx, uint32_t gy,
                                         uint32_t gz, uint32_t bx, uint32_t by, uint32_t bz,
                                         size_t shared, hipStream_t stream, void **parameters,
                                         void **extra, hipEvent_t start, hipEvent_t stop) {
    return impl_hipExtModuleLaunchKernel(function, gx, gy, gz, bx, by, bz, shared, stream,
                                         parameters, extra, start, stop, 0);
}

// --- What the compiler's code calls for <<<>>> ---

static __thread struct configuration {
    dim3 grid, block;
    size_t shared;
    hipStream_t stream;
} pushed[NESTED_CONFIGURATIONS];
static __thread int depth;

hipError_t impl___hipPushCallConfiguration(dim3 grid, dim3 block, size_t shared,
                                           hipStream_t stream) {
    if (depth == NESTED_CONFIGURATIONS)
        return fail(hipErrorInvalidConfiguration);
    pushed[depth++] = (struct configuration){grid, block, shared, stream};
    return hipSuccess;
}
hipError_t impl___hipPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared,
                                          hipStream_t *stream) {
    if (!depth)
        return fail(hipErrorInvalidConfiguration);
    const struct configuration *top = &pushed[--depth];
    *grid = top->grid;
    *block = top->block;
    *shared = top->shared;
    *stream = top->stream;
    return hipSuccess;
}

void impl___hipRegisterFunction(void **modules, const void *stub, char *device_function,
                                const char *name, unsigned limit, uint3 *thread, uint3 *group,
                                dim3 *block, dim3 *grid, int *warp) {
    (void)modules, (void)device_function, (void)limit, (void)thread, (void)group;
    (void)block, (void)grid, (void)warp;
    lock();
    know(stub, name);
    unlock();
}
