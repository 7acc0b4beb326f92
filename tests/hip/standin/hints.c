// Calls that only advise, describe or name something: they change nothing here.
#include "standin.h"

hipChannelFormatDesc impl_hipCreateChannelDesc(int x, int y, int z, int w, hipChannelFormatKind f) {
    return (hipChannelFormatDesc){x, y, z, w, f};
}

// In the order of the stream, like a copy that has nothing to move.
hipError_t impl_hipMemPrefetchAsync(const void *address, size_t size, int device,
                                    hipStream_t stream) {
    (void)device;
    lock();
    struct memory *memory = address ? find_memory(address) : NULL;
    bool fit = memory && memory->type == hipMemoryTypeManaged && is_within(memory, address, size);
    unlock();
    struct work work = {.kind = WORK_NONE};
    return fit ? submit(stream, &work) : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemPrefetchAsync_v2(const void *address, size_t size, hipMemLocation location,
                                       unsigned flags, hipStream_t stream) {
    (void)flags;
    return impl_hipMemPrefetchAsync(address, size, location.id, stream);
}
hipError_t impl_hipMemAdvise_v2(const void *address, size_t size, hipMemoryAdvise advice,
                                hipMemLocation location) {
    return impl_hipMemAdvise(address, size, advice, location.id);
}

hipError_t impl_hipCtxGetApiVersion(hipCtx_t context, unsigned *version) {
    (void)context;
    if (!version)
        return fail(hipErrorInvalidValue);
    *version = 4;
    return hipSuccess;
}
hipError_t impl_hipCtxGetFlags(unsigned *flags) { return impl_hipGetDeviceFlags(flags); }
hipError_t impl_hipDeviceGraphMemTrim(int device) {
    return is_device_ordinal(device) ? hipSuccess : fail(hipErrorInvalidDevice);
}
hipError_t impl_hipGetProcAddress_spt(const char *symbol, void **function, int version,
                                      uint64_t flags, hipDriverProcAddressQueryResult *status) {
    return impl_hipGetProcAddress(symbol, function, version, flags, status);
}
// Without a version: the newest.
hipError_t impl_hipGetDriverEntryPoint(const char *symbol, void **function,
                                       unsigned long long flags,
                                       hipDriverEntryPointQueryResult *status) {
    return impl_hipGetProcAddress(symbol, function, standin_settings.version, flags, status);
}
hipError_t impl_hipGetDriverEntryPoint_spt(const char *symbol, void **function,
                                           unsigned long long flags,
                                           hipDriverEntryPointQueryResult *status) {
    return impl_hipGetDriverEntryPoint(symbol, function, flags, status);
}
