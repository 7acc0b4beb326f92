#include "api_host_function.h"
#include "api_queries.h"
#include "api_runtime.h"
#include "api_times.h"
#include "api_watch.h"
#include "capture.h"
#include "pending.h"

const char *api_call_name(const struct api_call *call) {
    const char *name = call->name ? call->name : api_runtime_call(call->op.record.call);
    return name ? name : "";
}

// Others that may wait without a word of it.
static bool may_wait(enum kind kind) {
    return kind == KIND_MEMCPY_H2D || kind == KIND_MEMCPY_D2H || kind == KIND_FREE;
}

static void begin_call(struct api_call *call, enum kind kind, void *caller, void *frame) {
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
    call->timed = false;
    call->signals = false;
    call->sources = 0;
    call->orders = 0;
    call->name = NULL;
    call->executable = NULL;
    call->runs = NULL;
    call->also_records[0].event = call->also_records[1].event = NULL;
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
    begin_call(call, kind, caller, frame);
    return true;
}

bool api_enter_more(struct api_call *call, const struct api_call *first, enum kind kind) {
    if (!op_enter_more(&call->op, &first->op, kind))
        return false;
    begin_call(call, kind, first->caller, first->frame);
    return true;
}

void api_note_full(struct api_call *call) {
    call->full = true;
    call->access[API_ACCESSES - 1] = api_range_unknown(call->op.thread);
    atomic_fetch_add_explicit(&process.control->coverage[COVERAGE_CALLS_WITH_MORE_RANGES], 1,
                              memory_order_relaxed);
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

static bool is_device_work(enum kind kind) {
    return (kind >= KIND_MEMCPY_ASYNC_H2D && kind <= KIND_MEMSET) || kind == KIND_KERNEL ||
           kind == KIND_GRAPH_LAUNCH;
}

static void time_work(struct api_call *call) {
    bool (*time)(uint64_t) = atomic_load_explicit(&api_time, memory_order_relaxed);
    const struct record_op *record = &call->op.record;
    if (time && (is_device_work((enum kind)record->kind) || record->kind == KIND_BATCH) &&
        !call->captures && !(record->flags & FLAG_NOOP))
        call->timed = time(record->ticket_c);
}

static void work_timed(struct api_call *call, bool failed) {
    if (!call->timed)
        return;
    atomic_load_explicit(&api_timed, memory_order_relaxed)();
    call->op.record.timed = !failed;
}

void api_out(struct api_call *call) {
    struct thread *thread = call->op.thread;
    if (thread && api_uses_memory(call) && !call->captures && thread->depth == call->op.slot + 1)
        api_look_before(call);
    if (thread)
        time_work(call);
    op_out(&call->op);
}

static void settle(struct api_call *call, bool failed) {
    struct memory *freed = call->freed;
    if (failed) {
        call->op.record.flags |= FLAG_FAILED;
        api_runs_not(call);
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
    api_note_waited(call);
    if (api_uses_memory(call))
        api_watch(call);
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
    work_timed(call, failed);
    settle(call, failed);
    if (call->executable) { // told in the words of a node, it changes one
        op->record.kind = call->kind;
        op->record.call = call->function;
    }
    if (!failed)
        note_last(call);
    struct thread *thread = op->thread;
    if (failed && api_asks_again(call)) {
        op_cancel(op);
        return;
    }
    op_leave(op);
    if (failed)
        api_asked(thread, &op->record);
}

int api_device(struct api_call *call) {
    struct api_thread *api = api_thread_of(call->op.thread);
    if (!api)
        return 0;
    if (api->device == DEVICE_UNKNOWN)
        api->device = api_runtime_device();
    return api->device;
}

void api_device_set(int device) {
    struct thread *thread = thread_self();
    struct api_thread *api = thread ? api_thread_of(thread) : NULL;
    if (api)
        api->device = device;
}

void api_device_changed(struct api_call *call) {
    struct api_thread *api = api_thread_of(call->op.thread);
    if (api)
        api->device = DEVICE_UNKNOWN;
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
    if (call->op.record.kind == KIND_EVENT_RECORD)
        event->of_start = call->op.record.flags & FLAG_PROGRAMMATIC;
    else if (event->of_start && call->op.record.kind != KIND_EVENT_DESTROY)
        call->op.record.flags |= FLAG_PROGRAMMATIC;
}
