// ggml's objects as rows of the trace: backends, buffers, events, schedulers.
#pragma once
#include "ggml_abi.h"
#include "handle.h"
#include "thread.h"

#define SCHED_INPUTS 256

struct memory;

struct backend {
    struct handle handle;
    int32_t device; // ordinal; -1: host
    bool synchronous;
    bool sets, gets; // has an asynchronous set/get of its own
    bool sets_2d, gets_2d;
    bool (*copy)(backend_t, backend_t, const tensor_t *, tensor_t *);
    char name[64];
};

struct buffer {
    struct handle handle; // id of its storage
    uintptr_t base;       // as tensors see it: may be fake
    uint64_t size;
    int64_t shift;  // from its offsets to those of the storage (views of other memory)
    uintptr_t host; // address of byte 0 of the buffer for the host; 0: none
    bool is_host;
    bool view;             // of storage that another buffer was the first to name
    struct memory *memory; // of a GPU API that it lies in; null: none that is known
    bool lent;             // the program owns the memory
    bool slotted;
    _Atomic int usage;
    int32_t device;
    uint64_t born;
    char name[64];
};

struct event {
    struct handle handle;
    int32_t device;
};

struct sched {
    struct handle handle;
    _Atomic uint32_t generation; // grows whenever its graphs may have changed
    bool allocated;
    unsigned inputs;
    tensor_t *input[SCHED_INPUTS];
};

// Each registers the object at first sight and writes its row. Null: the table is full.
struct backend *backend_of(struct thread *thread, backend_t backend);
struct buffer *buffer_of(struct thread *thread, void *buffer);
struct event *event_of(struct thread *thread, void *event);
struct sched *sched_of(void *sched);
// The buffer, which lies in host memory that the program already had.
struct buffer *buffer_of_host_memory(struct thread *thread, void *buffer, void *data);

// Grows after every change of what a range can depend on: which buffers there are, and their usage.
extern _Atomic uint64_t buffers_changed;
static inline uint64_t buffers_changes(void) {
    return atomic_load_explicit(&buffers_changed, memory_order_acquire);
}

// Without registering it.
struct backend *backend_known(backend_t backend);
struct event *event_known(void *event);

void buffer_used_as(struct buffer *buffer, int usage);
void backend_gone(backend_t backend);
void buffer_gone(void *buffer);
void event_gone(void *event);
void sched_gone(void *sched);

// The live host buffer around these bytes, or null.
const struct buffer *host_buffer_around(uintptr_t address, uint64_t size);
bool host_buffer_present(const void *data, uint64_t size);
// Memory that belongs to no known buffer: one storage, offsets are addresses.
uint32_t host_memory(struct thread *thread);
// It is, from the first call of a GPU's API on, which tells what it allocates and registers. Until
// then nobody can say.
void host_memory_is_pageable(void);
