// Modules, libraries and functions, where CUDA has more to ask than HIP. Images are not read: every
// name is a kernel, and where its parameters lie is known if the test's program said what it takes.
#include "driver.h"
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) void standin_variable(const char *name, size_t size) {
    impl___hipRegisterVar(NULL, NULL, NULL, (char *)name, 0, size, 0, 0);
}

// --- Libraries are modules here ---

CUresult impl_cuLibraryLoadFromFile(CUlibrary *library, const char *file, CUjit_option *options,
                                    void **values, unsigned count, CUlibraryOption *more,
                                    void **more_values, unsigned more_count) {
    (void)options, (void)values, (void)count, (void)more, (void)more_values, (void)more_count;
    return impl_hipModuleLoad((hipModule_t *)library, file);
}
CUresult impl_cuLibraryGetModule(CUmodule *module, CUlibrary library) {
    if (!module || !library)
        return CUDA_ERROR_INVALID_VALUE;
    *module = (CUmodule)library;
    return CUDA_SUCCESS;
}
CUresult impl_cuLibraryGetGlobal(CUdeviceptr *address, size_t *size, CUlibrary library,
                                 const char *name) {
    return impl_hipModuleGetGlobal((hipDeviceptr_t *)address, size, (hipModule_t)library, name);
}
CUresult impl_cuLibraryGetManaged(CUdeviceptr *address, size_t *size, CUlibrary library,
                                  const char *name) {
    return impl_cuLibraryGetGlobal(address, size, library, name);
}
CUresult impl_cuModuleGetLoadingMode(CUmoduleLoadingMode *mode) {
    enum { EAGER = 1 };
    if (!mode)
        return CUDA_ERROR_INVALID_VALUE;
    *mode = EAGER;
    return CUDA_SUCCESS;
}

// --- Functions and kernels are one thing here ---

static CUresult name_of(const char **name, const void *function) {
    if (!name || !function)
        return CUDA_ERROR_INVALID_VALUE;
    lock();
    *name = name_of_function(function);
    unlock();
    return *name ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult impl_cuFuncGetName(const char **name, CUfunction function) {
    return name_of(name, function);
}
CUresult impl_cuKernelGetName(const char **name, CUkernel kernel) { return name_of(name, kernel); }

// Each lies at a multiple of its size, up to 8 bytes, behind the one before it.
static CUresult parameter(const void *function, size_t index, size_t *offset, size_t *size) {
    const size_t *sizes;
    size_t at = 0;
    lock();
    size_t count = (size_t)arguments_of_function(function, &sizes);
    unlock();
    if (!sizes) // nobody said what it takes
        return CUDA_ERROR_NOT_SUPPORTED;
    if (index >= count)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i <= index; i++) {
        size_t align = sizes[i] >= 8 ? 8 : sizes[i] ? sizes[i] : 1;
        at = (at + align - 1) / align * align + (i < index ? sizes[i] : 0);
    }
    if (offset)
        *offset = at;
    if (size)
        *size = sizes[index];
    return CUDA_SUCCESS;
}
CUresult impl_cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
    return parameter(function, index, offset, size);
}
CUresult impl_cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t *offset, size_t *size) {
    return parameter(kernel, index, offset, size);
}
CUresult impl_cuFuncGetModule(CUmodule *module, CUfunction function) {
    return function ? impl_hipModuleLoadData((hipModule_t *)module, function)
                    : CUDA_ERROR_INVALID_HANDLE;
}
CUresult impl_cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function) {
    if (!state || !function)
        return CUDA_ERROR_INVALID_VALUE;
    *state = 1;
    return CUDA_SUCCESS;
}
CUresult impl_cuFuncLoad(CUfunction function) {
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
CUresult impl_cuKernelGetAttribute(int *value, CUfunction_attribute attribute, CUkernel kernel,
                                   CUdevice device) {
    (void)device;
    return impl_hipFuncGetAttribute(value, attribute, (hipFunction_t)kernel);
}
CUresult impl_cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel,
                                   CUdevice device) {
    (void)device;
    return impl_hipFuncSetAttribute(kernel, attribute, value);
}
CUresult impl_cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
    (void)device;
    return impl_hipFuncSetCacheConfig(kernel, config);
}

// --- Launches with attributes ---

// Events of a kernel's start, and of a trigger there.
static bool is_at_start(const CUlaunchAttribute *attribute) {
    return attribute->id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT ||
           attribute->value.programmaticEvent.triggerAtBlockStart;
}

static CUresult record_events(const CUlaunchConfig *config, bool at_start) {
    CUresult result = CUDA_SUCCESS;
    for (unsigned i = 0; i < config->numAttrs && !result; i++) {
        const CUlaunchAttribute *attribute = &config->attrs[i];
        if ((attribute->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT ||
             attribute->id == CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT) &&
            is_at_start(attribute) == at_start)
            result = impl_hipEventRecord((hipEvent_t)attribute->value.programmaticEvent.event,
                                         (hipStream_t)config->hStream);
    }
    return result;
}

// The events of a start fire when the stream has come to the kernel; while it is captured, when the
// kernel has run, since a graph has no such edge here.
CUresult impl_cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **parameters,
                               void **extra) {
    if (!config)
        return CUDA_ERROR_INVALID_VALUE;
    hipStreamCaptureStatus status = hipStreamCaptureStatusNone;
    impl_hipStreamIsCapturing((hipStream_t)config->hStream, &status);
    bool captured = status != hipStreamCaptureStatusNone;
    CUresult result = captured ? CUDA_SUCCESS : record_events(config, true);
    if (!result)
        result = impl_cuLaunchKernel(function, config->gridDimX, config->gridDimY, config->gridDimZ,
                                     config->blockDimX, config->blockDimY, config->blockDimZ,
                                     config->sharedMemBytes, config->hStream, parameters, extra);
    if (!result && captured)
        result = record_events(config, true);
    return result ? result : record_events(config, false);
}
