// Memory that a GPU API handed out or knows of: which of it an address lies in. Looked up without a
// lock, by any thread; allocations and frees take one.
#pragma once
#include "kinds.h"
#include "thread.h"

// One life of an allocation, or of host memory that was registered. Never moved and never unmapped:
// an entry that is used again has another `life`.
struct memory {
    _Alignas(64) uint64_t base; // in one line of the cache
    uint64_t size;
    uint64_t shift; // offset of its first byte in the storage
    uint32_t storage;
    int32_t device;     // that it was allocated on or registered for
    uint8_t kind;       // enum memory_kind
    bool pool;          // of a stream-ordered pool
    bool of_host;       // a part of the storage that stands for all host memory
    bool foreign;       // another process's
    bool of_graph;      // allocated by each launch of one
    _Atomic bool freed; // still found by its address, until other memory lies there
    _Atomic uint32_t life;
    _Atomic uint32_t parts; // blocks handed out of it so far (api_parts.h), in all its lives
    _Atomic uint32_t told;  // process epoch in which its storage was told
};

static inline bool memory_holds(const struct memory *memory, uint64_t address) {
    return address - memory->base < memory->size;
}
static inline bool memory_is_host(const struct memory *memory) {
    return !memory || (memory->kind != MEMORY_KIND_DEVICE && memory->kind != MEMORY_KIND_MANAGED);
}

// Counts what came and went: an answer of memory_at stands while it does not change. Memory of a
// device that is freed stays there.
extern _Atomic uint32_t memory_changes;
// The same, and what ggml has: an answer "no memory of ours" stands.
uint32_t memory_changed(void);

// All that was ever known lies between these.
extern _Atomic uint64_t memory_least, memory_most;
// Whether there is any use in looking: most words that are no pointers are far from all memory.
static inline bool memory_perhaps(uint64_t address) {
    return address >= atomic_load_explicit(&memory_least, memory_order_relaxed) &&
           address < atomic_load_explicit(&memory_most, memory_order_relaxed);
}

// Null: none that is known, plain host memory or nothing. Memory of a device that was freed is
// found too.
struct memory *memory_at(uint64_t address);
// Null also where it was freed.
struct memory *memory_alive(uint64_t address);
// ... but for pools, which keep their addresses: who names those names no other memory.
struct memory *memory_named(uint64_t address);
static inline struct memory *memory_if_named(struct memory *memory) {
    bool freed = memory && atomic_load_explicit(&memory->freed, memory_order_acquire);
    return freed && !memory->pool ? NULL : memory;
}

// The storage of all of these bytes, told in this recording; 0: they lie in no memory that is known
// but plain host memory.
uint32_t memory_around(struct thread *thread, uint64_t address, uint64_t size, uint64_t *offset);

// Where plain host memory lies: in a buffer that ggml knows, or in the storage that stands for all.
uint32_t memory_of_host(struct thread *thread, uint64_t address, uint64_t size, uint64_t *offset);

// It is found from here on. Null: no room, counted.
struct memory *memory_put(const struct memory *fresh);
// A new storage. Null: no room, counted.
struct memory *memory_add(struct thread *thread, struct memory fresh);
// An interval of host memory is of this kind from here on.
struct memory *memory_register(struct thread *thread, uint64_t base, uint64_t size, int device);
// Another address of memory that is known.
struct memory *memory_alias(const struct memory *of, uint64_t address, uint64_t base);
// It is given back. Host memory is no longer found, since the C library may hand out its addresses;
// what names other memory from now on uses it after its free. False: it was before. Then either it
// has ended, or it is still there: a free that failed.
bool memory_release(struct memory *memory);
void memory_released(struct memory *memory);
void memory_restore(struct memory *memory);
// The interval of host memory is pageable again.
void memory_unregistered(struct thread *thread, const struct memory *memory);
// Its name in the trace, cut where it does not fit.
void memory_name(const struct memory *memory, char *name, size_t bytes);
// The storage is told in this recording before it is named.
void memory_tell(struct thread *thread, struct memory *memory);
