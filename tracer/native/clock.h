// Times of ops. Where the kernel keeps its own clock by the processor's time stamp counter, ops
// take that, which is a third of the price of asking the kernel; the control page says from time to
// time which tick is which nanosecond, and the parent converts.
#pragma once
#include "process.h"

// Once, before the first op.
void clock_start(void);
// Tells which tick is which nanosecond now.
void clock_tell(void);

static inline int64_t clock_now(void) {
#ifdef __x86_64__
    if (process.ticks)
        return (int64_t)__builtin_ia32_rdtsc();
#endif
    return now_ns();
}
