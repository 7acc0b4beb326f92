// What the kernel says of memory. Reads /proc/self/maps: not for the hot path.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pages {
    uintptr_t lo, hi;
};
// All pages that hold some of these bytes, and those that hold nothing else: none if hi <= lo.
struct pages pages_around(uintptr_t lo, uintptr_t hi);
struct pages pages_within(uintptr_t lo, uintptr_t hi);

struct mapping {
    uintptr_t lo, hi;
    int protection;   // as of mprotect
    bool guard_below; // the memory just below it cannot be touched: perhaps it is a stack
};

// The mapping that an address lies in; false: none.
bool mapping_of(uintptr_t address, struct mapping *mapping);
// Whether memory can be written: an interface may lie in constant memory.
bool is_writable(const void *start, size_t bytes);
