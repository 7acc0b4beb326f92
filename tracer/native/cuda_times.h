// Device times of CUDA's calls, by CUPTI's activity records (`record --device-times`).
//
//     program's thread          CUPTI                                 parent
//     push op  ─┐
//     cuLaunch… ├─▶ correlation 7 is of op 41   ─┐ buffer ─▶ ring-0 ─▶ op 41: t_s, t_e
//     pop      ─┘   correlation 7: start, end   ─┘
//
// No callback is subscribed to: that alone makes graph launches dearer. The program's own profiler
// comes first: once it asks CUPTI for anything, no further times are taken.
#pragma once
#include <stdbool.h>
#include <stdint.h>

enum device_times {
    DEVICE_TIMES_NONE = 0,       // not asked for, or the program has not initialised CUDA
    DEVICE_TIMES_TAKEN = 1,      // they are taken
    DEVICE_TIMES_NO_LIBRARY = 2, // there is no CUPTI
    DEVICE_TIMES_OLD = 3,        // it is older than the program's CUDA
    DEVICE_TIMES_NEW = 4,        // it is newer than is known here
    DEVICE_TIMES_INJECTED = 5,   // a tool is loaded into the program by CUDA
    DEVICE_TIMES_OCCUPIED = 6,   // another profiler has CUPTI
    DEVICE_TIMES_REFUSED = 7,    // CUPTI says no
    DEVICE_TIMES_GIVEN_UP = 8,   // the program's own profiler came
};

// The program has initialised CUDA: from now on, if they are wanted.
void cuda_times_begin(int rc);
// It has asked for functions of this version.
void cuda_times_asked(int version);
// A recording of this process has begun: how it stands.
void cuda_times_tell(void);
// It has made an executable graph.
void cuda_times_graph_made(void);
// The program itself uses CUPTI.
void cuda_times_give_up(void);
