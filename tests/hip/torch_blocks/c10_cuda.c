// What stands for PyTorch's libc10_cuda.so: an allocator that tells.
#include <stddef.h>
#include <stdint.h>

struct device {
    int8_t kind, index;
};

void tells(void *block, int64_t bytes, size_t allocated, size_t reserved,
           struct device device) __asm__("_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE");

void *hand_out(void *block, size_t bytes, int kind) {
    tells(block, (int64_t)bytes, 11, 22, (struct device){(int8_t)kind, 3});
    return block;
}

void take_back(void *block, size_t bytes) {
    tells(block, -(int64_t)bytes, 11, 22, (struct device){1, 3});
}
