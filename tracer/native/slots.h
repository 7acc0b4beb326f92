// Functions of ours in the interfaces of ggml's objects: what was there before, by object. Used
// where names cannot be interposed: ggml linked statically, or bound within its own library.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

// Set once, by the plug-in: then a function that has a slot is recorded there and not by its name.
extern _Atomic bool slots_in_use;
static inline bool slots_used(void) {
    return atomic_load_explicit(&slots_in_use, memory_order_relaxed);
}

// Objects whose slots could not be taken when there was no recording yet to tell it.
extern _Atomic unsigned slots_missed;

#define SLOTS 16
struct swap {
    int slot;
    void *hook;
};

// Puts the hooks into the object's interface. Empty slots stay empty: what an object cannot do is
// told by them. False: there is no room to remember it, nothing was changed.
bool slots_swap(void *object, void **slots, const struct swap *swaps, size_t count);
// What was in the slot of this object; as CALL, to be called outside the recorder.
void *slot_before(const void *object, int slot);
#define CALL_SLOT(op, object, slot, type) (op_out(&(op)), (type)slot_before(object, slot))
bool slot_is_ours(const void *object, int slot);
// The object is about to end.
void slots_gone(const void *object);
