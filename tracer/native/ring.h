// A thread's ring. A full ring never blocks: the record is dropped, counted, and told by a gap
// record.
#pragma once
#include "record.h"
#include <stdbool.h>
#include <stddef.h>

#define CACHE_LINE 64
#define RING_AHEAD 512 // how far ahead of the head its memory is asked for: some ops

struct ring *ring_create(uint32_t actor);
void ring_close(struct ring *ring);
// The memory of a ring that an earlier life of this image wrote.
void ring_forget(struct ring *ring);

static inline char *ring_data(struct ring *ring) { return (char *)ring + RECORD_PAGE; }

// Where the record must go to the start of the ring, where a gap is to be told, where it is full.
void *ring_reserve_slowly(struct ring *ring, uint16_t type, uint16_t count, size_t size,
                          uint64_t ticket);

// Space for one record of `size` bytes (rounded up to 8), its head filled in; null: dropped.
// The record becomes visible at ring_commit. `ticket` says where a loss begins.
static inline void *ring_reserve(struct ring *ring, uint16_t type, uint16_t count, size_t size,
                                 uint64_t ticket) {
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    size = (size + 7) & ~(size_t)7;
    if (size > ring->size - ring->at || head + size - tail > ring->size ||
        atomic_load_explicit(&ring->dropped, memory_order_relaxed) !=
            atomic_load_explicit(&ring->reported, memory_order_relaxed))
        return ring_reserve_slowly(ring, type, count, size, ticket);
    struct record_head *record = (struct record_head *)(ring_data(ring) + ring->at);
    *record = (struct record_head){.size = (uint32_t)size, .type = type, .count = count};
    return record;
}

// What comes next was read by the parent a round ago, on another core: stores to it would be waited
// for by the next op's ticket. A prefetch is no access, wherever it lies.
static inline void ring_commit(struct ring *ring, const void *record) {
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    uint64_t size = ((const struct record_head *)record)->size, at = ring->at + size;
    ring->at = at == ring->size ? 0 : at;
    atomic_store_explicit(&ring->head, head + size, memory_order_release);
    for (size_t line = 0; line < sizeof(struct record_op); line += CACHE_LINE)
        __builtin_prefetch(ring_data(ring) + ring->at + RING_AHEAD + line, 1);
}

// A record whose tail is a string.
bool ring_put_named(struct ring *ring, uint16_t type, const void *fixed, size_t fixed_size,
                    const char *name);
