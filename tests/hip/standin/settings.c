// What a program set in the environment (standin.c lists it), and how often each function was
// called.
#include "standin.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEEDED_DELAY_US 1000
#define CUDA_VERSION 13000

// Generated: the functions' names, and how often each was called.
extern const char *const standin_slots[], *const standin_compiler_slots[];
extern uint64_t standin_runtime_counts[], standin_compiler_counts[];

struct settings standin_settings;
int standin_answer = hipErrorNotSupported; // of what is not there

static int number(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text && *text ? atoi(text) : otherwise;
}

__attribute__((constructor)) static void read_settings(void) {
    static const int versions[] = {[5] = 50221153, [6] = 60342134, [7] = 70125424};
    const char *seed = getenv("STANDIN_SEED");
    int devices = number("STANDIN_DEVICES", 1);
    standin_settings = (struct settings){
        .devices = devices < 0             ? 0
                   : devices > MAX_DEVICES ? MAX_DEVICES
                                           : devices,
        .version =
            number("STANDIN_VERSION", standin_is_cuda ? CUDA_VERSION : versions[standin_major]),
        .delay_us = number("STANDIN_DELAY_US", seed ? SEEDED_DELAY_US : 0),
        .seeded = seed,
        .integrated = number("STANDIN_INTEGRATED", 0),
        .peers = number("STANDIN_PEERS", 1),
        .seed = seed ? strtoull(seed, NULL, 10) : 0,
        .other_architecture = getenv("STANDIN_OTHERS"),
    };
    if (number("STANDIN_ACCEPTS", 0))
        standin_answer = hipSuccess;
}

static void write_counts(FILE *file, const char *const *names, uint64_t *counts) {
    for (int i = 0; names[i]; i++) {
        uint64_t calls = __atomic_load_n(&counts[i], __ATOMIC_RELAXED);
        if (calls)
            fprintf(file, "%s %llu\n", names[i], (unsigned long long)calls);
    }
}

__attribute__((destructor)) static void tell_counts(void) {
    const char *path = getenv("STANDIN_COUNTS");
    FILE *file = path && *path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    write_counts(file, standin_slots, standin_runtime_counts);
    write_counts(file, standin_compiler_slots, standin_compiler_counts);
    fclose(file);
}
