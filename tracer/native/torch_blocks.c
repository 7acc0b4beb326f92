// Blocks of PyTorch's caching allocator. Each time it hands one out or takes one back it tells
// PyTorch's profiler, whether one is on or not: by a function of another library, which is this one
// first and then PyTorch's own.
// Source: c10/core/Allocator.h, c10/core/Device.h of PyTorch 2 (BSD-3-Clause).
#include "api_parts.h"
#include "kinds.h"
#include "loaded.h"
#include "process.h"
#include <stdatomic.h>
#include <stdint.h>

#define TELLS "_ZN3c1027reportMemoryUsageToProfilerEPvlmmNS_6DeviceE"
enum { DEVICE_CUDA = 1 }; // HIP's are called so, too
struct device {
    int8_t kind, index;
};
typedef void (*tells)(void *block, int64_t bytes, size_t allocated, size_t reserved,
                      struct device device);

__attribute__((visibility("default"))) void torch_tells(void *block, int64_t bytes,
                                                        size_t allocated, size_t reserved,
                                                        struct device device) __asm__(TELLS);

// Below 0 bytes: they are given back, and are the next one's when it is told.
void torch_tells(void *block, int64_t bytes, size_t allocated, size_t reserved,
                 struct device device) {
    static _Atomic(void *) known;
    void *real = atomic_load_explicit(&known, memory_order_acquire);
    if (!real) {
        real = loaded_function(TELLS);
        atomic_store_explicit(&known, real, memory_order_release);
    }
    if (real)
        ((tells)real)(block, bytes, allocated, reserved, device);
    if (bytes > 0 && device.kind == DEVICE_CUDA && process_wanted() && !process.without[LEVEL_API])
        part_put((uintptr_t)block, (uint64_t)bytes);
}
