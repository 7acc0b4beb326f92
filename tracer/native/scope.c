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

// Scopes that other threads have ended, each at the place of its number, and how many did so. One
// that was ended there since comes in its place: of so many, the thread of the first will have
// looked.
enum { ELSEWHERE = 4096 };
static _Atomic uint32_t ended_elsewhere[ELSEWHERE];
static _Atomic uint32_t ends_elsewhere;

void scope_end_elsewhere(uint32_t id) {
    atomic_store(&ended_elsewhere[id % ELSEWHERE], id);
    atomic_fetch_add(&ends_elsewhere, 1);
}

static void close_ended(struct thread *thread, uint32_t count) {
    thread->ended_seen = count;
    for (unsigned n = thread->scopes; n-- > 0;) {
        uint32_t id = thread->scope[n].id;
        if (atomic_load(&ended_elsewhere[id % ELSEWHERE]) == id)
            scope_close_numbered(thread, id);
    }
}

static struct scope *innermost(struct thread *thread) {
    uint32_t count = atomic_load_explicit(&ends_elsewhere, memory_order_acquire);
    if (thread->scopes && count != thread->ended_seen)
        close_ended(thread, count);
    return thread->scopes ? &thread->scope[thread->scopes - 1] : NULL;
}

uint32_t scope_try(struct thread *thread, enum scope_kind kind, const char *name,
                   const void *subject, void *frame) {
    struct scope *parent = innermost(thread);
    if (thread->scopes == OPEN_SCOPES)
        return 0;
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

uint32_t scope_open(struct thread *thread, enum scope_kind kind, const char *name,
                    const void *subject, void *frame) {
    uint32_t id = scope_try(thread, kind, name, subject, frame);
    thread->scopes_beyond += !id;
    return id;
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

bool scope_close_of(struct thread *thread, const void *subject) {
    if (thread->scopes_beyond) {
        thread->scopes_beyond--;
        return true;
    }
    for (unsigned n = thread->scopes; n-- > 0;)
        if (thread->scope[n].subject == subject) {
            scope_close_numbered(thread, thread->scope[n].id);
            return true;
        }
    return false;
}

unsigned scope_count_of(const struct thread *thread, const void *subject) {
    unsigned count = thread->scopes_beyond;
    for (unsigned n = thread->scopes; n-- > 0;)
        count += thread->scope[n].subject == subject;
    return count;
}

uint32_t scope_for_op(struct thread *thread, enum kind kind) {
    struct scope *scope = innermost(thread);
    if (scope && scope->kind == SCOPE_KIND_SCHED && scope->subject && kind != KIND_MARK) {
        scope_try(thread, SCOPE_KIND_SPLIT, "split", NULL, scope->frame);
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
