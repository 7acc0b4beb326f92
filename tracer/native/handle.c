#include "handle.h"
#include "process.h"
#include <pthread.h>
#include <string.h>

enum { GONE = 1 }; // keys are aligned addresses

static atomic_flag changing = ATOMIC_FLAG_INIT;

void handles_lock(void) {
    while (atomic_flag_test_and_set_explicit(&changing, memory_order_acquire))
        ;
}

void handles_unlock(void) { atomic_flag_clear_explicit(&changing, memory_order_release); }

__attribute__((constructor)) static void unlock_in_child(void) {
    pthread_atfork(handles_lock, handles_unlock, handles_unlock);
}

static struct handle *free_entry(const struct handles *table, uintptr_t key) {
    size_t at = handle_start(table, key);
    for (size_t i = 0; i < HANDLE_PROBES; i++) {
        struct handle *entry = handle_at(table, at + i);
        if (atomic_load(&entry->key) <= GONE)
            return entry;
    }
    return NULL;
}

void *handle_add(const struct handles *table, const void *key, const void *fresh) {
    handles_lock();
    struct handle *entry = handle_find(table, key);
    if (!entry) {
        entry = free_entry(table, (uintptr_t)key);
        if (entry) {
            size_t skip = sizeof entry->key;
            memcpy((char *)entry + skip, (const char *)fresh + skip, table->entry_bytes - skip);
            atomic_store_explicit(&entry->key, (uintptr_t)key, memory_order_release);
        }
    }
    handles_unlock();
    if (!entry)
        atomic_fetch_add(&process.control->untracked, 1);
    return entry;
}

// A search ends at an entry that never was: where one follows, those gone before it can be such
// too.
static void bury(const struct handles *table, struct handle *entry) {
    size_t at = (size_t)((char *)entry - (char *)table->entries) / table->entry_bytes;
    atomic_store_explicit(&entry->key, GONE, memory_order_release);
    while (atomic_load(&handle_at(table, at + 1)->key) == 0 &&
           atomic_load(&handle_at(table, at)->key) == GONE) {
        atomic_store_explicit(&handle_at(table, at)->key, 0, memory_order_release);
        at += table->capacity - 1; // the one before, around the end
    }
}

void handle_remove(const struct handles *table, const void *key) {
    handles_lock();
    struct handle *entry = handle_find(table, key);
    if (entry)
        bury(table, entry);
    handles_unlock();
}
