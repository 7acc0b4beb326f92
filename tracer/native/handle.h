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

void *handle_find(const struct handles *table, const void *key);
// The entry of the handle: `fresh`, copied in, unless another thread was first. Null: table full.
void *handle_add(struct handles *table, const void *key, const void *fresh);
void handle_remove(struct handles *table, const void *key);

// Held by what changes a table, and by what else is to happen once at an object's first sight.
void handles_lock(void);
void handles_unlock(void);
