// What the programs of this folder share. They name functions by their numbers and variants, so
// that each that is recorded is called, once.
#pragma once
#define EXACT_NAMES
#include "cuda.h"
#include <stdio.h>
#include <stdlib.h>

enum { WORDS = 1024, BYTES = 4 * WORDS, WIDTH = 16, PITCH = 64, ROWS = 4 };

static void succeeded(CUresult result, const char *call) {
    if (result == CUDA_SUCCESS)
        return;
    fprintf(stderr, "%s returned %d\n", call, result);
    exit(3);
}
#define OK(call) succeeded(call, #call)

// A function in `stream`, and its variant in the thread's own stream, which takes no stream to mean
// that: `on` is the argument. And a function of the default stream, with its variant.
static CUstream stream, on;
#define IN_BOTH(name, ...)                                                                         \
    (on = stream, OK(name(__VA_ARGS__)), on = NULL, OK(name##_ptsz(__VA_ARGS__)), on = stream)
#define BY_DEFAULT(name, ...) (OK(name(__VA_ARGS__)), OK(name##_ptds(__VA_ARGS__)))

static CUcontext context; // the primary one of device 0
static CUdeviceptr device, other;
static uint32_t *host, *back;
static uint32_t value = 1;
static CUfunction fill,
    pass; // kernels `fill(unsigned *, unsigned)`, `pass(const unsigned *, unsigned *)`
static void *of_fill[] = {&device, &value}, *of_pass[] = {&device, &other};

static void run_fill(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    for (int i = 0; i < WORDS; i++)
        (*(uint32_t **)arguments[0])[i] = *(uint32_t *)arguments[1];
}
static void run_pass(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    for (int i = 0; i < WORDS; i++)
        (*(uint32_t **)arguments[1])[i] = (*(const uint32_t **)arguments[0])[i];
}

static void begin(void) {
    CUmodule module;
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    OK(cuMemAlloc_v2(&device, BYTES));
    OK(cuMemAlloc_v2(&other, BYTES));
    OK(cuMemHostAlloc((void **)&host, BYTES, 0));
    OK(cuMemHostAlloc((void **)&back, BYTES, 0));
    standin_named_kernel("_Z4fillPjj", run_fill, 2, (size_t[]){8, 4});
    standin_named_kernel("_Z4passPKjPj", run_pass, 2, (size_t[]){8, 8});
    OK(cuModuleLoadData(&module, "any image"));
    OK(cuModuleGetFunction(&fill, module, "_Z4fillPjj"));
    OK(cuModuleGetFunction(&pass, module, "_Z4passPKjPj"));
    on = stream;
}
