// Devices: how many, what they say of themselves, which one a thread uses, and which reach which.
#include "standin.h"
#include <stdio.h>
#include <string.h>

#define NAME "stand-in HIP device"
#define ARCHITECTURE "gfx90a:sramecc+:xnack-" // one that packages of real software have kernels for
#define WARP 64
#define MAX_GRID 2147483647

static __thread int current;
static bool reaches[MAX_DEVICES][MAX_DEVICES];

int current_device(void) { return current; }
bool is_device_ordinal(int device) { return device >= 0 && device < standin_settings.devices; }

static hipError_t check(const void *out, int device) {
    if (!out)
        return hipErrorInvalidValue;
    return is_device_ordinal(device) ? hipSuccess : hipErrorInvalidDevice;
}

hipError_t impl_hipInit(unsigned flags) {
    if (flags)
        return fail(hipErrorInvalidValue);
    return standin_settings.devices ? hipSuccess : fail(hipErrorInvalidDevice);
}
hipError_t impl_hipGetDeviceCount(int *count) {
    if (!count)
        return fail(hipErrorInvalidValue);
    *count = standin_settings.devices;
    return *count ? hipSuccess : fail(hipErrorNoDevice);
}
hipError_t impl_hipSetDevice(int device) {
    if (!is_device_ordinal(device))
        return fail(standin_settings.devices ? hipErrorInvalidDevice : hipErrorNoDevice);
    current = device;
    return hipSuccess;
}
hipError_t impl_hipGetDevice(int *device) {
    hipError_t error = check(device, current);
    if (!error)
        *device = current;
    return fail(error);
}
hipError_t impl_hipDeviceGet(hipDevice_t *device, int ordinal) {
    hipError_t error = check(device, ordinal);
    if (!error)
        *device = ordinal;
    return fail(error);
}
static hipError_t version(int *out) {
    if (!out)
        return fail(hipErrorInvalidValue);
    *out = standin_settings.version;
    return hipSuccess;
}
hipError_t impl_hipRuntimeGetVersion(int *out) { return version(out); }
hipError_t impl_hipDriverGetVersion(int *out) { return version(out); }

hipError_t impl_hipGetDevicePropertiesR0600(hipDeviceProp_tR0600 *p, int device) {
    hipError_t error = check(p, device);
    if (error)
        return fail(error);
    *p = (hipDeviceProp_tR0600){.name = NAME,
                                .totalGlobalMem = DEVICE_BYTES,
                                .sharedMemPerBlock = SHARED_BYTES,
                                .regsPerBlock = 65536,
                                .warpSize = WARP,
                                .memPitch = MAX_GRID,
                                .maxThreadsPerBlock = MAX_THREADS,
                                .maxThreadsDim = {MAX_THREADS, MAX_THREADS, MAX_THREADS},
                                .maxGridSize = {MAX_GRID, MAX_GRID, MAX_GRID},
                                .clockRate = 1700000,
                                .totalConstMem = MAX_GRID,
                                .major = 9,
                                .textureAlignment = 256,
                                .texturePitchAlignment = 256,
                                .multiProcessorCount = MULTIPROCESSORS,
                                .integrated = standin_settings.integrated,
                                .canMapHostMemory = 1,
                                .concurrentKernels = 1,
                                .pciBusID = device + 1,
                                .asyncEngineCount = 2,
                                .unifiedAddressing = 1,
                                .memoryClockRate = 1600000,
                                .memoryBusWidth = 4096,
                                .l2CacheSize = 8 << 20,
                                .maxThreadsPerMultiProcessor = 2048,
                                .streamPrioritiesSupported = 1,
                                .sharedMemPerMultiprocessor = SHARED_BYTES,
                                .regsPerMultiprocessor = 65536,
                                .managedMemory = 1,
                                .concurrentManagedAccess = 1,
                                .cooperativeLaunch = 1,
                                .sharedMemPerBlockOptin = SHARED_BYTES,
                                .maxBlocksPerMultiProcessor = 32,
                                .hostRegisterSupported = 1,
                                .memoryPoolsSupported = 1,
                                .ipcEventSupported = 1,
                                .gcnArchName = ARCHITECTURE,
                                .maxSharedMemoryPerMultiProcessor = SHARED_BYTES,
                                .clockInstructionRate = 100000,
                                .arch = {(1u << 17) - 1}};
    p->uuid.bytes[15] = (char)(device + 1);
    if (device && standin_settings.other_architecture)
        snprintf(p->gcnArchName, sizeof p->gcnArchName, "%s", standin_settings.other_architecture);
    return hipSuccess;
}

hipError_t impl_hipGetDevicePropertiesR0000(hipDeviceProp_tR0000 *p, int device) {
    hipDeviceProp_tR0600 newer;
    hipError_t error = check(p, device);
    if (!error)
        error = impl_hipGetDevicePropertiesR0600(&newer, device);
    if (error)
        return fail(error);
    *p = (hipDeviceProp_tR0000){.name = NAME,
                                .totalGlobalMem = newer.totalGlobalMem,
                                .sharedMemPerBlock = newer.sharedMemPerBlock,
                                .regsPerBlock = newer.regsPerBlock,
                                .warpSize = newer.warpSize,
                                .maxThreadsPerBlock = newer.maxThreadsPerBlock,
                                .maxThreadsDim = {MAX_THREADS, MAX_THREADS, MAX_THREADS},
                                .maxGridSize = {MAX_GRID, MAX_GRID, MAX_GRID},
                                .clockRate = newer.clockRate,
                                .memoryClockRate = newer.memoryClockRate,
                                .memoryBusWidth = newer.memoryBusWidth,
                                .totalConstMem = newer.totalConstMem,
                                .major = newer.major,
                                .minor = newer.minor,
                                .multiProcessorCount = newer.multiProcessorCount,
                                .l2CacheSize = newer.l2CacheSize,
                                .maxThreadsPerMultiProcessor = newer.maxThreadsPerMultiProcessor,
                                .clockInstructionRate = newer.clockInstructionRate,
                                .arch = newer.arch,
                                .concurrentKernels = 1,
                                .pciBusID = newer.pciBusID,
                                .maxSharedMemoryPerMultiProcessor = SHARED_BYTES,
                                .canMapHostMemory = 1,
                                .gcnArch = 910,
                                .gcnArchName = ARCHITECTURE,
                                .integrated = newer.integrated,
                                .cooperativeLaunch = 1,
                                .memPitch = newer.memPitch,
                                .textureAlignment = newer.textureAlignment,
                                .texturePitchAlignment = newer.texturePitchAlignment,
                                .managedMemory = 1,
                                .concurrentManagedAccess = 1};
    return hipSuccess;
}

hipError_t impl_hipDeviceGetName(char *name, int length, hipDevice_t device) {
    hipError_t error = length > 0 ? check(name, device) : hipErrorInvalidValue;
    if (!error)
        snprintf(name, (size_t)length, "%s", NAME);
    return fail(error);
}
hipError_t impl_hipDeviceTotalMem(size_t *bytes, hipDevice_t device) {
    hipError_t error = check(bytes, device);
    if (!error)
        *bytes = DEVICE_BYTES;
    return fail(error);
}
hipError_t impl_hipDeviceComputeCapability(int *major, int *minor, hipDevice_t device) {
    hipError_t error = minor ? check(major, device) : hipErrorInvalidValue;
    if (!error)
        *major = 9, *minor = 0;
    return fail(error);
}
hipError_t impl_hipDeviceGetUuid(hipUUID *uuid, hipDevice_t device) {
    hipError_t error = check(uuid, device);
    if (!error)
        *uuid = (hipUUID){.bytes[15] = (char)(device + 1)};
    return fail(error);
}
hipError_t impl_hipDeviceGetPCIBusId(char *name, int length, int device) {
    hipError_t error = length > 0 ? check(name, device) : hipErrorInvalidValue;
    if (!error)
        snprintf(name, (size_t)length, "0000:%02x:00.0", (unsigned)device + 1);
    return fail(error);
}
hipError_t impl_hipDeviceGetByPCIBusId(int *device, const char *name) {
    unsigned domain, bus;
    if (!device || !name || sscanf(name, "%x:%x", &domain, &bus) != 2)
        return fail(hipErrorInvalidValue);
    if (domain || !is_device_ordinal((int)bus - 1))
        return fail(hipErrorInvalidDevice);
    *device = (int)bus - 1;
    return hipSuccess;
}

// --- Peers ---

hipError_t impl_hipDeviceCanAccessPeer(int *can, int device, int other) {
    hipError_t error = check(can, device);
    if (!error && !is_device_ordinal(other))
        error = hipErrorInvalidDevice;
    if (!error)
        *can = standin_settings.peers && device != other;
    return fail(error);
}
static hipError_t set_reach(int peer, bool on, hipError_t already) {
    if (!is_device_ordinal(peer) || peer == current || (on && !standin_settings.peers))
        return fail(hipErrorInvalidDevice);
    lock();
    hipError_t error = reaches[current][peer] == on ? already : hipSuccess;
    reaches[current][peer] = on;
    unlock();
    return fail(error);
}
hipError_t impl_hipDeviceEnablePeerAccess(int peer, unsigned flags) {
    if (flags)
        return fail(hipErrorInvalidValue);
    return set_reach(peer, true, hipErrorPeerAccessAlreadyEnabled);
}
hipError_t impl_hipDeviceDisablePeerAccess(int peer) {
    return set_reach(peer, false, hipErrorPeerAccessNotEnabled);
}
hipError_t impl_hipDeviceGetP2PAttribute(int *value, hipDeviceP2PAttr attribute, int device,
                                         int other) {
    if (device == other)
        return fail(hipErrorInvalidDevice);
    hipError_t error = impl_hipDeviceCanAccessPeer(value, device, other);
    if (!error && attribute == hipDevP2PAttrHipArrayAccessSupported)
        *value = 0;
    return error;
}
