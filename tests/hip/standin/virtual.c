// Virtual memory: reserved addresses, physical memory as an anonymous file, and maps of one at the
// other. Mapped memory is device memory; without access set it kills whoever touches it.
#include "standin.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define GRANULE (2u << 20)

struct physical {
    int file, device, refs; // the program's, and one a map
    size_t size;
    hipMemAllocationProp prop;
};

hipError_t impl_hipMemGetAllocationGranularity(size_t *granularity,
                                               const hipMemAllocationProp *prop,
                                               hipMemAllocationGranularity_flags option) {
    (void)option;
    if (!granularity || !prop)
        return fail(hipErrorInvalidValue);
    *granularity = GRANULE;
    return hipSuccess;
}

hipError_t impl_hipMemAddressReserve(void **address, size_t size, size_t alignment, void *wished,
                                     unsigned long long flags) {
    if (!address || !size || size % GRANULE || flags || alignment > GRANULE)
        return fail(hipErrorInvalidValue);
    char *base =
        mmap(wished, size + GRANULE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return fail(hipErrorOutOfMemory);
    size_t before = (GRANULE - (uintptr_t)base % GRANULE) % GRANULE;
    if (before)
        munmap(base, before);
    munmap(base + before + size, GRANULE - before);
    *address = base + before;
    return hipSuccess;
}
hipError_t impl_hipMemAddressFree(void *address, size_t size) {
    if (!address || munmap(address, size))
        return fail(hipErrorInvalidValue);
    return hipSuccess;
}

hipError_t impl_hipMemCreate(hipMemGenericAllocationHandle_t *handle, size_t size,
                             const hipMemAllocationProp *prop, unsigned long long flags) {
    if (standin_major == 5) // which has the properties in another layout
        return fail(hipErrorNotSupported);
    if (!handle || !prop || !size || size % GRANULE || flags ||
        !is_device_ordinal(prop->location.id))
        return fail(hipErrorInvalidValue);
    int file = memfd_create("stand-in", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t)size)) {
        close(file);
        return fail(hipErrorOutOfMemory);
    }
    struct physical *physical = calloc(1, sizeof *physical);
    *physical = (struct physical){file, prop->location.id, 1, size, *prop};
    *handle = (hipMemGenericAllocationHandle_t)physical;
    return hipSuccess;
}

static void drop(struct physical *physical) {
    if (--physical->refs)
        return;
    close(physical->file);
    free(physical);
}
hipError_t impl_hipMemRelease(hipMemGenericAllocationHandle_t handle) {
    if (!handle)
        return fail(hipErrorInvalidValue);
    lock();
    drop((struct physical *)handle);
    unlock();
    return hipSuccess;
}

hipError_t impl_hipMemMap(void *address, size_t size, size_t offset,
                          hipMemGenericAllocationHandle_t handle, unsigned long long flags) {
    struct physical *physical = (struct physical *)handle;
    if (!address || !physical || offset || flags || size != physical->size)
        return fail(hipErrorInvalidValue);
    lock();
    void *base = mmap(address, size, PROT_NONE, MAP_SHARED | MAP_FIXED, physical->file, 0);
    bool fit = base != MAP_FAILED;
    if (fit) {
        struct memory *memory = add_memory(base, size, hipMemoryTypeDevice, physical->device, 0);
        memory->physical = physical;
        physical->refs++;
    }
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}

// Maps that lie in the range go; the addresses stay reserved.
hipError_t impl_hipMemUnmap(void *address, size_t size) {
    char *end = (char *)address + size;
    bool any = false;
    lock();
    for (char *at = address; address && at < end;) {
        struct memory *memory = find_memory(at);
        if (!memory || !memory->physical || memory->base != at)
            break;
        at += memory->size;
        mmap(memory->base, memory->size, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
        drop(memory->physical);
        forget_memory(memory);
        any = true;
    }
    unlock();
    return any ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipMemSetAccess(void *address, size_t size, const hipMemAccessDesc *desc,
                                size_t count) {
    if (!address || !desc || !count)
        return fail(hipErrorInvalidValue);
    int access = 0; // that of every device: there is one memory
    for (size_t i = 0; i < count; i++)
        access |= desc[i].flags;
    int protection = access == 3 ? PROT_READ | PROT_WRITE : access ? PROT_READ : PROT_NONE;
    lock();
    struct memory *memory = find_memory(address);
    bool fit = memory && memory->physical && !mprotect(address, size, protection);
    if (fit)
        memory->flags = (unsigned)access;
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemGetAccess(unsigned long long *flags, const hipMemLocation *location,
                                void *address) {
    lock();
    struct memory *memory = flags && location ? find_memory(address) : NULL;
    bool fit = memory && memory->physical;
    if (fit)
        *flags = memory->flags;
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipMemRetainAllocationHandle(hipMemGenericAllocationHandle_t *handle,
                                             void *address) {
    lock();
    struct memory *memory = handle ? find_memory(address) : NULL;
    bool fit = memory && memory->physical;
    if (fit) {
        memory->physical->refs++;
        *handle = (hipMemGenericAllocationHandle_t)memory->physical;
    }
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipMemGetAllocationPropertiesFromHandle(hipMemAllocationProp *prop,
                                                        hipMemGenericAllocationHandle_t handle) {
    if (!prop || !handle)
        return fail(hipErrorInvalidValue);
    *prop = ((struct physical *)handle)->prop;
    return hipSuccess;
}
