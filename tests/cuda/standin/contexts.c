// Contexts: one a device that is primary, and those that a program makes; each thread has a stack
// of them, and the device of the uppermost is its current one.
#include "driver.h"
#include <stdlib.h>

#define MAX_CONTEXTS 64

struct context {
    int device;
    bool live;
    unsigned flags;
};
static struct context contexts[MAX_DEVICES + MAX_CONTEXTS]; // the primary ones come first
static int retained[MAX_DEVICES];
static __thread struct context *stack[MAX_CONTEXTS];
static __thread int depth;

static CUcontext handle_of(struct context *context) { return (CUcontext)context; }

static struct context *context_of(CUcontext handle) {
    struct context *context = (struct context *)handle;
    bool ours = context >= contexts && context < contexts + MAX_DEVICES + MAX_CONTEXTS;
    return ours && context->live ? context : NULL;
}

int context_device(CUcontext handle) {
    struct context *context = context_of(handle);
    return context ? context->device : NO_DEVICE;
}

CUcontext primary_context(int device) {
    contexts[device].device = device;
    contexts[device].live = true;
    return handle_of(&contexts[device]);
}

static struct context *current(void) { return depth ? stack[depth - 1] : NULL; }

static CUresult use_uppermost(void) {
    return impl_hipSetDevice(current() && current()->live ? current()->device : 0);
}

static CUresult push_current(CUcontext handle) {
    struct context *context = context_of(handle);
    if (!context || depth == MAX_CONTEXTS)
        return CUDA_ERROR_INVALID_CONTEXT;
    stack[depth++] = context;
    return use_uppermost();
}

// --- Primary contexts ---

CUresult impl_cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    if (!context || !is_device_ordinal(device))
        return context ? hipErrorInvalidDevice : CUDA_ERROR_INVALID_VALUE;
    lock();
    retained[device]++;
    *context = primary_context(device);
    unlock();
    return CUDA_SUCCESS;
}
CUresult impl_cuDevicePrimaryCtxRelease_v2(CUdevice device) {
    if (!is_device_ordinal(device) || !retained[device])
        return CUDA_ERROR_INVALID_CONTEXT;
    lock();
    retained[device]--;
    unlock();
    return CUDA_SUCCESS;
}
CUresult impl_cuDevicePrimaryCtxRelease(CUdevice device) {
    return impl_cuDevicePrimaryCtxRelease_v2(device);
}
CUresult impl_cuDevicePrimaryCtxReset_v2(CUdevice device) {
    if (!is_device_ordinal(device))
        return hipErrorInvalidDevice;
    int before = current_device();
    impl_hipSetDevice(device);
    CUresult result = impl_hipDeviceReset();
    impl_hipSetDevice(before);
    return result;
}
CUresult impl_cuDevicePrimaryCtxReset(CUdevice device) {
    return impl_cuDevicePrimaryCtxReset_v2(device);
}
CUresult impl_cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *active) {
    if (!flags || !active || !is_device_ordinal(device))
        return CUDA_ERROR_INVALID_VALUE;
    *flags = 0;
    *active = retained[device] > 0;
    return CUDA_SUCCESS;
}

// --- Contexts of the program ---

CUresult impl_cuCtxCreate_v2(CUcontext *made, unsigned flags, CUdevice device) {
    if (!made || !is_device_ordinal(device))
        return made ? hipErrorInvalidDevice : CUDA_ERROR_INVALID_VALUE;
    lock();
    struct context *context = contexts + MAX_DEVICES;
    while (context < contexts + MAX_DEVICES + MAX_CONTEXTS && context->live)
        context++;
    bool room = context < contexts + MAX_DEVICES + MAX_CONTEXTS;
    if (room)
        *context = (struct context){device, true, flags};
    unlock();
    if (!room)
        return hipErrorOutOfMemory;
    *made = handle_of(context);
    return push_current(*made);
}
CUresult impl_cuCtxCreate(CUcontext *made, unsigned flags, CUdevice device) {
    return impl_cuCtxCreate_v2(made, flags, device);
}
CUresult impl_cuCtxCreate_v3(CUcontext *made, CUexecAffinityParam *parameters, int count,
                             unsigned flags, CUdevice device) {
    (void)parameters, (void)count;
    return impl_cuCtxCreate_v2(made, flags, device);
}
CUresult impl_cuCtxCreate_v4(CUcontext *made, CUctxCreateParams *parameters, unsigned flags,
                             CUdevice device) {
    (void)parameters;
    return impl_cuCtxCreate_v2(made, flags, device);
}

CUresult impl_cuCtxDestroy_v2(CUcontext handle) {
    struct context *context = context_of(handle);
    if (!context || context < contexts + MAX_DEVICES)
        return CUDA_ERROR_INVALID_CONTEXT;
    lock();
    finish_device(context->device);
    context->live = false;
    unlock();
    if (current() == context)
        depth--;
    return use_uppermost();
}
CUresult impl_cuCtxDestroy(CUcontext handle) { return impl_cuCtxDestroy_v2(handle); }

CUresult impl_cuCtxPushCurrent_v2(CUcontext handle) { return push_current(handle); }
CUresult impl_cuCtxPushCurrent(CUcontext handle) { return push_current(handle); }
CUresult impl_cuCtxPopCurrent_v2(CUcontext *popped) {
    if (!depth)
        return CUDA_ERROR_INVALID_CONTEXT;
    if (popped)
        *popped = handle_of(current());
    depth--;
    return use_uppermost();
}
CUresult impl_cuCtxPopCurrent(CUcontext *popped) { return impl_cuCtxPopCurrent_v2(popped); }
CUresult impl_cuCtxSetCurrent(CUcontext handle) {
    if (handle && !context_of(handle))
        return CUDA_ERROR_INVALID_CONTEXT;
    if (depth)
        depth--;
    return handle ? push_current(handle) : use_uppermost();
}
CUresult impl_cuCtxGetCurrent(CUcontext *handle) {
    if (!handle)
        return CUDA_ERROR_INVALID_VALUE;
    *handle = handle_of(current());
    return CUDA_SUCCESS;
}

// --- What can be asked of one ---

static struct context *meant(CUcontext handle) { return handle ? context_of(handle) : current(); }

CUresult impl_cuCtxGetDevice_v2(CUdevice *device, CUcontext handle) {
    struct context *context = meant(handle);
    if (!device || !context)
        return device ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *device = context->device;
    return CUDA_SUCCESS;
}
CUresult impl_cuCtxGetDevice(CUdevice *device) { return impl_cuCtxGetDevice_v2(device, NULL); }
CUresult impl_cuCtxGetFlags(unsigned *flags) {
    if (!flags || !current())
        return flags ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *flags = current()->flags;
    return CUDA_SUCCESS;
}
CUresult impl_cuCtxSetFlags(unsigned flags) {
    if (!current())
        return CUDA_ERROR_INVALID_CONTEXT;
    current()->flags = flags;
    return CUDA_SUCCESS;
}
CUresult impl_cuCtxGetId(CUcontext handle, unsigned long long *id) {
    struct context *context = meant(handle);
    if (!id || !context)
        return id ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *id = (unsigned long long)(context - contexts) + 1;
    return CUDA_SUCCESS;
}
CUresult impl_cuCtxGetApiVersion(CUcontext handle, unsigned *version) {
    if (!version || !meant(handle))
        return version ? CUDA_ERROR_INVALID_CONTEXT : CUDA_ERROR_INVALID_VALUE;
    *version = (unsigned)standin_settings.version;
    return CUDA_SUCCESS;
}
CUresult impl_cuCtxGetLimit(size_t *value, CUlimit limit) {
    return impl_hipDeviceGetLimit(value, limit);
}
CUresult impl_cuCtxSynchronize_v2(CUcontext handle) {
    struct context *context = meant(handle);
    if (!context)
        return CUDA_ERROR_INVALID_CONTEXT;
    int before = current_device();
    impl_hipSetDevice(context->device);
    CUresult result = impl_hipDeviceSynchronize();
    impl_hipSetDevice(before);
    return result;
}

CUresult impl_cuStreamGetCtx(CUstream handle, CUcontext *context) {
    struct stream *stream;
    if (!context)
        return CUDA_ERROR_INVALID_VALUE;
    lock();
    hipError_t error = find_stream((hipStream_t)handle, &stream);
    if (!error)
        *context = current() && current()->device == stream->device
                       ? handle_of(current())
                       : primary_context(stream->device);
    unlock();
    return error;
}
CUresult impl_cuStreamGetCtx_v2(CUstream handle, CUcontext *context, CUgreenCtx *green) {
    if (green)
        *green = NULL;
    return impl_cuStreamGetCtx(handle, context);
}

CUresult impl_cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
    return impl_hipDeviceEnablePeerAccess(context_device(peer), flags);
}
CUresult impl_cuCtxDisablePeerAccess(CUcontext peer) {
    return impl_hipDeviceDisablePeerAccess(context_device(peer));
}
