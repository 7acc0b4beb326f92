// One recorded call: opened when it is entered, written to the ring when it has returned.
//
//     OP(op);                                  // failed if the call is left by an exception
//     if (OP_ENTER(&op, NAME, KIND_...)) ...   // what it touches
//     CALL(op, NAME)(arguments);               // outside the recorder: signals and nested calls
//     op_back(&op);                            // inside again
//     op_leave(&op);
#pragma once
#include "call.h"
#include "kinds.h"
#include "thread.h"
#include <string.h>

struct op {
    struct thread *thread; // null: not recorded
    struct record_op record;
    const uint32_t *more; // ids of its accesses where OP_ACCESSES are too few
    unsigned accesses;
    unsigned slot; // in thread->open
    struct site_entry *site;
    int64_t cpu; // thread CPU time at its start; -1: not taken
    bool within; // another op of its call is open around it
};

// False: the call is passed through unrecorded.
bool op_enter(struct op *op, enum call call, enum kind kind, void *caller, void *frame);
// Of a GPU API: recorded also within a call whose nested calls of its own level are not, and never
// within another of its level.
bool op_enter_api(struct op *op, uint32_t call, enum kind kind, void *caller, void *frame);
// Another op of the call that `first` was made for: within it where that is still open, which must
// enclose others; else behind it.
bool op_enter_more(struct op *op, const struct op *first, enum kind kind);
// What the program tells of itself.
bool op_enter_app(struct op *op, enum call call, enum kind kind, void *caller, void *frame);
// The two halves of op_enter, for a front-end that finds call sites in its own way (python_op.c).
bool op_begin(struct op *op, uint32_t call, enum kind kind, enum level level, void *frame);
void op_begun(struct op *op, struct site_entry *site, void *frame);
// Writes the op; op->thread is null from then on.
void op_leave(struct op *op);
// Its first half, and the other one where calls that were entered later are still open: `above` of
// them, whose slots go down by one. False: others are, too.
void op_written(struct op *op);
bool op_close_below(struct op *op, unsigned above);
// Nothing happened that is worth an op: it is forgotten.
void op_cancel(struct op *op);
// Not made yet, it steps behind what is told between the two: what is known of it stays, and it is
// not recorded meanwhile. No thread: it stays where it is, since others are open within it.
struct op_place {
    struct thread *thread;
    struct open_op open;
};
struct op_place op_step_back(struct op *op);
void op_step_forth(struct op *op, struct op_place place);
// The call was left by an exception: it failed.
void op_abandon(struct op *op);

static inline void op_left(struct op *op) {
    if (op->thread)
        op_abandon(op);
}
#define OP(name)                                                                                   \
    __attribute__((cleanup(op_left))) struct op name;                                              \
    name.thread = NULL
// What tells an open call from one that was left: where the caller's stack ended. The frame pointer
// would not do on aarch64, where it lies below the locals: a call with more of them would seem to
// be made within one that was left.
#define OP_FRAME() __builtin_dwarf_cfa()
#define OP_ENTER(op, call, kind)                                                                   \
    op_enter(op, CALL_##call, kind, __builtin_return_address(0), OP_FRAME())
#define OP_ENTER_APP(op, call, kind)                                                               \
    op_enter_app(op, CALL_##call, kind, __builtin_return_address(0), OP_FRAME())
#define CALL(op, name) (op_out(&(op)), REAL(name))

static inline void op_out(struct op *op) {
    if (op->thread)
        op->thread->busy = false;
}
static inline void op_back(struct op *op) {
    if (op->thread)
        op->thread->busy = true;
}

// For an op that encloses others of the same or a lower level: they carry its edges and accesses.
static inline void op_encloses(struct op *op) { op->thread->open[op->slot].encloses = true; }

// The call is left out on request: the real function must not be called.
static inline bool op_skipped(const struct op *op) {
    return op->thread && op->record.flags & FLAG_SKIPPED;
}

// Nested calls are its own business: they are not recorded.
static inline void op_mute(struct op *op) { op->thread->mute = op->thread->depth; }

// At most OP_ACCESSES a call. The range by its number; 0: it could not be told.
static inline void op_note(struct op *op, uint32_t id) {
    if (id)
        op->record.access[op->accesses++] = id;
}

// Names of the recorded functions, once a process.
void op_tell_calls(struct thread *thread);
void op_tell_call(struct thread *thread, uint32_t id, const char *name);
// A number for a function that has none of enum call (a kernel, a Python function); 0: they ran
// out.
uint32_t op_new_call(void);
// All of these are free again: a new recording begins.
void op_forget_calls(void);
