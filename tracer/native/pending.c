#include "intern.h"
#include "op.h"
#include "pending_events.h"
#include "pending_table.h"
#include "source.h"

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

static unsigned tell_changes(struct thread *thread, struct pending *entry, uint32_t *access,
                             unsigned count) {
    struct range changes[SOURCE_CHANGES];
    unsigned changed = source_changes(thread, entry, changes);
    for (unsigned i = 0; i < changed; i++) {
        uint32_t id = intern_range(thread, &changes[i]);
        if (id && !told_before(access, count, id))
            access[count++] = id;
    }
    return count;
}

// What else changed is told by the next look.
static bool has_room(unsigned count) { return count + SOURCE_CHANGES <= PENDING_LOOKED; }

// The accesses that tell what changed, each once.
static unsigned find_changed(struct thread *thread, struct pending_wait wait, uint32_t *access) {
    unsigned count = 0;
    thread->busy = true;
    thread->pending_mark = pending_now();
    for (unsigned n = 0; n < pending_used() && has_room(count); n++) {
        struct pending *entry = pending_hold(n, false);
        if (!entry)
            continue;
        if (entry->compared && (entry->owner == thread->actor || covered(thread, entry, wait)))
            count = tell_changes(thread, entry, access, count);
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
    uint32_t access[PENDING_LOOKED];
    pending_tell(access, find_changed(thread, wait, access), caller, frame);
}

unsigned pending_changes(struct thread *thread, const void *data, uint64_t size,
                         uint32_t access[PENDING_LOOKED], unsigned count) {
    uintptr_t start = (uintptr_t)data;
    for (unsigned n = 0; pending_any() && n < pending_used() && has_room(count); n++) {
        if (!pending_near(n, start, size))
            continue;
        struct pending *entry = pending_hold(n, false);
        if (!entry)
            continue;
        uintptr_t at = (uintptr_t)entry->data;
        if (entry->compared && entry->owner == thread->actor && at < start + size &&
            start < at + entry->size)
            count = tell_changes(thread, entry, access, count);
        pending_release(entry);
    }
    return count;
}

void pending_tell(const uint32_t *access, unsigned count, void *caller, void *frame) {
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
        entry->tainted = true;
        pending_release(entry);
    }
}

void pending_written(const struct touched *range) {
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        if (!pending_near_range(n, range->storage, range->lo, range->hi))
            continue;
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        if (entry->range.storage == range->storage && entry->range.lo < range->hi &&
            range->lo < entry->range.hi)
            entry->written = true;
        pending_release(entry);
    }
}

void pending_joined(uint32_t actor, uint32_t event) {
    if (!pending_any())
        return;
    struct pending_cover stands_for = pending_event(event);
    struct pending_cover joined = {actor, pending_tick()};
    for (unsigned n = 0; stands_for.actor && n < pending_used(); n++) {
        if (!(PENDING_KEY(n, actors) & PENDING_ACTOR(stands_for.actor)))
            continue;
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        bool known = false, meant = false;
        for (unsigned i = 0; i < entry->covers; i++) {
            struct pending_cover by = entry->cover[i];
            known |= by.actor == actor;
            meant |= by.actor == stands_for.actor && by.at <= stands_for.at;
        }
        if (meant && !known)
            pending_covered(entry, joined);
        pending_release(entry);
    }
}

static void done(struct thread *thread, struct pending_wait wait) {
    uint32_t actors = PENDING_ACTOR(wait.actor) | PENDING_ACTOR(pending_event(wait.event).actor);
    for (unsigned n = 0; pending_any() && n < pending_used(); n++) {
        if (wait.device < 0 && !(PENDING_KEY(n, actors) & actors))
            continue;
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
        if (PENDING_KEY(n, storage) != storage)
            continue;
        struct pending *entry = pending_hold(n, true);
        if (entry && entry->range.storage == storage)
            pending_drop(entry);
        else if (entry)
            pending_release(entry);
    }
    source_await_readers();
}
