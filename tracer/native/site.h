// Where a call came from: a stack taken once, and the ordinal of the call within its scope.
#pragma once
#include "call.h"
#include "thread.h"

#define STACK_DEPTH 16

// Stack 0: none could be taken. The stack is known by (function, return address, stack pointer,
// kind of scope), and taken again now and then: where two paths turn out to share all of these, and
// where syncs are left out by place, every call takes it.
struct site_entry *site_of_call(struct thread *thread, enum call call, void *caller, void *frame,
                                uint32_t scope);
