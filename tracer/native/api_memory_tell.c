// Memory of a GPU API as rows of the trace: its storage, its name, its kind.
#include "api_memory.h"
#include "ggml_handles.h"
#include <stdio.h>

uint32_t memory_changed(void) {
    return atomic_load_explicit(&memory_changes, memory_order_acquire) +
           (uint32_t)buffers_changes();
}

static const char *word_for(const struct memory *memory) {
    if (memory->of_host)
        return "host memory";
    if (memory->foreign)
        return "IPC memory";
    switch (memory->kind) {
    case MEMORY_KIND_DEVICE:
        return memory->pool ? "pool memory" : "device memory";
    case MEMORY_KIND_MANAGED:
        return "managed memory";
    case MEMORY_KIND_MAPPED:
        return "mapped memory";
    case MEMORY_KIND_WRITE_COMBINED:
        return "write-combined memory";
    default:
        return "pinned memory";
    }
}

void memory_name(const struct memory *memory, char *name, size_t bytes) {
    if (memory->of_host)
        snprintf(name, bytes, "%s", word_for(memory));
    else
        snprintf(name, bytes, "%s %u", word_for(memory), memory->storage);
}

void memory_tell(struct thread *thread, struct memory *memory) {
    uint32_t epoch = process_epoch();
    if (memory->of_host) {
        host_memory(thread);
        return;
    }
    if (atomic_load_explicit(&memory->told, memory_order_relaxed) == epoch || !thread->ring)
        return;
    struct record_storage storage = {
        .handle = memory->base,
        .base = memory->base,
        .size = memory->size,
        .born = atomic_load(&process.control->ticket),
        .id = memory->storage,
        .device = memory_is_host(memory) ? -1 : memory->device,
        .memory = memory->kind,
    };
    char name[48];
    memory_name(memory, name, sizeof name);
    if (ring_put_named(thread->ring, RECORD_STORAGE, &storage, sizeof storage, name))
        atomic_store_explicit(&memory->told, epoch, memory_order_relaxed);
}

struct memory *memory_add(struct thread *thread, struct memory fresh) {
    fresh.storage = take_id(ID_STORAGE);
    struct memory *memory = memory_put(&fresh);
    if (memory)
        memory_tell(thread, memory);
    return memory;
}

uint32_t memory_around(struct thread *thread, uint64_t address, uint64_t size, uint64_t *offset) {
    struct memory *memory = memory_at(address);
    if (!memory || memory->of_host || size > memory->base + memory->size - address)
        return 0;
    memory_tell(thread, memory);
    *offset = address - memory->base + memory->shift;
    return memory->storage;
}

uint32_t memory_of_host(struct thread *thread, uint64_t address, uint64_t size, uint64_t *offset) {
    const struct buffer *buffer = host_buffer_around(address, size);
    *offset = buffer ? address - buffer->host + (uint64_t)buffer->shift : address;
    return buffer ? buffer->handle.id : host_memory(thread);
}

static void tell_kind(struct thread *thread, uint32_t storage, uint64_t lo, uint64_t hi,
                      enum memory_kind kind) {
    struct record_memory *record =
        thread->ring ? ring_reserve(thread->ring, RECORD_MEMORY, 0, sizeof *record,
                                    atomic_load(&process.control->ticket))
                     : NULL;
    if (!record)
        return;
    record->storage = storage;
    record->kind = kind;
    record->lo = lo;
    record->hi = hi;
    record->since = atomic_load(&process.control->ticket);
    ring_commit(thread->ring, record);
}

struct memory *memory_register(struct thread *thread, uint64_t base, uint64_t size, int device) {
    struct memory fresh = {
        .base = base,
        .size = size,
        .device = device,
        .kind = MEMORY_KIND_REGISTERED,
        .of_host = true,
    };
    fresh.storage = memory_of_host(thread, base, size, &fresh.shift);
    tell_kind(thread, fresh.storage, fresh.shift, fresh.shift + size, MEMORY_KIND_REGISTERED);
    return memory_put(&fresh);
}

void memory_unregistered(struct thread *thread, const struct memory *memory) {
    tell_kind(thread, memory->storage, memory->shift, memory->shift + memory->size,
              MEMORY_KIND_PAGEABLE);
}
