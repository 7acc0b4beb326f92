#include "digest.h"
#include "intern.h"
#include "op.h"
#include "pending_events.h"
#include "pending_table.h"
#include <sched.h>

static _Atomic unsigned readers; // threads that read memory whose owner said that it is there

// Memory that its owner says is there is read as it is; other memory may be gone at any time.
static bool look_at(struct thread *thread, const struct pending *entry, uint64_t *digest) {
    bool there = false;
    if (entry->present) {
        atomic_fetch_add(&readers, 1);
        if ((there = entry->present(entry->data, entry->size)))
            *digest = digest_of_bytes(entry->data, entry->size);
        atomic_fetch_sub(&readers, 1);
    }
    if (there)
        return true;
    char *copy = thread_copy(thread);
    return copy && digest_of_foreign(entry->data, entry->size, copy, THREAD_COPY, digest);
}

static void count_unwatched(uint64_t bytes) {
    if (bytes)
        atomic_fetch_add(&process.control->unwatched, bytes);
}

static struct pending filled(const struct thread *thread, const struct pending_use *use) {
    struct pending entry = {
        .range = *use->range,
        .data = use->data,
        .size = use->range->hi - use->range->lo,
        .present = use->present,
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

void pending_add(struct thread *thread, struct pending_use use) {
    uint64_t size = use.range->hi - use.range->lo, evicted;
    if (use.destination || use.written)
        return;
    struct pending *entry = pending_claim(&evicted);
    count_unwatched(evicted);
    if (!entry) {
        count_unwatched(size);
        return;
    }
    *entry = filled(thread, &use);
    if (look_at(thread, entry, &entry->digest)) {
        count_unwatched(digest_leaves_out(size));
        pending_release(entry);
    } else {
        count_unwatched(size);
        pending_drop(entry);
    }
}

// By a raw store, as far as that can be told.
static bool changed(struct thread *thread, struct pending *entry) {
    uint64_t digest;
    if (!entry->compared || atomic_load(&entry->tainted) || !look_at(thread, entry, &digest) ||
        digest == entry->digest)
        return false;
    entry->digest = digest;
    return !atomic_exchange(&entry->written, false);
}

static bool in_time(const struct thread *thread, const struct pending *entry, uint64_t at) {
    return entry->owner == thread->actor || at <= thread->pending_mark;
}

// Whether the entry is done when this thread has waited so.
static bool covered(const struct thread *thread, const struct pending *entry,
                    struct pending_wait wait) {
    struct pending_cover event = pending_event(wait.event);
    if (wait.device >= 0 && entry->device == wait.device && in_time(thread, entry, entry->at))
        return true;
    for (unsigned i = 0; i < entry->covers; i++) {
        struct pending_cover by = entry->cover[i];
        if (wait.actor && by.actor == wait.actor && in_time(thread, entry, by.at))
            return true;
        if (event.actor == by.actor && by.at <= event.at)
            return true;
    }
    return false;
}

static bool told_before(const uint32_t *access, unsigned count, uint32_t id) {
    for (unsigned i = 0; i < count; i++)
        if (access[i] == id)
            return true;
    return false;
}

// The accesses that tell what changed, each once.
static unsigned find_changed(struct thread *thread, struct pending_wait wait,
                             uint32_t access[PENDING_SOURCES]) {
    unsigned count = 0;
    thread->busy = true;
    thread->pending_mark = pending_now();
    for (unsigned n = 0; n < pending_used(); n++) {
        struct pending *entry = pending_hold(n, false);
        if (!entry)
            continue;
        bool mine = entry->owner == thread->actor || covered(thread, entry, wait);
        if (mine && changed(thread, entry)) {
            uint32_t id = intern_range(thread, &entry->range);
            if (id && !told_before(access, count, id))
                access[count++] = id;
        }
        pending_release(entry);
    }
    thread->busy = false;
    return count;
}

void pending_look_for(struct pending_wait wait, void *caller, void *frame) {
    if (!pending_any())
        return;
    struct thread *thread = thread_self();
    if (!thread || thread->mute)
        return;
    uint32_t access[PENDING_SOURCES];
    unsigned count = find_changed(thread, wait, access);
    OP(op);
    if (count == 0 || !op_enter_app(&op, CALL_pending_sources, KIND_HOST_WRITE, caller, frame))
        return;
    op.accesses = count;
    op.more = access;
    op_leave(&op);
}

void pending_look(void *caller, void *frame) {
    pending_look_for((struct pending_wait){.device = -1}, caller, frame);
}

void pending_taint(void) {
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        atomic_store(&entry->tainted, true);
        pending_release(entry);
    }
}

void pending_written(const struct touched *range) {
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        if (entry->range.storage == range->storage && entry->range.lo < range->hi &&
            range->lo < entry->range.hi)
            atomic_store(&entry->written, true);
        pending_release(entry);
    }
}

void pending_joined(uint32_t actor, uint32_t event) {
    if (!pending_any())
        return;
    struct pending_cover stands_for = pending_event(event);
    struct pending_cover joined = {actor, pending_tick()};
    for (unsigned n = 0; stands_for.actor && n < pending_used(); n++) {
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        bool known = false, meant = false;
        for (unsigned i = 0; i < entry->covers; i++) {
            struct pending_cover by = entry->cover[i];
            known |= by.actor == actor;
            meant |= by.actor == stands_for.actor && by.at <= stands_for.at;
        }
        if (meant && !known && entry->covers < PENDING_COVERS)
            entry->cover[entry->covers++] = joined;
        pending_release(entry);
    }
}

static void done(struct thread *thread, struct pending_wait wait) {
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        struct pending *entry = pending_hold(n, true);
        if (entry && covered(thread, entry, wait))
            pending_drop(entry);
        else if (entry)
            pending_release(entry);
    }
}

void pending_done(struct thread *thread, uint32_t actor, uint32_t event) {
    done(thread, (struct pending_wait){actor, event, -1});
}

void pending_done_device(struct thread *thread, int32_t device) {
    done(thread, (struct pending_wait){.device = device});
}

void pending_forget(uint32_t storage) {
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        struct pending *entry = pending_hold(n, true);
        if (entry && entry->range.storage == storage)
            pending_drop(entry);
        else if (entry)
            pending_release(entry);
    }
    // Bounded: the reader may be the very thread that a signal handler interrupted.
    for (int turns = 0; atomic_load(&readers) && turns < 1000; turns++)
        sched_yield();
}
