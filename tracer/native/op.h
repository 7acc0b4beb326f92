// One recorded call: opened when it is entered, written to the ring when it has returned.
#pragma once
#include "call.h"
#include "kinds.h"
#include "thread.h"
#include <string.h>

#define OP_ACCESSES 3

struct op {
    struct thread *thread; // null: not recorded
    struct record_op record;
    struct record_access access[OP_ACCESSES];
    const struct record_access *more; // accesses kept elsewhere, instead of `access`
    unsigned accesses;
    unsigned children;
    bool parent; // nested ops are its children and carry its edges and accesses
    void *frame;
    int64_t cpu;
};

// False: the call is passed through unrecorded.
bool op_enter(struct op *op, enum call call, enum kind kind, void *caller, void *frame);
void op_leave(struct op *op);
// Nothing happened that is worth an op: it is forgotten.
void op_cancel(struct op *op);

// For an op that encloses others of the same or a lower level.
static inline void op_encloses(struct op *op) { op->parent = true; }

// Nested calls are its own business: they are not recorded.
static inline void op_mute(struct op *op) { op->thread->mute = op->thread->depth; }

// At most OP_ACCESSES a call.
static inline struct record_access *op_access(struct op *op) { return &op->access[op->accesses++]; }

// What tells an open call from one that was left: where the caller's stack ended. The frame pointer
// would not do on aarch64, where it lies below the locals: a call with more of them would seem to
// be made within one that was left.
#define OP_FRAME() __builtin_dwarf_cfa()

#define OP_ENTER(op, call, kind)                                                                   \
    op_enter(op, CALL_##call, kind, __builtin_return_address(0), OP_FRAME())

// Names of the recorded functions, once a process.
void op_tell_calls(struct thread *thread);
