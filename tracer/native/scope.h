// Spans of the program that the user would name: a decode call, a scheduler run, a split.
#pragma once
#include "kinds.h"
#include "thread.h"

// Its number; 0: it has no room, and the next end of one that is known by its kind or its subject
// is its own.
uint32_t scope_open(struct thread *thread, enum scope_kind kind, const char *name,
                    const void *subject, void *frame);
// The same of one that is closed by its number, or with those around it: without room it is not.
uint32_t scope_try(struct thread *thread, enum scope_kind kind, const char *name,
                   const void *subject, void *frame);
// Closes the innermost scope of this kind, and those within it.
void scope_close(struct thread *thread, enum scope_kind kind);
// Closes the scope of this number, if it is open: those of tasks are closed in any order.
void scope_close_numbered(struct thread *thread, uint32_t id);
// Closes the innermost scope of this subject alone; false: there is none. How many are open.
bool scope_close_of(struct thread *thread, const void *subject);
unsigned scope_count_of(const struct thread *thread, const void *subject);
// Another thread ends the scope of this number: it is closed before its own thread looks again.
void scope_end_elsewhere(uint32_t id);
// The scope of an op entered now. A split of ggml's scheduler (the scope's subject) begins at the
// first op after the one before it.
uint32_t scope_for_op(struct thread *thread, enum kind kind);
// Ends the split, whose name is known now.
void scope_end_split(struct thread *thread, const char *name);
// The innermost scope of this kind, or null.
const struct scope *scope_of_kind(const struct thread *thread, enum scope_kind kind);
void scope_forget_abandoned(struct thread *thread, void *frame);
