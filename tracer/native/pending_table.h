// The table of host memory in use, for pending.c and the ways to watch it. An entry is worked on by
// the one thread that holds it.
#pragma once
#include "pages.h"
#include "pending.h"

#define PENDING_SOURCES 256 // of the process; the oldest makes room
#define PENDING_COVERS 4

// It is done when this actor has done what it was given up to then.
struct pending_cover {
    uint32_t actor;
    uint64_t at;
};

struct pending {
    struct range range; // as a write would touch it
    const void *data;
    uint64_t size;
    uint64_t digest, first; // of all its bytes, of the first ones
    bool (*present)(const void *data, uint64_t size);
    uint64_t at; // when it was added
    uint32_t owner;
    int32_t device;
    bool compared; // its bytes are looked at
    bool pinned;
    bool tainted;         // something recorded may have written it: a change proves nothing
    bool written;         // a recorded call has written it since the last look
    bool told;            // a write was told since then
    struct pages tracked; // of these, the kernel tells which were written; none: of none
    unsigned covers;
    struct pending_cover cover[PENDING_COVERS]; // the first: the actor that uses it
};

// Grows with everything that is added or joined. Times of entries and events are values of it.
uint64_t pending_tick(void);
uint64_t pending_now(void);

// Whether there is any entry: no is the answer for most calls.
extern _Atomic uint64_t pending_live; // epoch << 32 | live entries
static inline uint32_t pending_live_in(uint64_t packed) {
    return packed >> 32 == process_epoch() ? (uint32_t)packed : 0;
}
static inline bool pending_any(void) {
    return pending_live_in(atomic_load_explicit(&pending_live, memory_order_relaxed)) != 0;
}

// Where an entry lies and since when, to be read without holding it: most entries are not the one
// that is looked for, and holding each would be most of what a call costs while many are in use.
struct pending_key {
    _Atomic uintptr_t start; // address
    _Atomic uint64_t lo, size;
    _Atomic uint64_t at;
    _Atomic uint32_t storage;
    _Atomic uint32_t actors; // bits of those of its covers: PENDING_ACTOR
};
#define PENDING_ACTOR(actor) ((actor) ? 1u << (actor) % 32 : 0)
extern struct pending_key pending_keys[PENDING_SOURCES];
#define PENDING_KEY(n, member) atomic_load_explicit(&pending_keys[n].member, memory_order_relaxed)

// Whether the n-th entry may lie there: it is held to be sure.
static inline bool pending_near(unsigned n, uintptr_t start, uint64_t size) {
    uintptr_t at = PENDING_KEY(n, start);
    return at <= start + size && start <= at + PENDING_KEY(n, size);
}
static inline bool pending_near_range(unsigned n, uint32_t storage, uint64_t lo, uint64_t hi) {
    uint64_t at = PENDING_KEY(n, lo);
    return PENDING_KEY(n, storage) == storage && at <= hi && lo <= at + PENDING_KEY(n, size);
}

// Entries from this number on have never been in use.
unsigned pending_used(void);
unsigned pending_number(const struct pending *entry);
// A new entry, held; null: there is no room. `evicted`: bytes of the entry that made room, if any.
struct pending *pending_claim(uint64_t *evicted);
// It is what it was filled with from here on; it is in use again, by its first actor alone; it is
// done as well when this is.
void pending_filled(struct pending *entry);
void pending_renewed(struct pending *entry);
void pending_covered(struct pending *entry, struct pending_cover by);
// The n-th entry, held; null: there is none, or a thread holds it and, where `wait` is set, does
// not let go of it for long.
struct pending *pending_hold(unsigned n, bool wait);
void pending_release(struct pending *entry);
void pending_drop(struct pending *entry);
