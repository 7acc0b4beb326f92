#include "digest.h"
#include "ggml_digest.h"
#include "intern.h"
#include <string.h>

static void remove_at(struct thread *thread, unsigned i) {
    thread->source[i] = thread->source[--thread->pending];
}

// Memory of a live ggml buffer can be read; other memory may be gone.
static bool look_at(const void *data, uint64_t size, uint64_t *digest) {
    if (!host_buffer_hold((uintptr_t)data, size))
        return digest_of_foreign(data, size, digest);
    *digest = digest_of_bytes(data, size);
    host_buffer_release();
    return true;
}

void pending_add(struct thread *thread, const struct range *source, const void *data,
                 uint32_t actor) {
    uint64_t size = source->hi - source->lo, digest;
    bool seen = look_at(data, size, &digest);
    atomic_fetch_add(&process.control->unwatched, seen ? digest_leaves_out(size) : size);
    if (!seen)
        return;
    if (thread->pending == PENDING_SOURCES) {
        atomic_fetch_add(&process.control->unwatched, thread->source[0].size);
        remove_at(thread, 0);
    }
    struct pending_source *entry = &thread->source[thread->pending++];
    *entry = (struct pending_source){
        .data = data, .size = size, .digest = digest, .actor = actor, .range = *source};
    entry->range.mode = MODE_WRITE;
    entry->range.origin = ORIGIN_DIGEST;
}

static bool changed(struct pending_source *source) {
    uint64_t digest;
    if (source->tainted || !look_at(source->data, source->size, &digest) ||
        digest == source->digest)
        return false;
    bool raw = !source->written;
    source->digest = digest;
    source->written = false;
    return raw;
}

static unsigned find_changed(struct thread *thread, const struct range **ranges) {
    unsigned count = 0;
    thread->busy = true;
    for (unsigned i = 0; i < thread->pending; i++)
        if (changed(&thread->source[i]))
            ranges[count++] = &thread->source[i].range;
    thread->busy = false;
    return count;
}

void pending_look(void *caller, void *frame) {
    struct thread *thread = thread_self();
    if (!thread || thread->mute || thread->pending == 0)
        return;
    const struct range *ranges[PENDING_SOURCES];
    uint32_t access[PENDING_SOURCES];
    unsigned count = find_changed(thread, ranges);
    OP(op);
    if (count == 0 || !op_enter(&op, CALL_pending_sources, KIND_HOST_WRITE, caller, frame))
        return;
    for (unsigned i = 0; i < count; i++) {
        access[op.accesses] = intern_range(thread, ranges[i]);
        op.accesses += access[op.accesses] != 0;
    }
    op.more = access;
    op_leave(&op);
}

void pending_taint(struct thread *thread) {
    for (unsigned i = 0; i < thread->pending; i++)
        thread->source[i].tainted = true;
}

void pending_written(struct thread *thread, const struct touched *range) {
    for (unsigned i = 0; i < thread->pending; i++) {
        struct pending_source *source = &thread->source[i];
        if (source->range.storage == range->storage && source->range.lo < range->hi &&
            range->lo < source->range.hi)
            source->written = true;
    }
}

void pending_recorded(struct thread *thread, uint32_t actor, uint32_t event) {
    for (unsigned i = 0; i < thread->pending; i++)
        if (thread->source[i].actor == actor && thread->source[i].event == 0)
            thread->source[i].event = event;
}

void pending_done(struct thread *thread, uint32_t actor, uint32_t event) {
    for (unsigned i = thread->pending; i-- > 0;) {
        const struct pending_source *source = &thread->source[i];
        if ((actor && source->actor == actor) || (event && source->event == event))
            remove_at(thread, i);
    }
}

void pending_forget(struct thread *thread, uint32_t storage) {
    for (unsigned i = thread->pending; i-- > 0;)
        if (thread->source[i].range.storage == storage)
            remove_at(thread, i);
}
