// What the programs of this folder share. They name functions by their numbers and variants, so
// that each that is recorded is called, once.
#pragma once
#define EXACT_NAMES
#include "cuda.h"
#include <stdlib.h>

enum { WORDS = 1024, BYTES = 4 * WORDS, WIDTH = 16, PITCH = 64, ROWS = 4 };

// Ends the program with code 3 unless the call succeeded.
#define OK(call) succeeded(call, #call)
void succeeded(CUresult result, const char *call);

// A function in `stream`, and its variant in the thread's own stream, which takes no stream to mean
// that: `on` is the argument. And a function of the default stream, with its variant.
extern CUstream stream, on;
#define IN_BOTH(name, ...)                                                                         \
    (on = stream, OK(name(__VA_ARGS__)), on = NULL, OK(name##_ptsz(__VA_ARGS__)), on = stream)
#define BY_DEFAULT(name, ...) (OK(name(__VA_ARGS__)), OK(name##_ptds(__VA_ARGS__)))

extern CUcontext context; // the primary one of device 0, current
extern CUdeviceptr device, other;
extern uint32_t *host, *back; // pinned
// Kernels fill(unsigned *, unsigned) and pass(const unsigned *, unsigned *), and arguments.
extern CUfunction fill, pass;
extern void *of_fill[2], *of_pass[2];

void begin(void); // makes all of these
