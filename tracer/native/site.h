// Where a call came from: a stack taken once, and the ordinal of the call within its scope.
#pragma once
#include "call.h"
#include "thread.h"

#define STACK_DEPTH 16

// Stack 0: none could be taken. A path is known by (function, return address, stack pointer, kind
// of scope) and by the return addresses above, where those could be found near it; its stack is
// taken again now and then: where two paths turn out to share all of these, and where syncs are
// left out by place, every call takes it.
struct site_entry *site_of_call(struct thread *thread, uint32_t call, void *caller, void *frame,
                                uint32_t scope);

// The entry of this key in the thread's cache, or the one to take its place.
struct site_entry *site_find(struct thread *thread, uint64_t key);
// Whether a path met so often is to be looked at again: often at first, since setting up takes each
// path once or twice; then ever more rarely, as a stack of a large C++ library takes up to 90 us.
static inline bool site_is_due(uint32_t hits) {
    return hits < 16 || (hits >= 256 && (hits & (hits - 1)) == 0);
}
