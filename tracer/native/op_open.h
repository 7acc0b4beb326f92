// The calls that a thread is in, for op.c and op_place.c.
#pragma once
#include "op.h"
#include "scope.h"

static inline void close_from(struct thread *thread, unsigned slot) {
    thread->depth = slot;
    if (thread->depth < thread->mute)
        thread->mute = 0;
}

static inline void publish_closed(struct thread *thread) {
    if (thread->depth == 0 && thread->ring)
        atomic_store_explicit(&thread->ring->open, 0, memory_order_release);
}

// The parent may release every op below the smallest `open`, so it must be seen before the ticket
// is taken. A release is enough: the taking, a sequentially consistent read-modify-write, is not
// served ahead of it, on x86-64 (a locked instruction) or aarch64 (an acquire after a release).
static inline void publish_open(struct thread *thread) {
    if (thread->depth || !thread->ring)
        return;
    uint64_t ticket = atomic_load_explicit(&process.control->ticket, memory_order_relaxed);
    atomic_store_explicit(&thread->ring->open, ticket, memory_order_release);
    atomic_signal_fence(memory_order_seq_cst);
}

// Calls left by longjmp never return here; the stack grows down, so an open call whose frame is not
// above this one is gone.
static inline void forget_abandoned(struct thread *thread, void *frame) {
    unsigned depth = thread->depth;
    if (!depth && !thread->scopes)
        return;
    while (depth && (char *)thread->open[depth - 1].frame <= (char *)frame)
        depth--;
    if (depth < thread->depth) {
        atomic_fetch_add(&process.control->abandoned, thread->depth - depth);
        close_from(thread, depth);
    }
    scope_forget_abandoned(thread, frame);
}

static inline void put_open(struct op *op, struct open_op open) {
    struct thread *thread = op->thread;
    publish_open(thread);
    op->slot = thread->depth++;
    op->record.ticket_c = open.ticket = take_ticket();
    thread->open[op->slot] = open;
    op->record.t_c = now_ns();
}

static inline bool is_open(const struct thread *thread, const struct op *op) {
    return op->slot < thread->depth && thread->open[op->slot].ticket == op->record.ticket_c;
}

static inline void close_op(struct op *op) {
    struct thread *thread = op->thread;
    if (is_open(thread, op))
        close_from(thread, op->slot);
    publish_closed(thread);
    op->thread = NULL;
    thread->busy = op->within;
}
