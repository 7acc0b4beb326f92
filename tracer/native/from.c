#include "from.h"
#include "slots.h"

static void tell_unseen_stores(struct from from) {
    struct op op;
    if (!op_enter(&op, CALL_unseen_stores, KIND_HOST_WRITE, from.caller, from.frame))
        return;
    op.thread->waited = false;
    *op_access(&op) = (struct record_access){
        .mode = MODE_WRITE, .extent = EXTENT_EXACT, .origin = ORIGIN_SYNTHETIC};
    op_leave(&op);
}

bool enter(struct op *op, enum call call, enum kind kind, struct from from) {
    op->thread = NULL;
    if (from.by_name && slots_used())
        return false;
    const struct thread *thread = from.by_name ? NULL : thread_self();
    if (thread && thread->waited)
        tell_unseen_stores(from);
    return op_enter(op, call, kind, from.caller, from.frame);
}

void from_waited(struct op *op, struct from from) {
    if (op->thread && !from.by_name)
        op->thread->waited = true;
}
