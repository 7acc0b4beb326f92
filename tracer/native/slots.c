#include "slots.h"
#include "handle.h"
#include "process.h"
#include <string.h>

_Atomic bool slots_in_use;
_Atomic unsigned slots_missed;

struct slotted {
    struct handle handle;
    void *before[SLOTS];
};
enum { SLOTTED = 16384 };
static struct slotted entries[SLOTTED];
static const struct handles table = {entries, sizeof(struct slotted), SLOTTED};

static bool has_some(void **slots, const struct swap *swaps, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (slots[swaps[i].slot] == swaps[i].hook)
            return true;
    return false;
}

// Two threads may meet the object at once: what one has stored must not be taken for the real.
bool slots_swap(void *object, void **slots, const struct swap *swaps, size_t count) {
    struct slotted fresh = {0};
    struct slotted *entry = handle_find(&table, object);
    if (!entry)
        entry = handle_add(&table, object, &fresh);
    if (!entry)
        return false;
    handles_lock();
    if (!has_some(slots, swaps, count)) // a first sight, or a new object at an old address
        memset(entry->before, 0, sizeof entry->before);
    for (size_t i = 0; i < count; i++) {
        void **slot = &slots[swaps[i].slot];
        if (!*slot || *slot == swaps[i].hook)
            continue;
        entry->before[swaps[i].slot] = *slot;
        __atomic_store_n(slot, swaps[i].hook, __ATOMIC_RELEASE);
    }
    handles_unlock();
    return true;
}

void *slot_before(const void *object, int slot) {
    const struct slotted *entry = handle_find(&table, object);
    return entry ? entry->before[slot] : NULL;
}

bool slot_is_ours(const void *object, int slot) { return slot_before(object, slot) != NULL; }

void slots_gone(const void *object) { handle_remove(&table, object); }
