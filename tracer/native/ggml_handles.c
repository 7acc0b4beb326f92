// Backends, events and schedulers.
#include "ggml_backend_slots.h"
#include "ggml_copy.h"
#include "ggml_layout.h"
#include "ggml_told.h"
#include "kinds.h"
#include "resolve.h"
#include "slots.h"

TABLE(backend, backends, 256);
TABLE(event, events, 4096);
TABLE(sched, scheds, 64);

static void tell_backend(struct thread *thread, struct backend *backend, backend_t key) {
    struct record_actor actor = {
        .handle = (uintptr_t)key,
        .born = atomic_load(&process.control->ticket),
        .id = backend->handle.id,
        .device = backend->device,
        .flags = backend->synchronous ? STREAM_FLAG_SYNCHRONOUS : 0,
        .kind = ACTOR_KIND_BACKEND,
    };
    set_told(&backend->handle, thread->ring && ring_put_named(thread->ring, RECORD_ACTOR, &actor,
                                                              sizeof actor, backend->name));
}

struct backend *backend_of(struct thread *thread, backend_t key) {
    if (!key)
        return NULL;
    struct backend *backend = handle_find(&backends, key);
    if (!backend) {
        int moved = ggml_layout()->moved;
        struct backend fresh = {
            .synchronous = key->slot[SLOT_SYNCHRONIZE + moved] == NULL,
            .sets = key->slot[SLOT_SET_ASYNC] != NULL,
            .gets = key->slot[SLOT_GET_ASYNC] != NULL,
            .sets_2d = moved && key->slot[SLOT_SET_2D_ASYNC],
            .gets_2d = moved && key->slot[SLOT_GET_2D_ASYNC],
        };
        copy_name(fresh.name, REAL(ggml_backend_name)(key));
        fresh.device = ordinal_in(fresh.name);
        fresh.handle.id = take_id(ID_ACTOR);
        fresh.copy = copy_slot_real(key->slot[SLOT_COPY_ASYNC + moved]);
        backend = handle_add(&backends, key, &fresh);
        if (!backend)
            return NULL;
        if (backend->copy)
            __atomic_store_n(&key->slot[SLOT_COPY_ASYNC + moved], copy_slot_hook(),
                             __ATOMIC_RELEASE);
        if (slots_used())
            backend_slots_take(key);
    }
    if (!told(&backend->handle))
        tell_backend(thread, backend, key);
    return backend;
}

struct event *event_of(struct thread *thread, void *key) {
    if (!key)
        return NULL;
    struct event *event = handle_find(&events, key);
    if (!event) {
        struct event fresh = {.handle.id = take_id(ID_EVENT), .device = -1};
        event = handle_add(&events, key, &fresh);
        if (!event)
            return NULL;
    }
    if (!told(&event->handle) && thread->ring) {
        struct record_event *record = ring_reserve(thread->ring, RECORD_EVENT, 0, sizeof *record,
                                                   atomic_load(&process.control->ticket));
        if (record) {
            record->handle = (uintptr_t)key;
            record->born = atomic_load(&process.control->ticket);
            record->id = event->handle.id;
            record->device = event->device;
            ring_commit(thread->ring, record);
        }
        set_told(&event->handle, record != NULL);
    }
    return event;
}

struct sched *sched_of(void *key) {
    struct sched *sched = handle_find(&scheds, key);
    if (sched)
        return sched;
    static const struct sched fresh;
    return handle_add(&scheds, key, &fresh);
}

struct backend *backend_known(backend_t backend) {
    return handle_find(&backends, backend);
}

struct event *event_known(void *event) {
    return handle_find(&events, event);
}

void backend_gone(backend_t backend) { handle_remove(&backends, backend); }
void event_gone(void *event) { handle_remove(&events, event); }
void sched_gone(void *sched) { handle_remove(&scheds, sched); }
