#include "intern.h"
#include <string.h>

enum { WAYS = 4 };

// Name and kind seldom tell two ranges apart that these words do not.
static uint64_t hash_of(const struct range *range) {
    uint64_t h = range->lo * 0x9e3779b97f4a7c15ull ^ range->hi;
    h = (h ^ h >> 32) * 0x9e3779b97f4a7c15ull ^ range->storage;
    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9ull ^ (uint64_t)range->mode << 8 ^ range->origin;
    h ^= (uint64_t)range->kernel << 32 ^ (uint64_t)range->word << 16;
    return (h ^ h >> 32) | 1;
}

static uint32_t tell(struct thread *thread, const struct range *range) {
    if (!thread->ring)
        return 0;
    struct record_access *record =
        ring_reserve(thread->ring, RECORD_ACCESS, 0, sizeof *record,
                     atomic_load_explicit(&process.control->ticket, memory_order_relaxed));
    if (!record)
        return 0;
    record->id = take_id(ID_ACCESS);
    record->spare = 0;
    record->range = *range;
    ring_commit(thread->ring, record);
    return record->id;
}

uint32_t intern_range(struct thread *thread, const struct range *range) {
    uint64_t hash = hash_of(range);
    struct range_entry *set = &thread->ranges[hash / WAYS % (RANGE_CACHE / WAYS) * WAYS];
    for (unsigned i = 0; i < WAYS; i++)
        if (set[i].hash == hash && set[i].id && memcmp(&set[i].range, range, sizeof *range) == 0)
            return set[i].id;
    uint32_t id = tell(thread, range);
    if (id)
        set[id % WAYS] = (struct range_entry){.hash = hash, .id = id, .range = *range};
    return id;
}
