#include "from.h"
#include "intern.h"
#include "wrapper.h"

static void tell_unseen_stores(struct from from) {
    OP(op);
    if (!op_enter(&op, CALL_unseen_stores, KIND_HOST_WRITE, from.caller, from.frame))
        return;
    op.thread->waited = false;
    struct range any = {.mode = MODE_WRITE, .extent = EXTENT_EXACT, .origin = ORIGIN_SYNTHETIC};
    op_note(&op, intern_range(op.thread, &any));
    op_leave(&op);
}

bool enter_with_slots(struct op *op, enum call call, enum kind kind, struct from from) {
    const struct thread *thread = from.by_name ? NULL : thread_self();
    op->thread = NULL;
    if (!thread || thread->mute)
        return false;
    from.caller = wrapper_caller(from.caller);
    if (thread->waited)
        tell_unseen_stores(from);
    return op_enter(op, call, kind, from.caller, from.frame);
}
