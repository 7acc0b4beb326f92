// Times of ops. Where the kernel keeps its own clock by the processor's time stamp counter, ops
// take that, which is a third of the price of asking the kernel; the control page says from time to
// time which tick is which nanosecond, and the parent converts.
#pragma once
#include "process.h"

// Once, before the first op.
void clock_start(void);
// Tells which tick is which nanosecond now.
void clock_tell(void);

// What was told last is never much older than an op written after this: ticks are converted over
// short spans, from a point near them.
enum { CLOCK_STALE = 300000 }; // ticks
static inline void clock_keep(int64_t now) {
    if (process.ticks &&
        now - atomic_load_explicit(&process.control->clock_ticks, memory_order_relaxed) >
            CLOCK_STALE)
        clock_tell();
}

static inline int64_t clock_now(void) {
#ifdef __x86_64__
    if (process.ticks)
        return (int64_t)__builtin_ia32_rdtsc();
#endif
    return now_ns();
}
