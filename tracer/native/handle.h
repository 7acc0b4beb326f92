// Identity of live handles: address -> the n-th life of that object. Looked up without a lock; only
// a first sight and a free take one.
#pragma once
#include "record.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct handle {
    _Atomic uintptr_t key;
    uint32_t id;           // row in the trace
    _Atomic uint32_t told; // process epoch in which its row was written
};

// A table of fixed size; entries begin with a struct handle.
struct handles {
    void *entries;
    size_t entry_bytes;
    size_t capacity; // a power of two
};

enum { HANDLE_PROBES = 64 }; // a handle lies so near to where its search begins

static inline size_t handle_start(const struct handles *table, uintptr_t key) {
    return (key * 0x9e3779b97f4a7c15ull >> 20) & (table->capacity - 1);
}

static inline struct handle *handle_at(const struct handles *table, size_t at) {
    return (struct handle *)((char *)table->entries +
                             (at & (table->capacity - 1)) * table->entry_bytes);
}

static inline void *handle_find(const struct handles *table, const void *key) {
    if (!key)
        return NULL;
    size_t at = handle_start(table, (uintptr_t)key);
    for (size_t i = 0; i < HANDLE_PROBES; i++) {
        struct handle *entry = handle_at(table, at + i);
        uintptr_t present = atomic_load_explicit(&entry->key, memory_order_acquire);
        if (present == (uintptr_t)key)
            return entry;
        if (present == 0)
            return NULL;
    }
    return NULL;
}
// The entry of the handle: `fresh`, copied in, unless another thread was first. Null: table full.
void *handle_add(const struct handles *table, const void *key, const void *fresh);
void handle_remove(const struct handles *table, const void *key);

// Held by what changes a table, and by what else is to happen once at an object's first sight.
void handles_lock(void);
void handles_unlock(void);
