// Whole pages of the program's memory, and what the kernel says of them.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct pages {
    uintptr_t lo, hi;
};

// All pages that hold some of these bytes, and those that hold nothing else: none if hi <= lo.
struct pages pages_around(uintptr_t lo, uintptr_t hi);
struct pages pages_within(uintptr_t lo, uintptr_t hi);

// Whether they are readable and writable memory of one mapping, and not a
// stack, as far as that can be told. Reads /proc/self/maps: not for the hot path.
bool pages_are_plain(struct pages pages);
