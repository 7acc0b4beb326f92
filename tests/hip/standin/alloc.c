// The API of memory: allocating, freeing, registering, and asking what an address is.
#include "standin.h"
#include <string.h>

#define PITCH 256u // rows of pitched memory begin at multiples of this

static hipError_t allocate(void **address, size_t size, hipMemoryType type, unsigned flags) {
    if (!address)
        return fail(hipErrorInvalidValue);
    *address = NULL;
    if (!standin_settings.devices)
        return fail(hipErrorNoDevice);
    lock();
    hipError_t error = refuse_unsafe();
    struct memory *memory = NULL;
    if (!error && size) {
        memory = new_memory(size, type, current_device(), flags);
        error = memory ? hipSuccess : hipErrorOutOfMemory;
    }
    if (memory)
        *address = memory->base;
    unlock();
    return fail(error);
}

hipError_t impl_hipMalloc(void **address, size_t size) {
    return allocate(address, size, hipMemoryTypeDevice, 0);
}
hipError_t impl_hipExtMallocWithFlags(void **address, size_t size, unsigned flags) {
    return allocate(address, size, hipMemoryTypeDevice, flags);
}
hipError_t impl_hipHostMalloc(void **address, size_t size, unsigned flags) {
    return allocate(address, size, hipMemoryTypeHost, flags);
}
hipError_t impl_hipHostAlloc(void **address, size_t size, unsigned flags) {
    return allocate(address, size, hipMemoryTypeHost, flags);
}
hipError_t impl_hipExtHostAlloc(void **address, size_t size, unsigned flags) {
    return allocate(address, size, hipMemoryTypeHost, flags);
}
hipError_t impl_hipMallocHost(void **address, size_t size) {
    return allocate(address, size, hipMemoryTypeHost, 0);
}
hipError_t impl_hipMemAllocHost(void **address, size_t size) {
    return allocate(address, size, hipMemoryTypeHost, 0);
}
hipError_t impl_hipMallocManaged(void **address, size_t size, unsigned flags) {
    return allocate(address, size, hipMemoryTypeManaged, flags);
}
hipError_t impl_hipMallocPitch(void **address, size_t *pitch, size_t width, size_t height) {
    if (!pitch)
        return fail(hipErrorInvalidValue);
    *pitch = (width + PITCH - 1) / PITCH * PITCH;
    return allocate(address, *pitch * height, hipMemoryTypeDevice, 0);
}
hipError_t impl_hipMemAllocPitch(hipDeviceptr_t *address, size_t *pitch, size_t width,
                                 size_t height, unsigned element) {
    (void)element;
    return impl_hipMallocPitch(address, pitch, width, height);
}
hipError_t impl_hipMalloc3D(hipPitchedPtr *pitched, hipExtent extent) {
    if (!pitched)
        return fail(hipErrorInvalidValue);
    pitched->xsize = extent.width;
    pitched->ysize = extent.height;
    return impl_hipMallocPitch(&pitched->ptr, &pitched->pitch, extent.width,
                               extent.height * extent.depth);
}

// Waits for every stream of the device that the memory was allocated on, and of no other; in CUDA
// for none if a pool had given it.
static hipError_t release(void *address, bool host) {
    if (!address)
        return hipSuccess;
    lock();
    hipError_t error = refuse_unsafe();
    struct memory *memory = error ? NULL : find_memory(address);
    if (!error && (!memory || memory->base != address || memory->registered || memory->physical ||
                   host != (memory->type == hipMemoryTypeHost)))
        error = hipErrorInvalidValue;
    if (!error) {
        if (!standin_is_cuda || !memory->pool)
            finish_device(memory->device);
        if (memory->pool)
            give_back(memory, NULL);
        else if (!memory->of_graph)
            free_memory(memory);
    }
    unlock();
    return fail(error);
}
hipError_t impl_hipFree(void *address) { return release(address, false); }
hipError_t impl_hipHostFree(void *address) { return release(address, true); }
hipError_t impl_hipFreeHost(void *address) { return release(address, true); }

hipError_t impl_hipHostRegister(void *address, size_t size, unsigned flags) {
    if (!address || !size)
        return fail(hipErrorInvalidValue);
    if (!standin_settings.devices)
        return fail(hipErrorNoDevice);
    lock();
    hipError_t error = refuse_unsafe();
    if (!error && find_memory(address))
        error = hipErrorHostMemoryAlreadyRegistered;
    if (!error)
        add_memory(address, size, hipMemoryTypeHost, current_device(), flags)->registered = true;
    unlock();
    return fail(error);
}

hipError_t impl_hipHostUnregister(void *address) {
    lock();
    hipError_t error = refuse_unsafe();
    struct memory *memory = find_memory(address);
    if (!error && (!memory || !memory->registered || memory->base != address))
        error = hipErrorHostMemoryNotRegistered;
    if (!error) {
        finish_device(memory->device);
        forget_memory(memory);
    }
    unlock();
    return fail(error);
}

hipError_t impl_hipHostGetDevicePointer(void **device, void *host, unsigned flags) {
    (void)flags;
    lock();
    struct memory *memory = find_memory(host);
    unlock();
    if (!device || !memory)
        return fail(hipErrorInvalidValue);
    *device = host;
    return hipSuccess;
}
hipError_t impl_hipHostGetFlags(unsigned *flags, void *host) {
    lock();
    struct memory *memory = find_memory(host);
    bool known = flags && memory && memory->type == hipMemoryTypeHost;
    if (known)
        *flags = memory->flags;
    unlock();
    return known ? hipSuccess : fail(hipErrorInvalidValue);
}

// Before HIP 6 memory that HIP does not know is an error; since then it is told as such.
hipError_t impl_hipPointerGetAttributes(hipPointerAttribute_t *attributes, const void *address) {
    if (!attributes || !address)
        return fail(hipErrorInvalidValue);
    lock();
    struct memory *memory = find_memory(address);
    *attributes = (hipPointerAttribute_t){.device = -1};
    if (memory)
        *attributes = (hipPointerAttribute_t){
            told_type(memory->type),
            memory->device,
            (void *)address,
            memory->type == hipMemoryTypeDevice ? NULL : (void *)address,
            memory->type == hipMemoryTypeManaged,
            memory->flags,
        };
    unlock();
    return memory || standin_major > 5 ? hipSuccess : fail(hipErrorInvalidValue);
}

static hipError_t attribute_of(const struct memory *memory, int attribute, void *address,
                               void *data) {
    bool on_host = memory->type != hipMemoryTypeDevice;
    switch (attribute) {
    case HIP_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)data = told_type(memory->type);
        return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_DEVICE_POINTER:
        *(void **)data = address;
        return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_HOST_POINTER:
        *(void **)data = on_host ? address : NULL;
        return on_host ? hipSuccess : hipErrorInvalidValue;
    case HIP_POINTER_ATTRIBUTE_IS_MANAGED:
        *(int *)data = memory->type == hipMemoryTypeManaged;
        return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
        *(int *)data = memory->device;
        return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_RANGE_START_ADDR:
        *(void **)data = memory->base;
        return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_RANGE_SIZE:
        *(size_t *)data = memory->size;
        return hipSuccess;
    case HIP_POINTER_ATTRIBUTE_BUFFER_ID:
        *(unsigned long long *)data = memory->id;
        return hipSuccess;
    default:
        return hipErrorNotSupported;
    }
}
hipError_t impl_hipPointerGetAttribute(void *data, hipPointer_attribute attribute,
                                       hipDeviceptr_t address) {
    lock();
    struct memory *memory = find_memory(address);
    hipError_t error =
        data && memory ? attribute_of(memory, (int)attribute, address, data) : hipErrorInvalidValue;
    unlock();
    return fail(error);
}

hipError_t impl_hipMemGetAddressRange(hipDeviceptr_t *base, size_t *size, hipDeviceptr_t address) {
    lock();
    struct memory *memory = find_memory(address);
    if (memory && base)
        *base = memory->base;
    if (memory && size)
        *size = memory->size;
    unlock();
    return memory ? hipSuccess : fail(hipErrorNotFound);
}
hipError_t impl_hipMemPtrGetInfo(void *address, size_t *size) {
    return size ? impl_hipMemGetAddressRange(NULL, size, address) : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemGetInfo(size_t *unused, size_t *total) {
    if (!standin_settings.devices)
        return fail(hipErrorNoDevice);
    lock();
    if (unused)
        *unused = DEVICE_BYTES - memory_used(current_device());
    if (total)
        *total = DEVICE_BYTES;
    unlock();
    return hipSuccess;
}
