#include "scope.h"
#include <string.h>

// Outermost scopes of each kind so far, and the life of this image in which they were opened.
static _Atomic uint64_t opened[SCOPE_KIND_RANGE + 1];
static _Atomic uint32_t opened_in;

static uint64_t count_outermost(enum scope_kind kind) {
    uint32_t before = atomic_load(&opened_in), now = process_epoch();
    if (before != now && atomic_compare_exchange_strong(&opened_in, &before, now))
        for (unsigned i = 0; i <= SCOPE_KIND_RANGE; i++)
            atomic_store(&opened[i], 0);
    return atomic_fetch_add(&opened[kind], 1);
}

static struct scope *innermost(struct thread *thread) {
    return thread->scopes ? &thread->scope[thread->scopes - 1] : NULL;
}

uint32_t scope_open(struct thread *thread, enum scope_kind kind, const char *name,
                    const void *subject, void *frame) {
    if (thread->scopes == OPEN_SCOPES) {
        thread->scopes_beyond++;
        return 0;
    }
    struct scope *parent = innermost(thread);
    struct record_scope record = {
        .number = parent ? parent->children++ : count_outermost(kind),
        .since = atomic_load(&process.control->ticket),
        .id = take_id(ID_SCOPE),
        .parent = parent ? parent->id : 0,
        .kind = kind,
        .named = kind != SCOPE_KIND_SPLIT,
    };
    thread->scope[thread->scopes++] =
        (struct scope){.id = record.id, .kind = kind, .frame = frame, .subject = subject};
    if (thread->ring)
        ring_put_named(thread->ring, RECORD_SCOPE, &record, sizeof record, name);
    return record.id;
}

void scope_close(struct thread *thread, enum scope_kind kind) {
    if (thread->scopes_beyond) {
        thread->scopes_beyond--;
        return;
    }
    for (unsigned n = thread->scopes; n-- > 0;) {
        if (thread->scope[n].kind == kind) {
            thread->scopes = n;
            return;
        }
    }
}

void scope_close_numbered(struct thread *thread, uint32_t id) {
    for (unsigned n = thread->scopes; n-- > 0;) {
        if (thread->scope[n].id != id)
            continue;
        struct scope *closed = &thread->scope[n];
        memmove(closed, closed + 1, (--thread->scopes - n) * sizeof *closed);
        return;
    }
}

uint32_t scope_for_op(struct thread *thread, enum kind kind) {
    struct scope *scope = innermost(thread);
    if (scope && scope->kind == SCOPE_KIND_SCHED && scope->subject && kind != KIND_MARK) {
        scope_open(thread, SCOPE_KIND_SPLIT, "split", NULL, scope->frame);
        scope = innermost(thread);
    }
    return scope ? scope->id : 0;
}

void scope_end_split(struct thread *thread, const char *name) {
    struct scope *scope = innermost(thread);
    if (!scope || scope->kind != SCOPE_KIND_SPLIT)
        return;
    struct record_rename record = {.id = scope->id};
    if (thread->ring)
        ring_put_named(thread->ring, RECORD_RENAME, &record, sizeof record, name);
    thread->scopes--;
}

const struct scope *scope_of_kind(const struct thread *thread, enum scope_kind kind) {
    for (unsigned n = thread->scopes; n-- > 0;)
        if (thread->scope[n].kind == kind)
            return &thread->scope[n];
    return NULL;
}

void scope_forget_abandoned(struct thread *thread, void *frame) {
    while (thread->scopes && (char *)thread->scope[thread->scopes - 1].frame <= (char *)frame) {
        thread->scopes--;
        thread->scopes_beyond = 0;
    }
}
