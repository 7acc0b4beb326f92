// Calls that are not simply left: whose op is written out of its turn, moved, or given up.
#include "op_open.h"

bool op_close_below(struct op *op, unsigned above) {
    struct thread *thread = op->thread;
    if (!is_open(thread, op) || thread->depth != op->slot + 1 + above || thread->mute)
        return false;
    struct open_op *open = &thread->open[op->slot];
    memmove(open, open + 1, above * sizeof *open);
    thread->depth--;
    publish_closed(thread);
    if (thread->depth && thread->ring) // as in publish_open: what is below was written
        atomic_store_explicit(&thread->ring->open, thread->open[0].ticket, memory_order_release);
    op->thread = NULL;
    return true;
}

void op_cancel(struct op *op) {
    if (op->thread && op->thread->epoch == process_epoch())
        close_op(op);
    op->thread = NULL;
}

struct op_place op_step_back(struct op *op) {
    struct thread *thread = op->thread;
    struct op_place place = {NULL, {0}};
    if (is_open(thread, op) && thread->depth == op->slot + 1) {
        place = (struct op_place){thread, thread->open[op->slot]};
        close_op(op);
    }
    return place;
}

void op_step_forth(struct op *op, struct op_place place) {
    if (!place.thread || place.thread->epoch != process_epoch())
        return;
    op->thread = place.thread;
    op->thread->busy = true;
    put_open(op, place.open);
}

void op_abandon(struct op *op) {
    if (!op->thread)
        return;
    op->thread->busy = true;
    op->record.flags |= FLAG_FAILED;
    scope_forget_abandoned(op->thread, op->thread->open[op->slot].frame);
    op_leave(op);
}
