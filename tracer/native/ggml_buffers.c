// Buffers, and host memory that is none's.
#include "api_memory.h"
#include "ggml_buffer_slots.h"
#include "ggml_told.h"
#include "kinds.h"
#include "pending.h"
#include "resolve.h"
#include "slots.h"

TABLE(buffer, buffers, 8192);

// The live buffers in host memory, to be searched by address.
enum { HOST_BUFFERS = 256 };
static _Atomic(struct buffer *) hosts[HOST_BUFFERS];
static _Atomic size_t hosts_used;

_Atomic uint64_t buffers_changed;

static void tell_storage(struct thread *thread, struct handle *handle, uint64_t key, uint64_t base,
                         uint64_t size, int32_t device, enum memory_kind kind, const char *name) {
    struct record_storage storage = {
        .handle = key,
        .base = base,
        .size = size,
        .born = atomic_load(&process.control->ticket),
        .id = handle->id,
        .device = device,
        .memory = kind,
    };
    set_told(handle, thread->ring && ring_put_named(thread->ring, RECORD_STORAGE, &storage,
                                                    sizeof storage, name));
}

// Both levels speak of the same bytes: what a GPU API handed out is its storage.
static bool place_in_memory(struct buffer *buffer) {
    struct memory *memory = buffer->base ? memory_alive(buffer->base) : NULL;
    if (!memory || buffer->base + buffer->size > memory->base + memory->size)
        return false;
    buffer->memory = memory;
    buffer->view = true;
    buffer->handle.id = memory->storage;
    buffer->shift = (int64_t)(buffer->base - memory->base + memory->shift);
    return true;
}

// A buffer over memory that another live buffer holds shares its storage.
static void place(struct buffer *buffer) {
    if (place_in_memory(buffer))
        return;
    const struct buffer *around =
        buffer->host ? host_buffer_around(buffer->host, buffer->size) : NULL;
    buffer->view = around != NULL;
    if (around) {
        buffer->handle.id = around->handle.id;
        buffer->shift = (int64_t)(buffer->host - around->host) + around->shift;
    } else if (buffer->size) {
        buffer->handle.id = take_id(ID_STORAGE);
    }
}

static void list_host(struct buffer *buffer) {
    for (size_t i = 0; i < HOST_BUFFERS; i++) {
        struct buffer *none = NULL;
        if (!atomic_compare_exchange_strong(&hosts[i], &none, buffer))
            continue;
        size_t used = atomic_load(&hosts_used);
        while (used < i + 1 && !atomic_compare_exchange_weak(&hosts_used, &used, i + 1))
            ;
        return;
    }
    atomic_fetch_add(&process.control->untracked, 1);
}

static struct buffer *add_buffer(void *key, void *data) {
    struct buffer fresh = {.size = REAL(ggml_backend_buffer_get_size)(key)};
    bool several =
        REAL(ggml_backend_buffer_is_multi_buffer) && REAL(ggml_backend_buffer_is_multi_buffer)(key);
    if (fresh.size && !several)
        fresh.base = (uintptr_t)REAL(ggml_backend_buffer_get_base)(key);
    fresh.is_host = REAL(ggml_backend_buffer_is_host)(key);
    fresh.usage = REAL(ggml_backend_buffer_get_usage)(key);
    fresh.lent = data != NULL;
    fresh.host = data ? (uintptr_t)data : fresh.is_host ? fresh.base : 0;
    copy_name(fresh.name, REAL(ggml_backend_buffer_name)(key));
    fresh.device = fresh.host ? -1 : ordinal_in(fresh.name);
    place(&fresh);
    fresh.slotted = slots_used() && buffer_slots_take(key, fresh.name);
    struct buffer *buffer = handle_add(&buffers, key, &fresh);
    if (buffer && buffer->host && (!buffer->view || buffer->memory) && buffer->size)
        list_host(buffer);
    atomic_fetch_add(&buffers_changed, 1);
    return buffer;
}

static struct buffer *tell_buffer(struct thread *thread, struct buffer *buffer, void *key) {
    if (buffer && buffer->memory)
        memory_tell(thread, buffer->memory);
    else if (buffer && buffer->size && !buffer->view && !told(&buffer->handle))
        tell_storage(thread, &buffer->handle, (uintptr_t)key, buffer->base, buffer->size,
                     buffer->device, buffer->host ? MEMORY_KIND_HOST : MEMORY_KIND_DEVICE,
                     buffer->name);
    return buffer;
}

// By slots neither every free is seen nor any change of usage: the buffer itself is asked.
static struct buffer *still(struct buffer *buffer, void *key) {
    if (!buffer_slots_stand(key)) {
        buffer_gone(key);
        return NULL;
    }
    atomic_store_explicit(&buffer->usage, REAL(ggml_backend_buffer_get_usage)(key),
                          memory_order_relaxed);
    return buffer;
}

static inline struct buffer *find_buffer(void *key) {
    struct buffer *buffer = handle_find(&buffers, key);
    return buffer && buffer->slotted ? still(buffer, key) : buffer;
}

struct buffer *buffer_of(struct thread *thread, void *key) {
    if (!key)
        return NULL;
    struct buffer *buffer = find_buffer(key);
    return tell_buffer(thread, buffer ? buffer : add_buffer(key, NULL), key);
}

struct buffer *buffer_of_host_memory(struct thread *thread, void *key, void *data) {
    if (!key)
        return NULL;
    struct buffer *buffer = find_buffer(key);
    return tell_buffer(thread, buffer ? buffer : add_buffer(key, data), key);
}

void buffer_gone(void *key) {
    struct buffer *buffer = handle_find(&buffers, key);
    for (size_t i = 0; buffer && i < atomic_load(&hosts_used); i++) {
        struct buffer *listed = buffer;
        atomic_compare_exchange_strong(&hosts[i], &listed, NULL);
    }
    uint32_t storage = buffer ? buffer->handle.id : 0;
    handle_remove(&buffers, key);
    atomic_fetch_add(&buffers_changed, 1);
    if (storage)
        pending_forget(storage); // not before it is out of the list
}
void buffer_used_as(struct buffer *buffer, int usage) {
    atomic_store(&buffer->usage, usage);
    atomic_fetch_add(&buffers_changed, 1);
}

const struct buffer *host_buffer_around(uintptr_t address, uint64_t size) {
    for (size_t i = 0; i < atomic_load_explicit(&hosts_used, memory_order_acquire); i++) {
        const struct buffer *buffer = atomic_load_explicit(&hosts[i], memory_order_acquire);
        if (buffer && address >= buffer->host && size <= buffer->size &&
            address - buffer->host <= buffer->size - size)
            return buffer;
    }
    return NULL;
}

bool host_buffer_present(const void *data, uint64_t size) {
    const struct buffer *buffer = host_buffer_around((uintptr_t)data, size);
    return buffer && !buffer->lent;
}

static _Atomic bool pageable;

void host_memory_is_pageable(void) { atomic_store(&pageable, true); }

uint32_t host_memory(struct thread *thread) {
    static struct handle handle;
    static _Atomic uint32_t id;
    if (atomic_load(&id) == 0) {
        uint32_t none = 0, mine = take_id(ID_STORAGE);
        atomic_compare_exchange_strong(&id, &none, mine);
    }
    if (!told(&handle)) {
        handle.id = atomic_load(&id);
        tell_storage(thread, &handle, 0, 0, INT64_MAX, -1,
                     atomic_load(&pageable) ? MEMORY_KIND_PAGEABLE : MEMORY_KIND_HOST,
                     "host memory");
    }
    return atomic_load(&id);
}
