// Through which way a recorded call came: a function's name or a slot of an object's interface.
// Both record the same op, so each is written once, split around the call itself.
#pragma once
#include "op.h"
#include "slots.h"

struct from {
    void *caller, *frame;
    bool by_name;
};
#define BY_NAME                                                                                    \
    (struct from) { __builtin_return_address(0), OP_FRAME(), true }
#define BY_SLOT                                                                                    \
    (struct from) { __builtin_return_address(0), OP_FRAME(), false }

// op_enter for a function that has a slot too: where slots are used, the name is passed through.
bool enter_with_slots(struct op *op, enum call call, enum kind kind, struct from from);
static inline bool enter(struct op *op, enum call call, enum kind kind, struct from from) {
    return slots_used() ? enter_with_slots(op, call, kind, from)
                        : op_enter(op, call, kind, from.caller, from.frame);
}

// The calling thread has waited for a backend: from here on it may store anything that this backend
// was using, and by slots no scheduler run says what. The next call tells that it may be any.
static inline void from_waited(struct op *op, struct from from) {
    if (op->thread && !from.by_name)
        op->thread->waited = true;
}
