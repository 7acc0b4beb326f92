#include "from.h"
#include "slots.h"
#include "wrapper.h"

static void tell_unseen_stores(struct from from) {
    OP(op);
    if (!op_enter(&op, CALL_unseen_stores, KIND_HOST_WRITE, from.caller, from.frame))
        return;
    op.thread->waited = false;
    struct range any = {.mode = MODE_WRITE, .extent = EXTENT_EXACT, .origin = ORIGIN_SYNTHETIC};
    op_touch(&op, &any);
    op_leave(&op);
}

bool enter(struct op *op, enum call call, enum kind kind, struct from from) {
    op->thread = NULL;
    if (slots_used()) {
        const struct thread *thread = from.by_name ? NULL : thread_self();
        if (!thread || thread->mute)
            return false;
        from.caller = wrapper_caller(from.caller);
        if (thread->waited)
            tell_unseen_stores(from);
    }
    return op_enter(op, call, kind, from.caller, from.frame);
}

void from_waited(struct op *op, struct from from) {
    if (op->thread && !from.by_name)
        op->thread->waited = true;
}
