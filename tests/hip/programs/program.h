// What the small HIP programs of this folder share. Each file is a program: its cases by name, each
// as a race and with the order that it lacks.
//
//     h2d CASE race|fixed
//
// prints what its results hold, so that who knows the numbers of the fixed one sees whether the
// race spoiled any. Kernels are launched as hipcc's code launches them; their bodies run on the
// CPU, and their arguments are told by a code object (kernels.c).
#pragma once
#include "hip.h"
#include "synctrace.h"
#include <stdbool.h>
#include <stdint.h>

enum { WORDS = 1024, BYTES = 4 * WORDS };

struct scenario {
    const char *name;
    void (*run)(bool fixed);
};
extern const struct scenario scenarios[]; // the last one has no name

// Ends the program with code 3 unless the call succeeded.
#define OK(call) succeeded(call, #call)
void succeeded(hipError_t error, const char *call);

hipStream_t new_stream(void); // of the flag hipStreamNonBlocking
hipStream_t blocking_stream(void);
hipEvent_t new_event(void);
uint32_t *device_words(size_t words);
uint32_t *pinned_words(size_t words);
void set_words(uint32_t *host, uint32_t value); // WORDS of them

void upload(hipStream_t stream, uint32_t *device, const uint32_t *host);   // WORDS of them,
void download(hipStream_t stream, uint32_t *host, const uint32_t *device); // asynchronously
void record(hipEvent_t event, hipStream_t stream);
void wait_for(hipStream_t stream, hipEvent_t event); // the stream waits
void host_waits(hipEvent_t event);
void drain(hipStream_t stream); // the host waits

// Kernels over WORDS words: their metadata says which arguments they read and write.
void fill(hipStream_t stream, uint32_t *out, uint32_t value);
void pass(hipStream_t stream, const uint32_t *in, uint32_t *out);
void add(hipStream_t stream, uint32_t *data, uint32_t value);
void clear_pages(hipStream_t stream, const uint32_t *pages, uint32_t *memory); // the first WORDS
void busy(hipStream_t stream, uint32_t us);                                    // touches nothing
// One word of each, null ones left out; the struct is passed by value.
enum { PARTS = 80 };
struct parts {
    const uint32_t *of[PARTS];
};
void gather(hipStream_t stream, const struct parts *parts, uint32_t *out);

// What is in the memory: `NAME: VALUE xCOUNT ...`.
void print_words(const char *name, const uint32_t *words, size_t count);
// The same of device memory, behind what the stream was given.
void print_device(const char *name, hipStream_t stream, const uint32_t *device, size_t count);
