#include "api_stream.h"
#include "api_runtime.h"
#include "process.h"
#include <stdio.h>
#include <string.h>

#define TABLE(type, name, count)                                                                   \
    static struct type name##_entries[count];                                                      \
    static const struct handles name = {name##_entries, sizeof(struct type), count}

TABLE(api_stream, streams, 8192);
TABLE(api_event, events, 65536);

// Keys of streams that have no handle of their own. No object lies at such an address.
#define LEGACY_KEY(device) ((void *)(uintptr_t)(0x100 + (unsigned)(device)))
#define PER_THREAD_KEY(actor, device)                                                              \
    ((void *)((uintptr_t)1 << 62 | (uintptr_t)(actor) << 12 | (unsigned)(device)))

static bool is_told(const struct handle *handle) {
    return atomic_load_explicit(&handle->told, memory_order_relaxed) == process_epoch();
}

static void name_of(const struct api_stream *stream, const char *runtime, char *name,
                    size_t bytes) {
    if (stream->flags & STREAM_FLAG_LEGACY)
        snprintf(name, bytes, "%s%d null stream", runtime, stream->device);
    else if (stream->flags & STREAM_FLAG_PER_THREAD)
        snprintf(name, bytes, "%s%d stream of thread %u", runtime, stream->device, stream->number);
    else
        snprintf(name, bytes, "%s%d stream %u", runtime, stream->device, stream->number);
}

void api_stream_tell(struct thread *thread, struct api_stream *stream) {
    if (is_told(&stream->handle) || !thread->ring)
        return;
    struct record_actor actor = {
        .handle = atomic_load(&stream->handle.key),
        .born = atomic_load(&process.control->ticket),
        .id = stream->handle.id,
        .device = stream->device,
        .flags = stream->flags,
        .kind = ACTOR_KIND_STREAM,
    };
    char name[64];
    name_of(stream, api_runtime_name(), name, sizeof name);
    if (ring_put_named(thread->ring, RECORD_ACTOR, &actor, sizeof actor, name))
        atomic_store_explicit(&stream->handle.told, process_epoch(), memory_order_relaxed);
}

static struct api_stream *add_stream(struct thread *thread, void *key, struct api_stream fresh) {
    fresh.handle.id = take_id(ID_ACTOR);
    struct api_stream *stream = handle_add(&streams, key, &fresh);
    if (stream)
        api_stream_tell(thread, stream);
    return stream;
}

struct api_stream *api_stream_made(struct thread *thread, void *stream, int device,
                                   uint32_t flags) {
    static _Atomic uint32_t made;
    handle_remove(&streams, stream); // one of that address whose end was not seen
    return add_stream(thread, stream,
                      (struct api_stream){.device = device,
                                          .flags = flags,
                                          .number = atomic_fetch_add(&made, 1) + 1});
}

struct api_stream *api_stream_find(void *stream) {
    return handle_find(&streams, stream);
}

struct api_stream *api_legacy_stream(struct thread *thread, int device) {
    struct api_stream *stream = handle_find(&streams, LEGACY_KEY(device));
    if (!stream)
        stream = add_stream(thread, LEGACY_KEY(device),
                            (struct api_stream){.device = device, .flags = STREAM_FLAG_LEGACY});
    else
        api_stream_tell(thread, stream);
    return stream;
}

struct api_stream *api_per_thread_stream(struct thread *thread, int device) {
    static _Atomic uint32_t threads;
    void *key = PER_THREAD_KEY(thread->actor, device);
    struct api_stream *stream = handle_find(&streams, key);
    if (stream) {
        api_stream_tell(thread, stream);
        return stream;
    }
    return add_stream(thread, key,
                      (struct api_stream){.device = device,
                                          .flags = STREAM_FLAG_PER_THREAD | STREAM_FLAG_BLOCKING,
                                          .number = atomic_fetch_add(&threads, 1) + 1});
}

uint32_t api_stream_meeting(struct thread *thread, struct api_stream *stream) {
    if (!stream->meeting.id)
        stream->meeting.id = take_id(ID_EVENT);
    if (is_told(&stream->meeting) || !thread->ring)
        return stream->meeting.id;
    struct record_event event = {.handle = atomic_load(&stream->handle.key),
                                 .born = atomic_load(&process.control->ticket),
                                 .id = stream->meeting.id,
                                 .device = stream->device};
    char own[64], name[80];
    name_of(stream, api_runtime_name(), own, sizeof own);
    snprintf(name, sizeof name, "group of %s", own);
    if (ring_put_named(thread->ring, RECORD_EVENT, &event, sizeof event, name))
        atomic_store_explicit(&stream->meeting.told, process_epoch(), memory_order_relaxed);
    return stream->meeting.id;
}

void api_stream_gone(void *stream) { handle_remove(&streams, stream); }

static void tell_event(struct thread *thread, struct api_event *event, void *key) {
    if (is_told(&event->handle) || !thread->ring)
        return;
    struct record_event *record = ring_reserve(thread->ring, RECORD_EVENT, 0, sizeof *record,
                                               atomic_load(&process.control->ticket));
    if (!record)
        return;
    record->handle = (uintptr_t)key;
    record->born = atomic_load(&process.control->ticket);
    record->id = event->handle.id;
    record->device = event->device;
    ring_commit(thread->ring, record);
    atomic_store_explicit(&event->handle.told, process_epoch(), memory_order_relaxed);
}

struct api_event *api_event_made(struct thread *thread, void *key, int device, bool unfenced) {
    handle_remove(&events, key);
    struct api_event fresh = {
        .handle.id = take_id(ID_EVENT), .device = device, .unfenced = unfenced};
    struct api_event *event = handle_add(&events, key, &fresh);
    if (event)
        tell_event(thread, event, key);
    return event;
}

struct api_event *api_event_find(void *key) {
    return handle_find(&events, key);
}

struct api_event *api_event_of(struct thread *thread, void *key) {
    struct api_event *event = handle_find(&events, key);
    if (!event)
        return key ? api_event_made(thread, key, -1, false) : NULL;
    tell_event(thread, event, key);
    return event;
}

void api_event_gone(void *event) { handle_remove(&events, event); }
