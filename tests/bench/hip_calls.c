// Calls of a HIP runtime that does nothing: hip_calls ROUNDS [BYTES]. Prints the median ns of each
// call, one a line; with BYTES those of a copy of so many to the device. Between bursts it spins,
// so that the recorder's parent can keep up.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct dim3 {
    uint32_t x, y, z;
};
int hipMalloc(void **, size_t);
int hipHostMalloc(void **, size_t, unsigned);
int hipStreamCreateWithFlags(void **, unsigned);
int hipEventCreateWithFlags(void **, unsigned);
int hipMemcpyAsync(void *, const void *, size_t, int, void *);
int hipEventRecord(void *, void *);
int hipStreamWaitEvent(void *, void *, unsigned);
int hipStreamSynchronize(void *);
int hipLaunchKernel(const void *, struct dim3, struct dim3, void **, size_t, void *);
void **__hipRegisterFatBinary(const void *);
void __hipRegisterFunction(void **, const void *, char *, const char *, unsigned, void *, void *,
                           void *, void *, int *);

enum { CALLS = 6, TO_DEVICE = 3, BURST = 1000, MOST = 1000 };
static size_t bytes = 64; // small, as a token's inputs are
static const char *const names[CALLS] = {"event record", "event wait", "copy on the device",
                                         "copy to it",   "kernel",     "stream sync"};
static void *stream, *event, *to, *from, *host;
static double sample[CALLS][MOST];

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static void pause_for(long long ns) {
    for (long long end = now() + ns; now() < end;)
        ;
}

// Its layout comes from the code object that hip_price.py writes: three pointers.
extern const char code_object[];
static void kernel(void) {}

static void call(int which) {
    void *arguments[] = {&to, &from, &to};
    struct dim3 one = {1, 1, 1};
    switch (which) {
    case 0:
        hipEventRecord(event, stream);
        return;
    case 1:
        hipStreamWaitEvent(stream, event, 0);
        return;
    case 2:
        hipMemcpyAsync(to, from, 4096, 3, stream);
        return;
    case TO_DEVICE:
        hipMemcpyAsync(to, host, bytes, 1, stream);
        return;
    case 4:
        hipLaunchKernel((const void *)kernel, one, one, arguments, 0, stream);
        return;
    default:
        hipStreamSynchronize(stream);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

int main(int count, char **word) {
    int rounds = count > 1 ? atoi(word[1]) : 100;
    bytes = count > 2 ? strtoul(word[2], NULL, 10) : bytes;
    struct {
        uint32_t magic, version;
        const void *image;
        void *rest;
    } wrapper = {0x48495046, 1, code_object, NULL};
    void **code = __hipRegisterFatBinary(&wrapper);
    __hipRegisterFunction(code, (const void *)kernel, NULL, "kernel", 0, NULL, NULL, NULL, NULL,
                          NULL);
    hipMalloc(&to, 1 << 20);
    hipMalloc(&from, 1 << 20);
    hipHostMalloc(&host, 1 << 20, 0);
    hipStreamCreateWithFlags(&stream, 1);
    hipEventCreateWithFlags(&event, 2);
    for (int round = 0; round < rounds && round < MOST; round++)
        for (int which = 0; which < CALLS; which++) {
            if (count > 2 && which != TO_DEVICE)
                continue;
            long long start = now();
            for (int i = 0; i < BURST; i++) {
                call(which);
                if (which == TO_DEVICE && i % 16 == 15)
                    hipStreamSynchronize(stream); // of what is pending there are few
            }
            sample[which][round] = (double)(now() - start) / BURST;
            pause_for(2000000);
        }
    for (int which = 0; which < CALLS; which++) {
        if (count > 2 && which != TO_DEVICE)
            continue;
        qsort(sample[which], (size_t)rounds, sizeof(double), ascending);
        printf("%s=%.1f\n", names[which], sample[which][rounds / 2]);
    }
    return 0;
}
