// Blocks that an allocator of the program has handed out of memory that a GPU's runtime gave it.
// What a kernel's pointer may touch ends with its block.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// A block was handed out. Where others lay, they were given back.
void part_put(uint64_t base, uint64_t size);
// The memory is new: what was known of blocks there is over. Under the lock of handles.
void parts_forget(uint64_t base, uint64_t size);
struct api_part {
    uint64_t lo, hi; // addresses; both 0: none is known there
};
// The block around the address.
struct api_part part_around(uint64_t address);
