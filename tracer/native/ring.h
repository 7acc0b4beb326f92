// A thread's ring. A full ring never blocks: the record is dropped, counted, and told by a gap
// record.
#pragma once
#include "record.h"
#include <stdbool.h>
#include <stddef.h>

struct ring *ring_create(uint32_t actor);
void ring_close(struct ring *ring);

// Space for one record of `size` bytes (rounded up to 8), its head filled in; null: dropped.
// The record becomes visible at ring_commit. `ticket` says where a loss begins.
void *ring_reserve(struct ring *ring, uint16_t type, uint16_t count, size_t size, uint64_t ticket);
void ring_commit(struct ring *ring, const void *record);

// A record whose tail is a string.
bool ring_put_named(struct ring *ring, uint16_t type, const void *fixed, size_t fixed_size,
                    const char *name);
