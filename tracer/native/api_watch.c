// Host memory that calls of a GPU API leave in use, and what their waits say of it.
#include "api_watch.h"
#include "pending_table.h"

void api_look(enum kind kind, void *handle, void *caller, void *frame) {
    if (!pending_any())
        return;
    struct pending_wait wait = {.device = -1};
    const struct api_thread *api = thread_known ? thread_known->api : NULL;
    const struct api_stream *stream = NULL;
    const struct api_event *event = NULL;
    if (kind == KIND_DEVICE_SYNC)
        wait.device = api ? api->device : -1;
    else if (kind == KIND_EVENT_SYNC || kind == KIND_EVENT_QUERY)
        event = api_event_find(handle);
    else
        stream = api_stream_find(handle);
    wait.actor = stream ? stream->handle.id : 0;
    wait.event = event ? event->handle.id : 0;
    pending_look_for(wait, caller, frame);
}

// Within a call of another level that level looks after the memory.
static bool watches(const struct thread *thread) {
    for (unsigned i = 0; i + 1 < thread->depth; i++)
        if (thread->open[i].level != LEVEL_API)
            return false;
    return true;
}

static bool present(const void *data, uint64_t size) {
    const struct memory *memory = memory_alive((uintptr_t)data);
    return memory && !memory->of_host && (uintptr_t)data + size <= memory->base + memory->size;
}

void api_uses(struct api_call *call, struct memory *memory, const void *data, uint64_t size,
              bool destination, bool written) {
    if (call->sources == API_SOURCES) {
        atomic_fetch_add_explicit(&process.control->unwatched, size, memory_order_relaxed);
        return;
    }
    uint32_t life = memory ? atomic_load_explicit(&memory->life, memory_order_relaxed) : 0;
    call->source[call->sources++] =
        (struct api_source){memory, data, size, life, destination, written, false};
}

void api_may_use(struct api_call *call, struct memory *memory, const void *data, uint64_t size,
                 bool written) {
    uint32_t before = call->sources;
    api_uses(call, memory, data, size, false, written);
    if (call->sources > before)
        call->source[before].possible = true;
}

static unsigned changes(struct thread *thread, const struct api_source *sources, unsigned number,
                        uint32_t *access, unsigned count) {
    for (unsigned i = 0; i < number; i++)
        if (!sources[i].destination)
            count = pending_changes(thread, sources[i].data, sources[i].size, access, count);
    return count;
}

void api_look_before(struct api_call *call) {
    if (!watches(call->op.thread))
        return;
    struct thread *thread = call->op.thread;
    uint32_t access[PENDING_LOOKED];
    unsigned count = changes(thread, call->source, call->sources, access, 0);
    count = changes(thread, call->launched, call->launched_sources, access, count);
    call->looked = true;
    struct op_place place = count ? op_step_back(&call->op) : (struct op_place){0};
    if (place.thread)
        pending_tell(access, count, call->caller, call->frame);
    op_step_forth(&call->op, place);
}

static void add_sources(struct api_call *call, const struct api_source *sources, unsigned count) {
    struct thread *thread = call->op.thread;
    for (unsigned i = 0; i < count; i++) {
        const struct api_source *source = &sources[i];
        struct range range;
        if (source->memory && atomic_load(&source->memory->life) != source->life)
            continue; // freed since a graph stored it
        api_make_range(thread, &range, source->memory, (uintptr_t)source->data, source->size,
                       API_READS);
        if (source->possible)
            range.extent = EXTENT_BASE_ONLY;
        pending_add(thread, (struct pending_use){
                                .range = &range,
                                .data = source->data,
                                .actor = call->op.record.actor,
                                .device = call->op.record.device,
                                .destination = source->destination,
                                .written = source->written,
                                .looked = call->looked,
                                .pinned = source->memory != NULL,
                                .present = source->memory ? present : NULL,
                            });
    }
}

void api_watch(struct api_call *call) {
    if (!watches(call->op.thread))
        return;
    add_sources(call, call->source, call->sources);
    add_sources(call, call->launched, call->launched_sources);
}

// Events that need not stand for the end of the work that host memory is used by.
enum { NOT_THE_END = FLAG_PROGRAMMATIC | FLAG_DEPENDENT };

void api_note_waited(struct api_call *call) {
    struct thread *thread = call->op.thread;
    const struct record_op *record = &call->op.record;
    switch (record->kind) {
    case KIND_EVENT_RECORD:
        pending_recorded(record->flags & NOT_THE_END ? 0 : record->actor, record->event);
        return;
    case KIND_EVENT_WAIT:
        pending_joined(record->actor, record->event);
        return;
    case KIND_EVENT_SYNC:
    case KIND_EVENT_QUERY:
        pending_done(thread, 0, record->event);
        return;
    case KIND_STREAM_SYNC:
    case KIND_STREAM_QUERY:
    case KIND_STREAM_DESTROY:
        pending_done(thread, record->actor, 0);
        return;
    case KIND_DEVICE_SYNC:
        pending_done_device(thread, record->device);
        return;
    default:
        return;
    }
}
