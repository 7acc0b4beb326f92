#include "digest.h"
#include "ggml_digest.h"
#include <string.h>

static void remove_at(struct thread *thread, unsigned i) {
    thread->source[i] = thread->source[--thread->pending];
}

void pending_add(struct thread *thread, const struct record_access *source, const void *data,
                 uint32_t actor) {
    uint64_t size = source->hi - source->lo, digest;
    if (size > DIGEST_LIMIT || !digest_of_foreign(data, size, &digest)) {
        atomic_fetch_add(&process.control->unwatched, size);
        return;
    }
    if (thread->pending == PENDING_SOURCES) {
        atomic_fetch_add(&process.control->unwatched, thread->source[0].size);
        remove_at(thread, 0);
    }
    struct pending_source *entry = &thread->source[thread->pending++];
    *entry = (struct pending_source){
        .data = data, .size = size, .digest = digest, .actor = actor, .access = *source};
    entry->access.mode = MODE_WRITE;
    entry->access.origin = ORIGIN_DIGEST;
}

static bool changed(struct pending_source *source) {
    uint64_t digest;
    if (source->tainted || !digest_of_foreign(source->data, source->size, &digest) ||
        digest == source->digest)
        return false;
    source->digest = digest;
    return true;
}

void pending_look(void *caller, void *frame) {
    struct thread *thread = thread_self();
    if (!thread || thread->mute || thread->pending == 0)
        return;
    struct op op;
    struct record_access access[PENDING_SOURCES];
    unsigned count = 0;
    for (unsigned i = 0; i < thread->pending; i++)
        if (changed(&thread->source[i]))
            access[count++] = thread->source[i].access;
    if (count == 0 || !op_enter(&op, CALL_pending_sources, KIND_HOST_WRITE, caller, frame))
        return;
    op.accesses = count;
    op.more = access;
    op_leave(&op);
}

void pending_taint(struct thread *thread) {
    for (unsigned i = 0; i < thread->pending; i++)
        thread->source[i].tainted = true;
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
        if (thread->source[i].access.storage == storage)
            remove_at(thread, i);
}
