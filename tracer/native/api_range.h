// Bytes named by an address and a size, as numbers of ranges that were told.
#pragma once
#include "api_thread.h"

// What is known of the bytes: packed, so that it is compared as one word.
#define API_HOW(mode, extent, origin)                                                              \
    (1ull << 24 | (uint64_t)(mode) << 16 | (uint64_t)(extent) << 8 | (uint64_t)(origin))
// ... and which word of a kernel's parameters led there: the number that the kernel is called by,
// at most UINT16_MAX as all of them, and the byte of the word.
#define API_WORD(kernel, word)                                                                     \
    ((uint64_t)(uint16_t)(kernel) << 48 | (uint64_t)(uint16_t)(word) << 32)
#define API_READS API_HOW(MODE_READ, EXTENT_EXACT, ORIGIN_ARGUMENT)
#define API_WRITES API_HOW(MODE_WRITE, EXTENT_EXACT, ORIGIN_ARGUMENT)

// Rows of equal width; height 0 or 1: one row.
struct api_rows {
    uint64_t pitch, width, height;
};

struct memory *api_memory_asked(struct api_place *place, uint64_t address);
// As memory_at, which is asked once while no memory comes or goes.
static inline struct memory *api_memory_at(struct thread *thread, uint64_t address) {
    struct api_thread *api = api_thread_of(thread);
    if (!api)
        return memory_at(address);
    struct api_place *place = &api->place[address * 0x9e3779b97f4a7c15ull >> 56];
    bool known = place->address == address &&
                 place->changes == atomic_load_explicit(&memory_changes, memory_order_acquire);
    return known ? place->memory : api_memory_asked(place, address);
}
static_assert(API_PLACES == 1 << (64 - 56), "the upper bits of the hash");
// As memory_named.
static inline struct memory *api_memory_named(struct thread *thread, const void *address) {
    return memory_if_named(api_memory_at(thread, (uintptr_t)address));
}

// The range of these bytes. EXTENT_BASE_ONLY: its first byte is sure, the rest of the allocation
// possible; EXTENT_UPPER_BOUND with size 0: all of the allocation is possible.
void api_make_range(struct thread *thread, struct range *range, struct memory *memory,
                    uint64_t address, uint64_t size, uint64_t how);
// What must not have changed for a range to stand.
static inline uint32_t api_life(const struct memory *memory) {
    return memory ? atomic_load_explicit(&memory->life, memory_order_acquire) : memory_changed();
}
// Blocks were handed out since: whether the one that bounded it is still there.
bool api_same_part(struct api_known *known);
static inline bool api_stands(struct api_known *known) {
    const struct memory *memory = known->memory;
    return known->life == api_life(memory) &&
           (!memory || known->parts == atomic_load_explicit(&memory->parts, memory_order_acquire) ||
            api_same_part(known));
}
static inline struct api_known *api_known_set(struct api_thread *api, uint64_t address,
                                              uint64_t size, uint64_t how) {
    uint64_t h = (address ^ (size ^ how) * 0xbf58476d1ce4e5b9ull) * 0x9e3779b97f4a7c15ull;
    return &api->known[(h >> 54) * API_KNOWN_WAYS];
}
static_assert(API_KNOWN == API_KNOWN_WAYS << (64 - 54), "the upper bits of the hash");
// Told before by this thread, and it stands, whatever memory the address lies in. Null: not.
static inline struct api_known *api_known_of(struct thread *thread, uint64_t address, uint64_t size,
                                             uint64_t how) {
    struct api_thread *api = api_thread_of(thread);
    struct api_known *set = api ? api_known_set(api, address, size, how) : NULL;
    for (unsigned i = 0; set && i < API_KNOWN_WAYS; i++)
        if (set[i].address == address && set[i].size == size && set[i].how == how)
            return api_stands(&set[i]) ? &set[i] : NULL;
    return NULL;
}
uint32_t api_range_told(struct thread *thread, struct memory *memory, uint64_t address,
                        uint64_t size, uint64_t how);
// Its number, told in this thread's ring; 0: it could not be told. `memory`: what the address lies
// in, as memory_at says.
static inline uint32_t api_range(struct thread *thread, struct memory *memory, uint64_t address,
                                 uint64_t size, uint64_t how) {
    const struct api_known *known = api_known_of(thread, address, size, how);
    return known && known->memory == memory ? known->id
                                            : api_range_told(thread, memory, address, size, how);
}
uint32_t api_range_of_rows(struct thread *thread, struct memory *memory, uint64_t address,
                           struct api_rows rows, uint64_t how);
// Memory that nobody knows.
uint32_t api_range_unknown(struct thread *thread);
