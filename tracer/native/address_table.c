#include "address_table.h"
#include <sys/mman.h>

enum { SMALLEST = 256 };

static size_t bytes_of(size_t capacity) {
    return sizeof(struct address_entries) + capacity * sizeof(struct address_entry);
}

static void put(struct address_entries *entries, uintptr_t key, void *value) {
    bool present;
    struct address_entry *entry = address_entry(entries, key, &present);
    atomic_store_explicit(&entry->value, value, memory_order_release);
    atomic_store_explicit(&entry->key, key, memory_order_release);
}

static size_t live_in(struct address_entries *entries) {
    size_t live = 0;
    for (size_t i = 0; entries && i < entries->capacity; i++)
        live += atomic_load(&entries->entry[i].value) != NULL;
    return live;
}

// A quarter full at most, without those removed.
static struct address_entries *grown(struct address_table *table) {
    struct address_entries *old = atomic_load(&table->now);
    size_t live = live_in(old), capacity = SMALLEST;
    while (capacity < 4 * (live + 1))
        capacity *= 2;
    struct address_entries *fresh = mmap(NULL, bytes_of(capacity), PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fresh == MAP_FAILED)
        return NULL;
    fresh->capacity = capacity;
    for (size_t i = 0; old && i < old->capacity; i++) {
        void *value = atomic_load(&old->entry[i].value);
        if (value)
            put(fresh, atomic_load(&old->entry[i].key), value);
    }
    table->used = live;
    atomic_store_explicit(&table->now, fresh, memory_order_release);
    return fresh;
}

bool address_put(struct address_table *table, const void *key, void *value) {
    struct address_entries *entries = atomic_load(&table->now);
    if (!key)
        return false;
    bool present = false;
    if (entries)
        (void)address_entry(entries, (uintptr_t)key, &present);
    if (present)
        put(entries, (uintptr_t)key, value);
    if (present || !value)
        return true;
    if (!entries || 2 * table->used >= entries->capacity)
        entries = grown(table);
    if (!entries)
        return false;
    put(entries, (uintptr_t)key, value);
    table->used++;
    return true;
}
