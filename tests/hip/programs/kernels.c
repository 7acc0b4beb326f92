// Kernels as hipcc makes them of __global__ functions: a fat binary with the device's code, host
// stubs by which they are launched, and the calls that register both before main. The device's code
// is a code object without code (kernels_code.h, made by build.py); what the kernels do on the
// stand-in runtime are the functions here.
#include "kernels_code.h"
#include "program.h"
#include <time.h>

static const struct {
    uint32_t magic, version;
    const void *binary;
    void *unused;
} wrapper = {0x48495046, 1, code_object, NULL};
static void **modules;

#define ARGUMENT(type, number) (*(type *)arguments[number])

static void run_fill(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    uint32_t *out = ARGUMENT(uint32_t *, 0);
    for (size_t i = 0; i < WORDS; i++)
        out[i] = ARGUMENT(uint32_t, 1);
}
static void run_pass(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    const uint32_t *in = ARGUMENT(const uint32_t *, 0);
    uint32_t *out = ARGUMENT(uint32_t *, 1);
    for (size_t i = 0; i < WORDS; i++)
        out[i] = in[i];
}
static void run_add(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    uint32_t *data = ARGUMENT(uint32_t *, 0);
    for (size_t i = 0; i < WORDS; i++)
        data[i] += ARGUMENT(uint32_t, 1);
}
static void run_clear_pages(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    const uint32_t *pages = ARGUMENT(const uint32_t *, 0);
    uint32_t *memory = ARGUMENT(uint32_t *, 1);
    for (size_t i = 0; i < WORDS; i++)
        memory[pages[i] * WORDS + i] = 0;
}
static void run_busy(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    nanosleep(&(struct timespec){0, (long)ARGUMENT(uint32_t, 0) * 1000}, NULL);
}
static void run_gather(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    const struct parts *parts = arguments[0];
    for (size_t i = 0; i < PARTS; i++)
        if (parts->of[i])
            ARGUMENT(uint32_t *, 1)[i] = *parts->of[i];
}

// A stub's address is what a kernel is known by.
#define STUB(name)                                                                                 \
    static void stub_##name(void) { __asm__ volatile("" ::"r"(__func__)); }
STUB(fill)
STUB(pass)
STUB(add)
STUB(clear_pages)
STUB(busy)
STUB(gather)

static void know(const void *stub, const char *name, standin_body body, int count,
                 const size_t *sizes) {
    __hipRegisterFunction(modules, stub, (char *)name, name, ~0u, NULL, NULL, NULL, NULL, NULL);
    standin_kernel(stub, body, count, sizes);
}
#define KNOW(name, ...)                                                                            \
    know((const void *)stub_##name, #name, run_##name,                                             \
         (int)(sizeof((size_t[]){__VA_ARGS__}) / sizeof(size_t)), (size_t[]){__VA_ARGS__})

__attribute__((constructor)) static void register_kernels(void) {
    modules = __hipRegisterFatBinary(&wrapper);
    KNOW(fill, sizeof(void *), sizeof(uint32_t));
    KNOW(pass, sizeof(void *), sizeof(void *));
    KNOW(add, sizeof(void *), sizeof(uint32_t));
    KNOW(clear_pages, sizeof(void *), sizeof(void *));
    KNOW(busy, sizeof(uint32_t));
    KNOW(gather, sizeof(struct parts), sizeof(void *));
}
__attribute__((destructor)) static void unregister_kernels(void) {
    __hipUnregisterFatBinary(modules);
}

#define LAUNCH(name, stream, ...)                                                                  \
    OK(hipLaunchKernel((const void *)stub_##name, (dim3){WORDS / 64, 1, 1}, (dim3){64, 1, 1},      \
                       (void *[]){__VA_ARGS__}, 0, stream))

void fill(hipStream_t stream, uint32_t *out, uint32_t value) { LAUNCH(fill, stream, &out, &value); }
void pass(hipStream_t stream, const uint32_t *in, uint32_t *out) {
    LAUNCH(pass, stream, &in, &out);
}
void add(hipStream_t stream, uint32_t *data, uint32_t value) { LAUNCH(add, stream, &data, &value); }
void clear_pages(hipStream_t stream, const uint32_t *pages, uint32_t *memory) {
    LAUNCH(clear_pages, stream, &pages, &memory);
}
void busy(hipStream_t stream, uint32_t us) { LAUNCH(busy, stream, &us); }
void gather(hipStream_t stream, const struct parts *parts, uint32_t *out) {
    LAUNCH(gather, stream, (void *)parts, &out);
}
