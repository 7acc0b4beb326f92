#include "stores.h"
#include "intern.h"
#include "op.h"
#include "protection.h"

// What telling a store takes: the walk over the stack, mostly.
enum { ROOM = 8 << 10 };

// Bytes that were written, or of which the first one was (EXTENT_BASE_ONLY).
struct written {
    uintptr_t lo, hi;
    enum extent extent;
};

static struct range range_of(const struct pending *entry, struct written what) {
    uintptr_t start = (uintptr_t)entry->data, end = start + entry->size;
    struct range range = entry->range;
    range.pitch = range.width = range.height = 0;
    range.extent = (uint8_t)what.extent;
    range.hi = range.lo + ((what.hi < end ? what.hi : end) - start);
    range.lo += what.lo > start ? what.lo - start : 0;
    if (what.extent == EXTENT_BASE_ONLY) { // record.h says what this means then
        range.name_lo = range.lo;
        range.name_hi = range.hi;
        range.hi = range.lo + 1;
    }
    return range;
}

// By a raw store: what a recorded call writes is told by that.
static bool is_news(const struct pending *entry, struct written what) {
    uintptr_t start = (uintptr_t)entry->data, end = start + entry->size;
    bool first = what.lo >= start && what.lo < end;
    return (what.extent == EXTENT_BASE_ONLY ? first : what.lo < end && what.hi > start) &&
           !entry->written && !entry->tainted;
}

// Of more sources than an op has room for, the rest shows as changed bytes.
static void note_all(struct op *op, struct written what) {
    for (unsigned n = 0; n < pending_used() && op->accesses < OP_ACCESSES; n++) {
        if (!span_meets(&protected_pages, n, what.lo, what.hi))
            continue;
        struct pending *entry = pending_hold(n, true);
        if (!entry)
            continue;
        if (is_news(entry, what)) {
            struct range range = range_of(entry, what);
            op_note(op, intern_range(op->thread, &range));
            entry->told = true;
        }
        pending_release(entry);
    }
}

static void tell(struct written what, void *caller, void *frame) {
    OP(op);
    if (!op_enter_app(&op, CALL_host_store, KIND_HOST_WRITE, caller, frame))
        return;
    note_all(&op, what);
    if (op.accesses == 0)
        op_cancel(&op);
    op_leave(&op);
}

// Inside the recorder nothing is told: it may be halfway through telling something.
bool store_met(struct store store) {
    if (!spans_meet(&protected_pages, store.address, store.address + 1))
        return false;
    struct pages page = pages_around(store.address, store.address + 1);
    struct written what = {store.address, page.hi, EXTENT_BASE_ONLY};
    if (store.room >= ROOM && !(thread_known && thread_known->busy))
        tell(what, store.instruction, store.stack);
    else // its change may show at the next look
        atomic_fetch_add(&process.control->unwatched, page.hi - page.lo);
    return protection_lift(store.address, store.address + 1);
}

bool store_allow(uintptr_t buffer, size_t size) {
    return size && spans_meet(&protected_pages, buffer, buffer + size) &&
           protection_lift(buffer, buffer + size);
}

void store_made(uintptr_t buffer, size_t size, void *caller, void *frame) {
    if (size)
        tell((struct written){buffer, buffer + size, EXTENT_EXACT}, caller, frame);
}
