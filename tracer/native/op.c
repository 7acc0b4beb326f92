#include "op.h"
#include "fault.h"
#include "scope.h"
#include "site.h"

static bool waits(enum kind kind) {
    return kind == KIND_STREAM_SYNC || kind == KIND_EVENT_SYNC || kind == KIND_DEVICE_SYNC;
}

static bool can_be_skipped(enum kind kind) { return waits(kind) || kind == KIND_EVENT_WAIT; }

// Calls left by longjmp or an exception never return here; the stack grows down, so an open call
// whose frame is not above this one is gone.
static void forget_abandoned(struct thread *thread, void *frame) {
    while (thread->depth && (char *)thread->frames[thread->depth - 1] <= (char *)frame) {
        thread->depth--;
        atomic_fetch_add(&process.control->abandoned, 1);
    }
    if (thread->depth < thread->mute)
        thread->mute = 0;
    scope_forget_abandoned(thread, frame);
}

// The parent may release every op below the smallest `open`, so it must be stored before the ticket
// is taken (both sequentially consistent).
static void publish_open(struct thread *thread) {
    if (thread->depth == 0 && thread->ring)
        atomic_store(&thread->ring->open, atomic_load(&process.control->ticket));
}

bool op_enter(struct op *op, enum call call, enum kind kind, void *caller, void *frame) {
    struct thread *thread = thread_self();
    op->thread = NULL;
    if (!thread)
        return false;
    forget_abandoned(thread, frame);
    if (thread->mute || thread->depth == OPEN_OPS)
        return false;
    thread->busy = true;
    memset(&op->record, 0, sizeof op->record);
    op->thread = thread;
    op->more = NULL;
    op->accesses = op->children = 0;
    op->parent = false;
    op->frame = frame;
    op->record.kind = (uint8_t)kind;
    op->record.level = LEVEL_GGML;
    op->record.call = (uint16_t)call;
    op->record.device = -1;
    op->record.cpu_ns = -1;
    op->record.scope = scope_for_op(thread, kind);
    for (unsigned i = thread->depth; i-- > 0;) {
        if (thread->open[i]->parent) {
            op->record.parent = thread->open[i]->record.ticket_c;
            thread->open[i]->children++;
            break;
        }
    }
    const struct site_entry *site = site_of_call(thread, call, caller, frame, op->record.scope);
    op->record.stack = site->stack;
    op->record.ordinal = site->ordinal;
    if (faults.skips && can_be_skipped(kind) && fault_skips(site->stack_key, site->ordinal))
        op->record.flags = FLAG_SKIPPED;
    publish_open(thread);
    thread->open[thread->depth] = op;
    thread->frames[thread->depth++] = frame;
    op->record.ticket_c = take_ticket();
    op->record.t_c = now_ns();
    op->cpu = waits(kind) ? thread_cpu_ns() : 0;
    thread->busy = false;
    return true;
}

static void write_op(struct op *op) {
    struct thread *thread = op->thread;
    size_t tail = op->accesses * sizeof(struct record_access);
    struct record_op *record = thread->ring
                                   ? ring_reserve(thread->ring, RECORD_OP, (uint16_t)op->accesses,
                                                  sizeof *record + tail, op->record.ticket_c)
                                   : NULL;
    if (!record) {
        if (!thread->ring)
            atomic_fetch_add(&process.control->lost, 1);
        return;
    }
    op->record.head = record->head;
    memcpy(record, &op->record, sizeof *record);
    memcpy(record + 1, op->more ? op->more : op->access, tail);
    ring_commit(thread->ring, record);
}

static void close_op(struct thread *thread, const struct op *op) {
    while (thread->depth && thread->open[thread->depth - 1] != op)
        thread->depth--;
    if (thread->depth)
        thread->depth--;
    if (thread->depth < thread->mute)
        thread->mute = 0;
}

static void publish_closed(struct thread *thread) {
    if (thread->depth == 0 && thread->ring)
        atomic_store_explicit(&thread->ring->open, 0, memory_order_release);
}

void op_cancel(struct op *op) {
    if (!op->thread || op->thread->epoch != process_epoch())
        return;
    close_op(op->thread, op);
    publish_closed(op->thread);
    op->thread = NULL;
}

void op_leave(struct op *op) {
    struct thread *thread = op->thread;
    if (!thread || thread->epoch != process_epoch())
        return; // forked inside the call: the child starts anew
    thread->busy = true;
    if (waits(op->record.kind))
        op->record.cpu_ns = thread_cpu_ns() - op->cpu;
    op->record.t_r = now_ns();
    op->record.ticket_r = take_ticket();
    if (op->children)
        op->record.flags |= FLAG_PARENT;
    close_op(thread, op);
    write_op(op);
    publish_closed(thread);
    thread->busy = false;
}

static const char *const call_names[] = {"",
#define NAME(call) #call,
                                         RECORDED_CALLS(NAME)
#undef NAME
};

void op_tell_calls(struct thread *thread) {
    for (uint32_t id = 1; id < CALL_COUNT; id++) {
        struct record_call call = {.id = id};
        ring_put_named(thread->ring, RECORD_CALL, &call, sizeof call, call_names[id]);
    }
}
