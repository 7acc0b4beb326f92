// The rules that the stand-in keeps, as cases: each is a function that returns or dies saying why.
//
// Nothing here goes by time. What must wait is held by a closed gate, a kernel that runs until the
// host opens it: whatever is ordered behind it cannot happen meanwhile, whatever is not does happen
// (a case that waits for what never comes is ended by an alarm). A case of the first sort looks for
// a little while whether something wrong happens; with a right runtime it passes at any speed.
#pragma once
#include "hip.h"
#include <stdbool.h>
#include <stddef.h>

struct rule {
    const char *name;
    void (*run)(void);
};
#define RULE(name)                                                                                 \
    { #name, name }
extern const struct rule stream_rules[], event_rules[], copy_rules[], fill_rules[], memory_rules[],
    kernel_rules[], capture_rules[], graph_rules[], pool_rules[];

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            die(__FILE__, __LINE__, #condition, 0);                                                \
    } while (0)
#define OK(call) IS(call, hipSuccess)
#define IS(call, expected)                                                                         \
    do {                                                                                           \
        hipError_t error_ = (call);                                                                \
        if (error_ != (expected))                                                                  \
            die(__FILE__, __LINE__, #call, error_);                                                \
    } while (0)
_Noreturn void die(const char *file, int line, const char *what, int error);

// Gates 0 to 7 are closed at first. A kernel that is held by one ends when it is opened.
void hold(hipStream_t stream, int gate);
void open_gate(int gate);
void pass_gate(int gate); // on any thread
// A kernel that raises a flag of its own when it runs, and what has become of the flag.
int raise_in(hipStream_t stream);
bool is_held(int flag); // not raised, also after a while
void runs(int flag);    // waits for it
// A kernel that only raises a flag, to be put elsewhere than into a stream.
hipKernelNodeParams raising(int *flag);
hipKernelNodeParams holding(int gate);
// Whether a byte stays what it is for a while; waits until it is something else.
bool stays(const volatile char *byte, char value);
void becomes(const volatile char *byte, char value);

// The call returns while gate 0 is closed / does not, and does once that is open.
typedef void (*call)(void *);
void must_block(call call, void *data);
void in_thread(call call, void *data); // and waits for its end

hipStream_t blocking(void);
hipStream_t non_blocking(void);
char *device_bytes(size_t size, char value);
char *pinned_bytes(size_t size, char value);
