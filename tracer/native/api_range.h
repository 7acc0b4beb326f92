// Bytes named by an address and a size, as numbers of ranges that were told.
#pragma once
#include "api_thread.h"

// What is known of the bytes: packed, so that it is compared as one word.
#define API_HOW(mode, extent, origin)                                                              \
    (1u << 24 | (uint32_t)(mode) << 16 | (uint32_t)(extent) << 8 | (uint32_t)(origin))
#define API_READS API_HOW(MODE_READ, EXTENT_EXACT, ORIGIN_ARGUMENT)
#define API_WRITES API_HOW(MODE_WRITE, EXTENT_EXACT, ORIGIN_ARGUMENT)

// Rows of equal width; height 0 or 1: one row.
struct api_rows {
    uint64_t pitch, width, height;
};

// As memory_at, which is asked once while no memory comes or goes.
struct memory *api_memory_at(struct thread *thread, uint64_t address);
// As memory_named.
static inline struct memory *api_memory_named(struct thread *thread, const void *address) {
    return memory_if_named(api_memory_at(thread, (uintptr_t)address));
}

// The range of these bytes. EXTENT_BASE_ONLY: its first byte is sure, the rest of the allocation
// possible; EXTENT_UPPER_BOUND with size 0: all of the allocation is possible.
void api_make_range(struct thread *thread, struct range *range, struct memory *memory,
                    uint64_t address, uint64_t size, uint32_t how);
// Its number, told in this thread's ring; 0: it could not be told. `memory`: what the address lies
// in, as memory_at says.
uint32_t api_range(struct thread *thread, struct memory *memory, uint64_t address, uint64_t size,
                   uint32_t how);
uint32_t api_range_of_rows(struct thread *thread, struct memory *memory, uint64_t address,
                           struct api_rows rows, uint32_t how);
// Memory that nobody knows.
uint32_t api_range_unknown(struct thread *thread);
