#include "api_call.h"
#include "capture.h"
#include "pending.h"

const char *api_runtime = "GPU";
int (*api_ask_device)(void);
const char *(*api_ask_name)(uint32_t function);

const char *api_call_name(const struct api_call *call) {
    const char *name = call->name;
    if (!name && api_ask_name)
        name = api_ask_name(call->op.record.call);
    return name ? name : "";
}

void api_look(enum kind kind, void *handle, void *caller, void *frame) {
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

// Others that may wait without a word of it.
static bool may_wait(enum kind kind) {
    return kind == KIND_MEMCPY_H2D || kind == KIND_MEMCPY_D2H || kind == KIND_FREE;
}

static void begin(struct api_call *call, enum kind kind, void *caller, void *frame) {
    call->op.more = call->access;
    call->stream = NULL;
    call->event = NULL;
    call->freed = NULL;
    call->kind = (uint8_t)kind;
    call->function = call->op.record.call;
    call->captures = false;
    call->foreign = false;
    call->unread = false;
    call->full = false;
    call->looked = false;
    call->signals = false;
    call->sources = 0;
    call->orders = 0;
    call->name = NULL;
    call->executable = NULL;
    call->also_records[0] = call->also_records[1] = NULL;
    call->caller = caller;
    call->frame = frame;
    call->launched_sources = 0;
}

bool api_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
               void *frame) {
    struct op *op = &call->op;
    if (may_wait(kind))
        pending_look(caller, frame);
    if (!op_enter_api(op, function, kind, caller, frame))
        return false;
    begin(call, kind, caller, frame);
    return true;
}

bool api_enter_more(struct api_call *call, const struct api_call *first, enum kind kind) {
    if (!op_enter_more(&call->op, &first->op, kind))
        return false;
    begin(call, kind, first->caller, first->frame);
    return true;
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

void api_note_full(struct api_call *call) {
    call->full = true;
    call->access[API_ACCESSES - 1] = api_range_unknown(call->op.thread);
    atomic_fetch_add_explicit(&process.control->coverage[COVERAGE_CALLS_WITH_MORE_RANGES], 1,
                              memory_order_relaxed);
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

void api_orders(struct api_call *call, const struct api_order *order) {
    struct api_thread *api = api_thread_of(call->op.thread);
    if (!api || call->orders == API_ORDERS) {
        call->unread = true;
        return;
    }
    api->order[call->orders++] = *order;
    call->order = api->order;
}

static unsigned changes(struct thread *thread, const struct api_source *sources, unsigned number,
                        uint32_t *access, unsigned count) {
    for (unsigned i = 0; i < number; i++)
        if (!sources[i].destination)
            count = pending_changes(thread, sources[i].data, sources[i].size, access, count);
    return count;
}

static void look_before(struct api_call *call) {
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

void api_out(struct api_call *call) {
    struct thread *thread = call->op.thread;
    if (thread && (call->sources || call->launched_sources) && !call->captures &&
        thread->depth == call->op.slot + 1 && watches(thread))
        look_before(call);
    op_out(&call->op);
}

static void watch(struct api_call *call, const struct api_source *sources, unsigned count) {
    struct thread *thread = call->op.thread;
    for (unsigned i = 0; i < count && watches(thread); i++) {
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

static void note_waited(struct api_call *call) {
    struct thread *thread = call->op.thread;
    const struct record_op *record = &call->op.record;
    switch (record->kind) {
    case KIND_EVENT_RECORD:
        pending_recorded(record->actor, record->event);
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

static void settle(struct api_call *call, bool failed) {
    struct memory *freed = call->freed;
    if (failed) {
        call->op.record.flags |= FLAG_FAILED;
        if (freed)
            memory_restore(freed);
        return;
    }
    if (freed) {
        if (freed->of_host)
            memory_unregistered(call->op.thread, freed);
        memory_released(freed);
    }
    if (call->op.record.flags & (FLAG_SKIPPED | FLAG_NOOP) || capture_takes(call))
        return;
    note_waited(call);
    watch(call, call->source, call->sources);
    watch(call, call->launched, call->launched_sources);
}

static bool is_device_work(enum kind kind) {
    return (kind >= KIND_MEMCPY_ASYNC_H2D && kind <= KIND_MEMSET) || kind == KIND_KERNEL ||
           kind == KIND_GRAPH_LAUNCH;
}

// The launch of another level that it is a part of has its ranges behind its last part.
static void note_last(const struct api_call *call) {
    struct thread *thread = call->op.thread;
    if (!is_device_work((enum kind)call->op.record.kind) || !call->stream)
        return;
    for (unsigned i = thread->depth; i-- > 0;)
        if (thread->open[i].ranged) {
            thread->open[i].last = call->op.record.actor;
            thread->open[i].last_device = call->op.record.device;
            return;
        }
}

void api_leave(struct api_call *call, int rc, bool failed) {
    struct op *op = &call->op;
    op_back(op);
    op->record.rc = rc;
    settle(call, failed);
    if (call->executable) { // told in the words of a node, it changes one
        op->record.kind = call->kind;
        op->record.call = call->function;
    }
    if (!failed)
        note_last(call);
    op_leave(op);
}

int api_device(struct api_call *call) {
    struct api_thread *api = api_thread_of(call->op.thread);
    if (!api)
        return 0;
    if (api->device == DEVICE_UNKNOWN)
        api->device = api_ask_device ? api_ask_device() : 0;
    return api->device;
}

void api_device_set(int device) {
    struct thread *thread = thread_self();
    struct api_thread *api = thread ? api_thread_of(thread) : NULL;
    if (api)
        api->device = device;
}

void api_acts_on(struct api_call *call, struct api_stream *stream) {
    if (!stream)
        return;
    call->stream = stream;
    call->captures = capture_of(stream) != NULL;
    call->op.record.actor = stream->handle.id;
    call->op.record.device = stream->device;
}

void api_on_stream(struct api_call *call, void *handle) {
    struct thread *thread = call->op.thread;
    uintptr_t number = (uintptr_t)handle;
    struct api_stream *stream;
    if (handle == API_NO_STREAM) {
        call->captures = true;
        call->op.record.device = api_device(call);
        return;
    }
    if (number >= API_SPECIAL_STREAMS) {
        stream = api_stream_find(handle);
        if (stream)
            api_stream_tell(thread, stream);
        else // made where it was not seen
            stream = api_stream_made(thread, handle, api_device(call), STREAM_FLAG_BLOCKING);
    } else {
        stream = number == API_PER_THREAD ? api_per_thread_stream(thread, api_device(call))
                                          : api_legacy_stream(thread, api_device(call));
    }
    api_acts_on(call, stream);
}

void api_on_legacy(struct api_call *call, int device) {
    api_acts_on(call, api_legacy_stream(call->op.thread, device));
}

void api_on_event(struct api_call *call, void *handle) {
    struct api_event *event = api_event_of(call->op.thread, handle);
    if (!event)
        return;
    call->event = event;
    call->op.record.event = event->handle.id;
    if (event->unfenced)
        call->op.record.flags |= FLAG_NO_FENCE;
    if (event->foreign)
        call->op.record.flags |= FLAG_FOREIGN;
}
