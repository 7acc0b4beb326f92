// Steps of a program on a HIP runtime that does nothing: hip_step STEPS SETS CHANGES COLD. A step
// launches each of 100 kernels once, with four pointers out of 300 tensors in eight allocations.
// SETS: it takes turns with so many sets of tensors. CHANGES: before every so many-th launch an
// allocator hands out a block of another size at its first pointer (0: none is ever told). COLD: a
// MB of other memory is written before each launch. Prints the median ns of a launch.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct dim3 {
    uint32_t x, y, z;
};
int hipMalloc(void **, size_t);
int hipStreamCreateWithFlags(void **, unsigned);
int hipLaunchKernel(const void *, struct dim3, struct dim3, void **, size_t, void *);
void **__hipRegisterFatBinary(const void *);
void __hipRegisterFunction(void **, const void *, char *, const char *, unsigned, void *, void *,
                           void *, void *, int *);
__attribute__((weak)) void synctrace_recorded_block(const void *data, size_t bytes);

enum { KERNELS = 100, POINTERS = 4, SEGMENTS = 8, TENSORS = 300, TENSOR = 1 << 16, MOST = 1000 };
extern const char code_object[]; // of kernels k0 to k99: hip_price.py
static char stubs[KERNELS], names[KERNELS][8], other[1 << 20];
static char *segments[SEGMENTS];
static double sample[MOST];

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void register_kernels(void) {
    static struct {
        uint32_t magic, version;
        const void *image;
        void *rest;
    } wrapper = {0x48495046, 1, code_object, NULL};
    void **code = __hipRegisterFatBinary(&wrapper);
    for (int k = 0; k < KERNELS; k++) {
        snprintf(names[k], sizeof names[k], "k%d", k);
        __hipRegisterFunction(code, &stubs[k], NULL, names[k], 0, NULL, NULL, NULL, NULL, NULL);
    }
}

static char *tensor(unsigned number) {
    return segments[number % SEGMENTS] + (size_t)(number / SEGMENTS) * TENSOR;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int count, char **word) {
    if (count < 5)
        return 2;
    int steps = atoi(word[1]), sets = atoi(word[2]), changes = atoi(word[3]), cold = atoi(word[4]);
    void *stream;
    register_kernels();
    for (int i = 0; i < SEGMENTS; i++)
        hipMalloc((void **)&segments[i], (size_t)sets * (TENSORS / SEGMENTS + 2) * TENSOR);
    hipStreamCreateWithFlags(&stream, 1);
    for (int step = 0; step < steps && step < MOST; step++) {
        unsigned random = 12345; // the same in each step
        long long spent = 0;
        for (int k = 0; k < KERNELS; k++) {
            void *pointers[POINTERS], *arguments[POINTERS];
            for (int i = 0; i < POINTERS; i++) {
                random = random * 1664525 + 1013904223;
                pointers[i] = tensor((random >> 8) % TENSORS + (unsigned)(step % sets * TENSORS));
                arguments[i] = &pointers[i];
            }
            if (changes && k % changes == 0 && synctrace_recorded_block)
                synctrace_recorded_block(pointers[0], 512 * (1 + (size_t)(k + step) % 7));
            for (size_t i = 0; cold && i < sizeof other; i += 64)
                other[i]++;
            struct dim3 one = {1, 1, 1};
            long long start = now();
            hipLaunchKernel(&stubs[k], one, one, arguments, 0, stream);
            spent += now() - start;
        }
        sample[step] = (double)spent / KERNELS;
        for (long long end = now() + 1000000; now() < end;)
            ; // so that the recorder's parent can keep up
    }
    qsort(sample, (size_t)steps, sizeof(double), ascending);
    printf("launch=%.1f\n", sample[steps / 2]);
    return 0;
}
