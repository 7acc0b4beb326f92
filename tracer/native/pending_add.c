// How host memory comes to be in use, or stays it.
#include "kinds.h"
#include "pending_table.h"
#include "source.h"
#include "spans.h"
#include "watch.h"
#include <string.h>

static void count_unwatched(uint64_t bytes) {
    if (bytes)
        atomic_fetch_add(&process.control->unwatched, bytes);
}

static struct pending filled(const struct thread *thread, const struct pending_use *use) {
    uint64_t size = use->range->hi - use->range->lo;
    bool owned = use->present && use->present(use->data, size);
    struct pending entry = {
        .range = *use->range,
        .data = use->data,
        .size = size,
        .present = owned ? use->present : NULL,
        .at = pending_tick(),
        .owner = thread->actor,
        .device = use->device,
        .compared = !use->destination && !use->written,
        .pinned = use->pinned,
        .covers = 1,
    };
    entry.range.mode = MODE_WRITE;
    entry.range.origin = ORIGIN_DIGEST;
    entry.cover[0] = (struct pending_cover){use->actor, entry.at};
    return entry;
}

// Of a range: first and last byte, rows.
enum { WHERE = offsetof(struct range, name_lo) - offsetof(struct range, lo) };

static bool overlaps(const struct pending *a, const struct pending *b) {
    return a->range.storage == b->range.storage && a->range.lo < b->range.hi &&
           b->range.lo < a->range.hi;
}

// A device that writes part of a source changes its bytes. While nothing else is held: two threads
// would wait for each other.
static void taint_overlapping(struct pending *added) {
    const struct range *range = &added->range;
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        if (!pending_near_range(n, range->storage, range->lo, range->hi))
            continue;
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        if (overlaps(added, entry)) {
            entry->tainted |= !added->compared;
            added->tainted |= !entry->compared;
        }
        pending_release(entry);
    }
}

static bool is_same(const struct thread *thread, const struct pending *entry,
                    const struct pending_use *use) {
    return entry->data == use->data && entry->cover[0].actor == use->actor &&
           entry->owner == thread->actor &&
           entry->compared == (!use->destination && !use->written) &&
           entry->range.extent == use->range->extent &&
           memcmp(&entry->range.lo, &use->range->lo, WHERE) == 0;
}

// A loop uses the same memory again and again: it stays one entry, unless its bytes have changed
// meanwhile, which is still to be told. What can prove nothing any more makes room.
static bool used_again(struct thread *thread, const struct pending_use *use) {
    uint64_t size = use->range->hi - use->range->lo;
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        if (!pending_near(n, (uintptr_t)use->data, size))
            continue;
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        bool same = is_same(thread, entry, use);
        if (same && entry->tainted) {
            pending_drop(entry);
            continue;
        }
        same &= !entry->compared || use->looked || source_is_unchanged(thread, entry);
        if (same)
            pending_renewed(entry);
        pending_release(entry);
        if (same)
            return true;
    }
    return false;
}

void pending_add(struct thread *thread, struct pending_use use) {
    uint64_t size = use.range->hi - use.range->lo, evicted;
    bool source = !use.destination && !use.written;
    if (watch == WATCH_OFF) {
        count_unwatched(source ? size : 0);
        return;
    }
    if (used_again(thread, &use))
        return;
    struct pending fresh = filled(thread, &use), *entry;
    taint_overlapping(&fresh);
    entry = pending_claim(&evicted);
    count_unwatched(evicted);
    if (!entry) {
        count_unwatched(source ? size : 0);
        return;
    }
    *entry = fresh;
    pending_filled(entry);
    if (source && !source_begin(thread, entry)) {
        count_unwatched(size);
        entry->compared = false;
    }
    uintptr_t start = (uintptr_t)use.data;
    if (!entry->present) { // else only its owner can free it
        span_set(&in_flight, pending_number(entry), start, start + size);
        if (!frees_are_seen())
            atomic_fetch_add(&process.control->coverage[COVERAGE_RANGES_WITHOUT_FREE], 1);
    }
    pending_release(entry);
}
