// Addresses of entries of the table of pending memory (pending_table.h), by number: what must be
// asked without holding them, by every free and by a signal handler.
#pragma once
#include "pending_table.h"
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct spans {
    _Atomic uintptr_t end;   // nothing lies at or behind this address; 0: there is nothing
    _Atomic uintptr_t start; // or before this one
    _Atomic int count;
    _Atomic uintptr_t lo[PENDING_SOURCES], hi[PENDING_SOURCES]; // hi 0: none
};
#define NO_SPANS                                                                                   \
    { .start = UINTPTR_MAX }

extern struct spans in_flight; // what the program could free by itself
bool frees_are_seen(void);     // host_free.c: its calls come here

// For most addresses one of the two is the whole answer, at the price of one load.
static inline bool spans_end_behind(struct spans *spans, uintptr_t address) {
    return address < atomic_load_explicit(&spans->end, memory_order_relaxed);
}

static inline bool spans_start_before(struct spans *spans, uintptr_t address) {
    return address > atomic_load_explicit(&spans->start, memory_order_relaxed);
}

static inline bool span_meets(struct spans *spans, unsigned n, uintptr_t lo, uintptr_t hi) {
    return lo < atomic_load_explicit(&spans->hi[n], memory_order_relaxed) &&
           hi > atomic_load_explicit(&spans->lo[n], memory_order_relaxed);
}

void span_set(struct spans *spans, unsigned n, uintptr_t lo, uintptr_t hi);
void span_clear(struct spans *spans, unsigned n);
bool spans_meet(struct spans *spans, uintptr_t lo, uintptr_t hi);
// The next part of [*lo, ...) up to `end` that no other span than the n-th covers; false: none.
bool spans_leave_open(struct spans *spans, unsigned n, uintptr_t *lo, uintptr_t *hi, uintptr_t end);
