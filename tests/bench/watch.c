// What watching host memory costs, in ns; each line of the output is one figure.
//   watch digest SIZE      memcpy, digest in place, digest by way of the kernel, of SIZE bytes
//   watch free             a malloc and free of 64 bytes
//   watch free far|near    the same with memory in flight elsewhere, or around it (recorded only)
//   watch copy SIZE        a copy of SIZE bytes on the stand-in ggml and the wait for it
#include "digest.h"
#include "fake.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { ROUNDS = 40, COPY = 64 << 10 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Of rounds of so many calls the one that was least disturbed.
static double measure(void (*call)(void), long calls) {
    double least = 0;
    for (int i = 0; i < ROUNDS; i++) {
        double begun = now();
        for (long n = 0; n < calls; n++)
            call();
        double taken = (now() - begun) / (double)calls;
        least = i == 0 || taken < least ? taken : least;
    }
    return least;
}

static char *from, *to, copy[COPY];
static size_t size;
static volatile uint64_t sink;

static char *memory(size_t bytes) {
    char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
                    -1, 0);
    for (size_t i = 0; i < bytes; i += 8)
        memcpy(at + i, &(uint64_t){i * 0x9e3779b97f4a7c15ull}, 8);
    return at;
}

static void by_memcpy(void) {
    memcpy(to, from, size);
    __asm__ volatile("" ::: "memory");
}
// Of what is larger than DIGEST_WHOLE, in parts: here it is the speed that is asked for.
static size_t part_at(size_t at) { return size - at < DIGEST_WHOLE ? size - at : DIGEST_WHOLE; }
static void by_digest(void) {
    for (size_t at = 0; at < size; at += part_at(at))
        sink = digest_of_bytes(from + at, part_at(at));
}
static void by_kernel(void) {
    uint64_t digest;
    for (size_t at = 0; at < size; at += part_at(at))
        if (digest_of_foreign(from + at, part_at(at), copy, COPY, &digest))
            sink = digest;
}

static void by_free(void) {
    void *block = malloc(64);
    __asm__ volatile("" ::"r"(block) : "memory");
    free(block);
}

static backend_t device;
static tensor_t far;

static void start(size_t bytes) {
    device = ggml_backend_dev_init((void *)1, NULL);
    far.buffer = ggml_backend_buft_alloc_buffer((void *)1, bytes);
    far.data = ggml_backend_buffer_get_base(far.buffer);
    far.ne[0] = (int64_t)bytes;
}

static void by_copy(void) {
    ggml_backend_tensor_set_async(device, &far, from, 0, size);
    ggml_backend_synchronize(device);
}

static void frees(const char *where) {
    start(4096);
    char *above = memory(4096), *below = malloc(64); // the heap lies below what is mapped
    if (strcmp(where, "near") == 0)
        ggml_backend_tensor_set_async(device, &far, above, 0, 4096);
    else if (strcmp(where, "far") == 0)
        ggml_backend_tensor_set_async(device, &far, below, 0, 64);
    printf("%.2f\n", measure(by_free, 500000));
}

int main(int argc, char **argv) {
    if (argc >= 2 && strcmp(argv[1], "free") == 0) {
        frees(argc == 3 ? argv[2] : "");
        return 0;
    }
    size = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    if (size == 0)
        return 2;
    from = memory(size);
    to = memory(size);
    long calls = (long)((8u << 20) / size) + 1;
    if (strcmp(argv[1], "digest") == 0) {
        printf("%.1f\n%.1f\n", measure(by_memcpy, calls), measure(by_digest, calls));
        printf("%.1f\n", measure(by_kernel, calls));
    } else {
        start(size);
        printf("%.1f\n", measure(by_copy, calls < 2000 ? calls : 2000));
    }
    return 0;
}
