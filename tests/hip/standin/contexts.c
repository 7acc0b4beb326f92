// Contexts, attributes, limits and flags of devices: one context a device, that is always there.
#include "standin.h"

static char contexts[MAX_DEVICES];

static hipCtx_t context_of(int device) { return (hipCtx_t)&contexts[device]; }
static int device_of(hipCtx_t context) { return (int)((char *)context - contexts); }

hipError_t impl_hipDevicePrimaryCtxRetain(hipCtx_t *context, hipDevice_t device) {
    if (!context || !is_device_ordinal(device))
        return fail(context ? hipErrorInvalidDevice : hipErrorInvalidValue);
    *context = context_of(device);
    return hipSuccess;
}
static hipError_t checked(int device) {
    return is_device_ordinal(device) ? hipSuccess : fail(hipErrorInvalidDevice);
}
hipError_t impl_hipDevicePrimaryCtxRelease(hipDevice_t device) { return checked(device); }
hipError_t impl_hipDevicePrimaryCtxSetFlags(hipDevice_t device, unsigned flags) {
    (void)flags;
    return checked(device);
}
hipError_t impl_hipDevicePrimaryCtxGetState(hipDevice_t device, unsigned *flags, int *active) {
    if (flags)
        *flags = 0;
    if (active)
        *active = device == current_device();
    return checked(device);
}
hipError_t impl_hipCtxCreate(hipCtx_t *context, unsigned flags, hipDevice_t device) {
    (void)flags;
    hipError_t error = impl_hipDevicePrimaryCtxRetain(context, device);
    return error ? error : impl_hipSetDevice(device);
}
hipError_t impl_hipCtxDestroy(hipCtx_t context) { return checked(device_of(context)); }
hipError_t impl_hipCtxSetCurrent(hipCtx_t context) {
    return context ? impl_hipSetDevice(device_of(context)) : hipSuccess;
}
hipError_t impl_hipCtxPushCurrent(hipCtx_t context) { return impl_hipCtxSetCurrent(context); }
hipError_t impl_hipCtxGetCurrent(hipCtx_t *context) {
    return impl_hipDevicePrimaryCtxRetain(context, current_device());
}
hipError_t impl_hipCtxPopCurrent(hipCtx_t *context) {
    return context ? impl_hipCtxGetCurrent(context) : hipSuccess;
}
hipError_t impl_hipCtxGetDevice(hipDevice_t *device) { return impl_hipGetDevice(device); }
hipError_t impl_hipCtxSynchronize(void) { return impl_hipDeviceSynchronize(); }

// What a program may ask one by one is what the properties say; all else is 0.
static int of_properties(const hipDeviceProp_tR0600 *p, int attribute) {
    switch (attribute) {
    case hipDeviceAttributeAsyncEngineCount:
        return p->asyncEngineCount;
    case hipDeviceAttributeClockRate:
        return p->clockRate;
    case hipDeviceAttributeIntegrated:
        return p->integrated;
    case hipDeviceAttributeL2CacheSize:
        return p->l2CacheSize;
    case hipDeviceAttributeComputeCapabilityMajor:
        return p->major;
    case hipDeviceAttributeMaxBlockDimX:
    case hipDeviceAttributeMaxBlockDimY:
    case hipDeviceAttributeMaxBlockDimZ:
        return p->maxThreadsDim[0];
    case hipDeviceAttributeMaxGridDimX:
    case hipDeviceAttributeMaxGridDimY:
    case hipDeviceAttributeMaxGridDimZ:
        return p->maxGridSize[0];
    case hipDeviceAttributeMaxThreadsPerBlock:
        return p->maxThreadsPerBlock;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor:
        return p->maxThreadsPerMultiProcessor;
    case hipDeviceAttributeMultiprocessorCount:
        return p->multiProcessorCount;
    case hipDeviceAttributePciBusId:
        return p->pciBusID;
    case hipDeviceAttributeMaxRegistersPerBlock:
        return p->regsPerBlock;
    case hipDeviceAttributeMaxSharedMemoryPerBlock:
        return (int)p->sharedMemPerBlock;
    case hipDeviceAttributeTextureAlignment:
        return (int)p->textureAlignment;
    case hipDeviceAttributeWarpSize:
        return p->warpSize;
    case hipDeviceAttributeCanMapHostMemory:
    case hipDeviceAttributeCanUseHostPointerForRegisteredMem:
    case hipDeviceAttributeConcurrentKernels:
    case hipDeviceAttributeConcurrentManagedAccess:
    case hipDeviceAttributeCooperativeLaunch:
    case hipDeviceAttributeManagedMemory:
    case hipDeviceAttributeStreamPrioritiesSupported:
    case hipDeviceAttributeUnifiedAddressing:
    case hipDeviceAttributeMemoryPoolsSupported:
    case hipDeviceAttributeVirtualMemoryManagementSupported:
    case hipDeviceAttributeHostRegisterSupported:
    case hipDeviceAttributeCanUseStreamWaitValue:
    case hipDeviceAttributeFineGrainSupport:
        return 1;
    default:
        return 0;
    }
}
hipError_t impl_hipDeviceGetAttribute(int *value, hipDeviceAttribute_t attribute, int device) {
    hipDeviceProp_tR0600 properties;
    hipError_t error =
        value ? impl_hipGetDevicePropertiesR0600(&properties, device) : fail(hipErrorInvalidValue);
    if (!error)
        *value = of_properties(&properties, (int)attribute);
    return error;
}

hipError_t impl_hipDeviceGetLimit(size_t *value, hipLimit_t limit) {
    (void)limit;
    if (!value)
        return fail(hipErrorInvalidValue);
    *value = 1 << 20;
    return hipSuccess;
}
hipError_t impl_hipDeviceSetLimit(hipLimit_t limit, size_t value) {
    (void)limit, (void)value;
    return hipSuccess;
}
hipError_t impl_hipDeviceSetCacheConfig(hipFuncCache_t config) {
    (void)config;
    return hipSuccess;
}
hipError_t impl_hipSetDeviceFlags(unsigned flags) {
    (void)flags;
    return hipSuccess;
}
hipError_t impl_hipGetDeviceFlags(unsigned *flags) {
    if (!flags)
        return fail(hipErrorInvalidValue);
    *flags = 0;
    return hipSuccess;
}
hipError_t impl_hipMemAdvise(const void *address, size_t size, hipMemoryAdvise advice, int device) {
    (void)size, (void)advice, (void)device;
    return address ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipProfilerStart(void) { return hipSuccess; }
hipError_t impl_hipProfilerStop(void) { return hipSuccess; }
