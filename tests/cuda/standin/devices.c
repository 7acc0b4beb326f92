// What devices say of themselves: as an H100 would, where programs look.
#include "driver.h"

CUresult impl_cuDeviceGetCount(int *count) {
    if (!count)
        return CUDA_ERROR_INVALID_VALUE;
    *count = standin_settings.devices;
    return CUDA_SUCCESS;
}

// By the numbers of CUdevice_attribute. Those that are not here are 0.
static const int attributes[] = {
    [1] = 1024,
    [2] = 1024,
    [3] = 1024,
    [4] = 64, // threads of a block
    [5] = 2147483647,
    [6] = 65535,
    [7] = 65535, // blocks of a grid
    [8] = 49152,
    [9] = 65536,
    [10] = 32,
    [11] = 2147483647, // shared, constant, warp, pitch
    [12] = 65536,
    [13] = 1700000,
    [14] = 512,
    [15] = 1, // registers, clock, textures
    [16] = MULTIPROCESSORS,
    [19] = 1, // maps host memory
    [30] = 512,
    [31] = 1,
    [36] = 2600000,
    [37] = 5120, // kernels at once, memory
    [38] = 50 << 20,
    [39] = 2048,
    [40] = 3,
    [41] = 1, // L2, engines, one address space
    [51] = 32,
    [75] = 9,
    [76] = 0,
    [78] = 1,
    [79] = 1,
    [80] = 1, // capability, priorities
    [81] = 233472,
    [82] = 65536,
    [83] = 1,
    [89] = 1,
    [90] = 1, // managed memory
    [91] = 1,
    [95] = 1,
    [97] = 232448,
    [99] = 1,
    [102] = 1, // registering, virtual memory
    [106] = 32,
    [111] = 1024,
    [115] = 1,
    [120] = 1, // pools, clusters
    [122] = 1,
    [123] = 1,
    [125] = 1,
    [129] = 1, // values, events of others
};
enum { INTEGRATED = 18, PCI_BUS_ID = 33 };

CUresult impl_cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    if (!value || attribute <= 0)
        return CUDA_ERROR_INVALID_VALUE;
    if (!is_device_ordinal(device))
        return hipErrorInvalidDevice;
    size_t known = sizeof attributes / sizeof *attributes;
    *value = (size_t)attribute < known ? attributes[attribute] : 0;
    if (attribute == INTEGRATED)
        *value = standin_settings.integrated;
    if (attribute == PCI_BUS_ID)
        *value = device + 1;
    return CUDA_SUCCESS;
}
CUresult impl_cuDeviceGetLuid(char *luid, unsigned *mask, CUdevice device) {
    (void)luid, (void)mask, (void)device;
    return CUDA_ERROR_NOT_SUPPORTED; // of Windows
}

// --- What an address is ---

enum { CONTEXT = 1, MEMORY_TYPE = 2, MAPPED = 13 };

static CUresult attribute_of(void *data, CUpointer_attribute attribute, CUdeviceptr address) {
    lock();
    struct memory *memory = find_memory((void *)(uintptr_t)address);
    bool host = memory && memory->type == hipMemoryTypeHost;
    int device = memory ? memory->device : 0;
    unlock();
    if (!memory || !data)
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CONTEXT:
        *(CUcontext *)data = primary_context(device);
        return CUDA_SUCCESS;
    case MEMORY_TYPE:
        *(unsigned *)data = host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
        return CUDA_SUCCESS;
    case MAPPED:
        *(unsigned char *)data = 1;
        return CUDA_SUCCESS;
    default:
        return impl_hipPointerGetAttribute(data, (hipPointer_attribute)attribute,
                                           (void *)(uintptr_t)address);
    }
}
CUresult impl_cuPointerGetAttribute(void *data, CUpointer_attribute attribute,
                                    CUdeviceptr address) {
    return attribute_of(data, attribute, address);
}
// Of memory that CUDA does not know all are 0, and that is no error.
CUresult impl_cuPointerGetAttributes(unsigned count, CUpointer_attribute *list, void **data,
                                     CUdeviceptr address) {
    enum { HALF_WORDS = 1 << 2 | 1 << 8 | 1 << 9, ORDINAL = 9 };
    for (unsigned i = 0; i < count; i++) {
        if (!attribute_of(data[i], list[i], address))
            continue;
        if (list[i] == ORDINAL)
            *(int *)data[i] = -2;
        else if (list[i] == MAPPED || list[i] == 10 || list[i] == 6)
            *(unsigned char *)data[i] = 0;
        else if (list[i] < 32 && HALF_WORDS >> list[i] & 1)
            *(int *)data[i] = 0;
        else
            *(void **)data[i] = NULL;
    }
    return CUDA_SUCCESS;
}
CUresult impl_cuPointerSetAttribute(const void *value, CUpointer_attribute attribute,
                                    CUdeviceptr address) {
    (void)value, (void)attribute, (void)address;
    return CUDA_SUCCESS;
}
CUresult impl_cuMemAdvise(CUdeviceptr address, size_t size, CUmem_advise advice, CUdevice device) {
    (void)address, (void)size, (void)advice, (void)device;
    return CUDA_SUCCESS;
}
