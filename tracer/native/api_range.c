#include "api_range.h"
#include "api_parts.h"
#include "ggml_handles.h"
#include "intern.h"
#include <string.h>
#include <sys/mman.h>

struct api_thread *api_thread_begin(struct thread *thread) {
    struct api_thread *api = thread->api;
    if (!api) {
        api = mmap(NULL, sizeof *api, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (api == MAP_FAILED)
            return NULL;
        api->device = DEVICE_UNKNOWN;
        thread->api = api;
        thread->api_bytes = sizeof *api;
    }
    if (api->epoch != thread->epoch) {
        if (api->epoch)
            memset(api->known, 0, sizeof api->known);
        host_memory_is_pageable();
        api->epoch = thread->epoch;
    }
    return api;
}

struct memory *api_memory_asked(struct api_place *place, uint64_t address) {
    uint32_t changes = atomic_load_explicit(&memory_changes, memory_order_acquire);
    *place = (struct api_place){address, memory_at(address), changes};
    return place->memory;
}

// What is possible ends with the block that an allocator of the program handed out.
static void within_part(const struct memory *memory, struct api_part part, uint64_t *whole_lo,
                        uint64_t *whole_hi) {
    uint64_t end = memory->base + memory->size;
    if (!part.hi)
        return;
    uint64_t lo = part.lo > memory->base ? part.lo : memory->base;
    uint64_t hi = part.hi < end ? part.hi : end;
    *whole_lo = lo - memory->base + memory->shift;
    *whole_hi = hi - memory->base + memory->shift;
}

static enum extent extent_of(uint64_t how) { return (enum extent)(how >> 8 & 255); }

// Whether more than the bytes themselves is possible.
static bool is_bounded(uint64_t size, uint64_t how) {
    enum extent extent = extent_of(how);
    return extent == EXTENT_BASE_ONLY || (extent == EXTENT_UPPER_BOUND && size == 0);
}

bool api_same_part(struct api_known *known) {
    uint32_t parts = atomic_load_explicit(&known->memory->parts, memory_order_acquire);
    if (is_bounded(known->size, known->how)) {
        struct api_part part = part_around(known->address);
        if (part.lo != known->part.lo || part.hi != known->part.hi)
            return false;
    }
    known->parts = parts;
    return true;
}

static void make_range(struct thread *thread, struct range *range, struct memory *memory,
                       struct api_part part, uint64_t address, uint64_t size, uint64_t how) {
    enum extent extent = extent_of(how);
    uint64_t lo = address, whole_lo = address, whole_hi = address + size;
    uint32_t storage = 0;
    if (!memory) {
        storage = memory_of_host(thread, address, size, &lo);
        whole_lo = lo;
        whole_hi = lo + size;
    } else {
        storage = memory->storage;
        memory_tell(thread, memory);
        lo = address - memory->base + memory->shift;
        whole_lo = memory->shift;
        whole_hi = memory->shift + memory->size;
    }
    bool all = extent == EXTENT_UPPER_BOUND && size == 0;
    if (memory)
        within_part(memory, part, &whole_lo, &whole_hi);
    *range = (struct range){
        .storage = storage,
        .mode = (uint8_t)(how >> 16),
        .extent = (uint8_t)extent,
        .origin = (uint8_t)how,
        .lo = all ? whole_lo : lo,
        .hi = all ? whole_hi : lo + size,
        .name_lo = whole_lo,
        .name_hi = whole_hi,
        .kernel = (uint32_t)(how >> 48),
        .word = (uint32_t)(how >> 32 & UINT16_MAX),
    };
    if (memory && memory->of_host && extent == EXTENT_EXACT) {
        range->name_lo = lo;
        range->name_hi = lo + size;
    }
}

void api_make_range(struct thread *thread, struct range *range, struct memory *memory,
                    uint64_t address, uint64_t size, uint64_t how) {
    struct api_part none = {0, 0};
    make_range(thread, range, memory, is_bounded(size, how) ? part_around(address) : none, address,
               size, how);
}

// That of the same bytes, an empty one, or any.
static struct api_known *place_for(struct api_known *set, uint64_t address, uint64_t size,
                                   uint64_t how, uint32_t id) {
    struct api_known *place = &set[id % API_KNOWN_WAYS];
    for (unsigned i = API_KNOWN_WAYS; i-- > 0;) {
        if (set[i].address == address && set[i].size == size && set[i].how == how)
            return &set[i];
        if (!set[i].how)
            place = &set[i];
    }
    return place;
}

uint32_t api_range_told(struct thread *thread, struct memory *memory, uint64_t address,
                        uint64_t size, uint64_t how) {
    struct api_known known = {address, size, how, memory, .life = api_life(memory)};
    if (memory)
        known.parts = atomic_load_explicit(&memory->parts, memory_order_acquire);
    if (memory && is_bounded(size, how))
        known.part = part_around(address);
    struct range range;
    make_range(thread, &range, memory, known.part, address, size, how);
    known.id = intern_range(thread, &range);
    struct api_thread *api = known.id ? api_thread_of(thread) : NULL;
    if (api)
        *place_for(api_known_set(api, address, size, how), address, size, how, known.id) = known;
    return known.id;
}

uint32_t api_range_of_rows(struct thread *thread, struct memory *memory, uint64_t address,
                           struct api_rows rows, uint64_t how) {
    if (rows.height <= 1 || rows.pitch == rows.width)
        return api_range(thread, memory, address, rows.width * (rows.height ? rows.height : 1),
                         how);
    struct range range;
    uint64_t span = (rows.height - 1) * rows.pitch + rows.width;
    api_make_range(thread, &range, memory, address, span, how);
    range.pitch = rows.pitch;
    range.width = rows.width;
    range.height = rows.height;
    return intern_range(thread, &range);
}

uint32_t api_range_unknown(struct thread *thread) {
    static const struct range any = {
        .mode = MODE_UNKNOWN, .extent = EXTENT_UPPER_BOUND, .origin = ORIGIN_LAYOUT};
    return intern_range(thread, &any);
}
