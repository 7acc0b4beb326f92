// What stands for PyTorch's libc10.so: the function by which its allocators tell the profiler.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct device {
    int8_t kind, index;
};

void tells(void *block, int64_t bytes, size_t allocated, size_t reserved,
           struct device device) __asm__("_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE");

void tells(void *block, int64_t bytes, size_t allocated, size_t reserved, struct device device) {
    printf("%d %lld %zu %zu %d %d\n", block != NULL, (long long)bytes, allocated, reserved,
           device.kind, device.index);
}
