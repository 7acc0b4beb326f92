/* Stands in for libcuda.so.1: two devices, which the program sees in the other order than NVML
 * does, or the one of FAKE_CUDA. The numbers of attributes are those of cuda.h, as device_cuda.py
 * has them too: that they are right, a real driver shows (tests/gpu/facts.py), not this. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count(void) {
    const char *kind = getenv("FAKE_CUDA");
    return kind && !strcmp(kind, "none") ? 0 : kind && !strcmp(kind, "one") ? 1 : 2;
}

int cuInit(unsigned flags) {
    const char *kind = getenv("FAKE_CUDA");
    (void)flags;
    return kind && !strcmp(kind, "broken") ? 999 : count() ? 0 : 100;
}

int cuDriverGetVersion(int *version) {
    *version = 12080;
    return 0;
}

int cuDeviceGetCount(int *n) {
    *n = count();
    return 0;
}

int cuDeviceGet(int *device, int ordinal) {
    *device = 1 - ordinal;
    return 0;
}

int cuDeviceGetName(char *name, int size, int device) {
    snprintf(name, (size_t)size, "FAKE by CUDA %d", device);
    return 0;
}

int cuDeviceGetPCIBusId(char *bus, int size, int device) {
    snprintf(bus, (size_t)size, "0000:%02X:00.0", 0x1a + device);
    return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
    *bytes = (size_t)(1000 + device);
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
    switch (attribute) {
    case 18:
        *value = 0;
        return 0;
    case 88:
        *value = device;
        return 0;
    case 75:
        *value = 9;
        return 0;
    case 76:
        *value = 0;
        return 0;
    default:
        return 1;
    }
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device) {
    for (int i = 0; i < 16; i++)
        uuid[i] = (unsigned char)(16 * device + i);
    return 0;
}
