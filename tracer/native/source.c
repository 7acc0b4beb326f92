#include "source.h"
#include "digest.h"
#include "kinds.h"
#include "protection.h"
#include "watch.h"
#include "write_tracking.h"
#include <assert.h>
#include <sched.h>

static _Atomic unsigned readers; // threads that read memory whose owner said that it is there

static void count_unwatched(uint64_t bytes) {
    if (bytes)
        atomic_fetch_add(&process.control->unwatched, bytes);
}

static void count_uncovered(enum coverage what) {
    atomic_fetch_add(&process.control->coverage[what], 1);
}

static struct byte_rows bytes_of(const struct pending *entry) {
    const struct range *range = &entry->range;
    if (range->pitch == 0 || range->height < 2)
        return (struct byte_rows){entry->data, entry->size, 1, 0};
    return (struct byte_rows){entry->data, range->width, range->height, range->pitch};
}

// Memory that its owner says is there is read as it is; other memory may be gone at any time.
static bool digest(struct thread *thread, const struct pending *entry, struct byte_rows bytes,
                   uint64_t *digest) {
    if (entry->present) {
        atomic_fetch_add(&readers, 1);
        bool there = entry->present(entry->data, entry->size);
        if (there)
            *digest = digest_of_rows(bytes);
        atomic_fetch_sub(&readers, 1);
        return there;
    }
    char *copy = thread_copy(thread);
    return copy && digest_of_foreign_rows(bytes, copy, THREAD_COPY, digest);
}

void source_await_readers(void) {
    // Bounded: the reader may be the very thread that a signal handler interrupted.
    for (int turns = 0; atomic_load(&readers) && turns < 1000; turns++)
        sched_yield();
}

// Both ends of a range whose whole pages are tracked.
static bool digest_ends(struct thread *thread, const struct pending *entry, uint64_t *ends) {
    uintptr_t start = (uintptr_t)entry->data, end = start + entry->size;
    struct byte_rows head = {entry->data, entry->tracked.lo - start, 1, 0};
    struct byte_rows tail = {(const char *)entry->tracked.hi, end - entry->tracked.hi, 1, 0};
    uint64_t behind;
    if (!digest(thread, entry, head, ends) || !digest(thread, entry, tail, &behind))
        return false;
    *ends ^= behind << 1 ^ behind >> 63;
    return true;
}

static bool digest_all(struct thread *thread, const struct pending *entry, uint64_t *of_all) {
    return entry->tracked.hi ? digest_ends(thread, entry, of_all)
                             : digest(thread, entry, bytes_of(entry), of_all);
}

// Where comparing would leave most of it out.
static void track(struct pending *entry) {
    uintptr_t start = (uintptr_t)entry->data;
    struct pages pages = pages_within(start, start + entry->size);
    if (watch != WATCH_TRACK || entry->size <= DIGEST_WHOLE || bytes_of(entry).rows > 1)
        return;
    if (tracking_begin(pending_number(entry), pages))
        entry->tracked = pages;
    else
        count_uncovered(COVERAGE_RANGES_NOT_TRACKED);
}

// Pages that hold other memory, too, only if that is of the same owner: what the system or a driver
// writes there by itself would fail.
static struct pages protectable(const struct pending *entry) {
    uintptr_t start = (uintptr_t)entry->data, end = start + entry->size;
    struct pages pages = pages_around(start, end);
    if (entry->present && entry->present((void *)pages.lo, pages.hi - pages.lo))
        return pages;
    return pages_within(start, end);
}

static bool protect(struct pending *entry) {
    struct pages pages = protectable(entry);
    if (watch != WATCH_PROTECT)
        return false;
    if (pages.lo < pages.hi && protection_begin(pending_number(entry), pages))
        return true;
    count_uncovered(COVERAGE_RANGES_NOT_PROTECTED);
    return false;
}

// Where only the first byte is sure to be used, a change of what is loaded with it is certain, any
// other one possible.
static bool digest_first(struct thread *thread, const struct pending *entry, uint64_t *of_first) {
    enum { ELEMENT = 16 };
    size_t size = entry->size < ELEMENT ? entry->size : ELEMENT;
    *of_first = 0;
    return entry->range.extent != EXTENT_BASE_ONLY ||
           digest(thread, entry, (struct byte_rows){entry->data, size, 1, 0}, of_first);
}

bool source_begin(struct thread *thread, struct pending *entry) {
    track(entry);
    if (!digest_all(thread, entry, &entry->digest) || !digest_first(thread, entry, &entry->first)) {
        source_end(entry);
        return false;
    }
    if (!protect(entry) && !entry->tracked.hi)
        count_unwatched(digest_leaves_out_of_rows(bytes_of(entry)));
    return true;
}

// Nobody knows which byte of a page was written, but all of them are the source's. What the kernel
// tells of a driver's pages is what may have been.
static struct range range_of_pages(const struct pending *entry, struct pages run, bool several) {
    struct range range = entry->range;
    range.hi = range.lo + (run.hi - (uintptr_t)entry->data);
    range.lo += run.lo - (uintptr_t)entry->data;
    if (entry->pinned || several || range.extent == EXTENT_BASE_ONLY)
        range.extent = EXTENT_UPPER_BOUND;
    return range;
}

static struct range range_of_change(struct thread *thread, struct pending *entry) {
    struct range range = entry->range;
    uint64_t first = entry->first;
    if (range.extent != EXTENT_BASE_ONLY || !digest_first(thread, entry, &first))
        return range;
    if (first == entry->first) {
        range.extent = EXTENT_UPPER_BOUND;
        return range;
    }
    range.name_lo = range.lo; // record.h says what this means then
    range.name_hi = range.hi;
    range.hi = range.lo + 1;
    entry->first = first;
    return range;
}

// Its pages are something else by now.
static void lose_track(struct thread *thread, struct pending *entry) {
    source_end(entry);
    count_uncovered(COVERAGE_RANGES_NOT_TRACKED);
    count_unwatched(digest_leaves_out(entry->size));
    if (!digest_all(thread, entry, &entry->digest))
        entry->tainted = true;
}

static unsigned tracked_changes(struct thread *thread, struct pending *entry,
                                struct range changes[SOURCE_CHANGES]) {
    struct pages run[TRACKED_RUNS];
    int runs = entry->tracked.hi ? tracking_take(pending_number(entry), run) : 0;
    if (runs < 0) {
        lose_track(thread, entry);
        return 0;
    }
    static_assert(TRACKED_RUNS < SOURCE_CHANGES, "and one for what was compared");
    for (int i = 0; i < runs; i++)
        changes[i] = range_of_pages(entry, run[i], i == TRACKED_RUNS - 1);
    return (unsigned)runs;
}

unsigned source_changes(struct thread *thread, struct pending *entry,
                        struct range changes[SOURCE_CHANGES]) {
    uint64_t now;
    if (entry->tainted)
        return 0;
    unsigned found = tracked_changes(thread, entry, changes);
    if (digest_all(thread, entry, &now) && now != entry->digest) {
        entry->digest = now;
        changes[found++] = range_of_change(thread, entry);
    }
    bool raw = !entry->written && !entry->told;
    entry->told = false;
    if (found)
        entry->written = false;
    protection_renew(pending_number(entry));
    return raw ? found : 0;
}

bool source_is_unchanged(struct thread *thread, const struct pending *entry) {
    uint64_t now;
    return !entry->tainted && digest_all(thread, entry, &now) && now == entry->digest &&
           (!entry->tracked.hi || tracking_is_clean(pending_number(entry)));
}

void source_end(struct pending *entry) {
    tracking_end(pending_number(entry));
    protection_end(pending_number(entry));
    entry->tracked = (struct pages){0};
}
