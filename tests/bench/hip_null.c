// A HIP runtime whose calls do nothing and return at once: what is left is what recording adds.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#define API __attribute__((visibility("default"), noinline))

API int hipMalloc(void **to, size_t size) { return !(*to = aligned_alloc(256, size)); }
API int hipHostMalloc(void **to, size_t size, unsigned flags) {
    (void)flags;
    return !(*to = aligned_alloc(4096, size));
}
API int hipStreamCreateWithFlags(void **stream, unsigned flags) {
    (void)flags;
    return !(*stream = malloc(64));
}
API int hipEventCreateWithFlags(void **event, unsigned flags) {
    (void)flags;
    return !(*event = malloc(64));
}
API int hipMemcpyAsync(void *to, const void *from, size_t size, int kind, void *stream) {
    __asm__ volatile("" ::"r"(to), "r"(from), "r"(size), "r"(kind), "r"(stream));
    return 0;
}
struct dim3 {
    uint32_t x, y, z;
};
API int hipLaunchKernel(const void *stub, struct dim3 grid, struct dim3 block, void **arguments,
                        size_t shared, void *stream) {
    (void)grid, (void)block, (void)shared;
    __asm__ volatile("" ::"r"(stub), "r"(arguments), "r"(stream));
    return 0;
}
API int hipEventRecord(void *event, void *stream) {
    __asm__ volatile("" ::"r"(event), "r"(stream));
    return 0;
}
API int hipStreamWaitEvent(void *stream, void *event, unsigned flags) {
    (void)flags;
    __asm__ volatile("" ::"r"(event), "r"(stream));
    return 0;
}
API int hipStreamSynchronize(void *stream) {
    __asm__ volatile("" ::"r"(stream));
    return 0;
}
API int hipGetDevice(int *device) { return *device = 0; }
API int hipSetDevice(int device) { return device; }
API int hipRuntimeGetVersion(int *version) {
    *version = 70000000;
    return 0;
}
API void **__hipRegisterFatBinary(const void *data) {
    static void *handle;
    (void)data;
    return &handle;
}
API void __hipRegisterFunction(void **modules, const void *stub, char *function, const char *name,
                               unsigned limit, void *tid, void *bid, void *block, void *grid,
                               int *size) {
    (void)modules, (void)stub, (void)function, (void)name, (void)limit, (void)tid, (void)bid;
    (void)block, (void)grid, (void)size;
}
API void __hipUnregisterFatBinary(void **modules) { (void)modules; }
