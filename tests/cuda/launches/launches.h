// What the programs of this folder share: two streams, memory, and kernels that take the same
// pointers at different places of their parameters.
#pragma once
#include "cuda.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 1024, BYTES = 4 * WORDS };

#define OK(call)                                                                                   \
    do {                                                                                           \
        CUresult result_ = (call);                                                                 \
        if (result_) {                                                                             \
            fprintf(stderr, "%s returned %d\n", #call, result_);                                   \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

static CUstream first, second;
static CUdeviceptr x, y;
static CUfunction fill, pass, last;
static uint32_t seven = 7;
static void *of_fill[] = {&x, &seven}, *of_pass[] = {&x, &y};

// fill(unsigned *to, unsigned value)
static void run_fill(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    for (int i = 0; i < WORDS; i++)
        (*(uint32_t **)arguments[0])[i] = *(uint32_t *)arguments[1];
}
// pass(const unsigned *from, unsigned *to)
static void run_pass(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    memcpy(*(void **)arguments[1], *(void **)arguments[0], BYTES);
}

// last(int number, both, void *)
static void run_last(void **arguments, dim3 grid, dim3 block) {
    (void)arguments, (void)grid, (void)block;
}

static void begin(void) {
    CUcontext context;
    CUmodule module;
    alarm(20); // nothing here takes so long
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&first, CU_STREAM_NON_BLOCKING));
    OK(cuStreamCreate(&second, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc(&x, BYTES));
    OK(cuMemAlloc(&y, BYTES));
    standin_named_kernel("_Z4fillPjj", run_fill, 2, (size_t[]){8, 4});
    standin_named_kernel("_Z4passPKjPj", run_pass, 2, (size_t[]){8, 8});
    standin_named_kernel("_Z4lasti4bothPv", run_last, 3, (size_t[]){4, 24, 8});
    OK(cuModuleLoadData(&module, "any image"));
    OK(cuModuleGetFunction(&fill, module, "_Z4fillPjj"));
    OK(cuModuleGetFunction(&pass, module, "_Z4passPKjPj"));
    OK(cuModuleGetFunction(&last, module, "_Z4lasti4bothPv"));
}
