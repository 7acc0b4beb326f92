// Address -> what is known of it. Looked up without a lock while one thread changes it; it grows,
// and what it grew out of is kept for those who are still looking there.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct address_entry {
    _Atomic uintptr_t key;
    _Atomic(void *) value; // null: removed
};

struct address_entries {
    size_t capacity; // a power of two
    struct address_entry entry[];
};

struct address_table {
    _Atomic(struct address_entries *) now; // null: empty
    size_t used;                           // keys, removed ones too
};

// The entry of the key, or the free one where it would be.
static inline struct address_entry *address_entry(struct address_entries *entries, uintptr_t key,
                                                  bool *present) {
    size_t at = key * 0x9e3779b97f4a7c15ull >> 20;
    for (;; at++) {
        struct address_entry *entry = &entries->entry[at & (entries->capacity - 1)];
        uintptr_t found = atomic_load_explicit(&entry->key, memory_order_acquire);
        *present = found == key;
        if (*present || found == 0)
            return entry;
    }
}

static inline void *address_find(struct address_table *table, const void *key) {
    struct address_entries *entries = atomic_load_explicit(&table->now, memory_order_acquire);
    bool present = false;
    struct address_entry *entry =
        entries && key ? address_entry(entries, (uintptr_t)key, &present) : NULL;
    return present ? atomic_load_explicit(&entry->value, memory_order_acquire) : NULL;
}

// False: no memory. A value that is null removes.
bool address_put(struct address_table *table, const void *key, void *value);
