// free, realloc and munmap as the program calls them: giving memory back that a device may still
// use is told as an op, before it happens. Everything else passes through.
//
// They are called from everywhere: by the loader, in constructors and signal handlers, for blocks
// of any allocator. As long as nothing is in flight that the program could free, nothing is done
// here but to load one word.
#include "intern.h"
#include "op.h"
#include "pending_table.h"
#include "protection.h"
#include "real_memory.h"
#include "resolve.h"
#include "spans.h"
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#define EXPORT __attribute__((visibility("default")))
#define SLOW __attribute__((noinline, cold))

// What is in flight of some bytes that are being given back. Held, so that nobody looks at it.
struct leaving {
    struct op op;
    unsigned count;
    struct pending *entry[OP_ACCESSES];
};

static void hold_all(struct leaving *leaving, uintptr_t lo, uintptr_t hi) {
    leaving->count = 0;
    for (unsigned n = 0; n < pending_used() && leaving->count < OP_ACCESSES; n++) {
        if (!span_meets(&in_flight, n, lo, hi))
            continue;
        struct pending *entry = pending_hold(n, true);
        if (entry && span_meets(&in_flight, n, lo, hi)) // and not by now another one
            leaving->entry[leaving->count++] = entry;
        else if (entry)
            pending_release(entry);
    }
}

// False: none of it is in flight.
static bool leave_begin(struct leaving *leaving, enum call call, uintptr_t lo, uintptr_t hi,
                        void *caller, void *frame) {
    leaving->op.thread = NULL;
    if (!spans_meet(&in_flight, lo, hi))
        return false;
    hold_all(leaving, lo, hi);
    if (leaving->count == 0)
        return false;
    for (unsigned i = 0; i < leaving->count; i++)
        protection_end(pending_number(leaving->entry[i])); // it would move along
    if (op_enter(&leaving->op, call, KIND_FREE_HOST, caller, frame)) {
        leaving->op.record.level = LEVEL_APP;
        for (unsigned i = 0; i < leaving->count; i++)
            op_note(&leaving->op, intern_range(leaving->op.thread, &leaving->entry[i]->range));
    }
    return true;
}

static void leave_end(struct leaving *leaving, bool gone) {
    for (unsigned i = 0; i < leaving->count; i++) {
        if (gone)
            pending_drop(leaving->entry[i]);
        else
            pending_release(leaving->entry[i]);
    }
    if (!gone)
        op_cancel(&leaving->op);
    op_leave(&leaving->op);
}

// Before anything that takes time: what is in flight may lie far away.
static inline bool may_be_in_flight(void *block) {
    uintptr_t lo = (uintptr_t)block;
    return spans_end_behind(&in_flight, lo) && block &&
           spans_start_before(&in_flight, lo + block_size(block));
}

static SLOW void free_watched(void *block, void *caller, void *frame) {
    struct leaving leaving;
    uintptr_t lo = (uintptr_t)block;
    int error = errno;
    if (leave_begin(&leaving, CALL_free, lo, lo + block_size(block), caller, frame))
        leave_end(&leaving, true);
    errno = error;
    real_memory.free(block);
}

EXPORT void free(void *block) {
    if (__builtin_expect(may_be_in_flight(block), 0))
        free_watched(block, __builtin_return_address(0), OP_FRAME());
    else
        real_memory.free(block);
}

// It may stay where it is: then nothing was given back but the end of a block that shrinks.
static SLOW void *realloc_watched(void *block, size_t size, void *caller, void *frame) {
    struct leaving leaving;
    uintptr_t lo = (uintptr_t)block, hi = lo + block_size(block);
    if (!leave_begin(&leaving, CALL_realloc, lo, hi, caller, frame))
        return real_memory.realloc(block, size);
    op_out(&leaving.op);
    void *now = real_memory.realloc(block, size);
    op_back(&leaving.op);
    bool moved = now ? now != block : size == 0;
    for (unsigned i = 0; now && i < leaving.count; i++)
        moved |= (uintptr_t)leaving.entry[i]->data + leaving.entry[i]->size > lo + size;
    leave_end(&leaving, moved);
    return now;
}

EXPORT void *realloc(void *block, size_t size) {
    if (__builtin_expect(may_be_in_flight(block), 0))
        return realloc_watched(block, size, __builtin_return_address(0), OP_FRAME());
    return real_memory.realloc(block, size);
}

static SLOW int munmap_watched(void *address, size_t size, void *caller, void *frame) {
    struct leaving leaving;
    uintptr_t lo = (uintptr_t)address;
    if (!leave_begin(&leaving, CALL_munmap, lo, lo + size, caller, frame))
        return real_memory.munmap(address, size);
    op_out(&leaving.op);
    int failed = real_memory.munmap(address, size);
    op_back(&leaving.op);
    leave_end(&leaving, !failed);
    return failed;
}

EXPORT int munmap(void *address, size_t size) {
    if (__builtin_expect(spans_end_behind(&in_flight, (uintptr_t)address), 0))
        return munmap_watched(address, size, __builtin_return_address(0), OP_FRAME());
    return real_memory.munmap(address, size);
}

// Not where this library is not in front of the others: loaded late, or behind another allocator.
bool frees_are_seen(void) {
    static _Atomic int seen; // 0: not looked at
    if (atomic_load_explicit(&seen, memory_order_relaxed) == 0)
        atomic_store(&seen, symbol_is_ours(symbol_for_all("free")) ? 1 : -1);
    return atomic_load_explicit(&seen, memory_order_relaxed) == 1;
}
