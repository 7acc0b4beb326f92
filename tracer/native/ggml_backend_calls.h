// Ops of backends and their order: what is recorded before the call itself, and where needed after.
// Inline as ggml_tensor_calls.h.
#pragma once
#include "from.h"
#include "ggml_abi.h"
#include "ggml_graph.h"
#include "ggml_lowered.h"
#include "ggml_op.h"
#include "pending.h"
#include "scope.h"
#include "slots.h"

static inline void use_event(struct op *op, void *key) {
    const struct event *event = event_of(op->thread, key);
    op->record.event = event ? event->handle.id : 0;
}

static inline void look_at_sources(struct from from, const struct backend *waited_for,
                                   const struct event *event) {
    struct pending_wait wait = {.actor = waited_for ? waited_for->handle.id : 0,
                                .event = event ? event->handle.id : 0,
                                .device = -1};
    if (!from.by_name || !slots_used())
        pending_look_for(wait, from.caller, from.frame);
}

static inline void init_begin(struct op *op, struct from from) {
    enter(op, CALL_ggml_backend_dev_init, KIND_STREAM_CREATE, from);
}

static inline void init_end(struct op *op, backend_t backend) {
    op_back(op);
    if (op->thread)
        op_acts_on(op, backend);
    op_leave(op);
}

static inline void end_begin(struct op *op, struct from from, backend_t backend) {
    if (enter(op, CALL_ggml_backend_free, KIND_STREAM_DESTROY, from) && backend) {
        op_acts_on(op, backend);
        pending_done(op->thread, op->record.actor, 0);
    }
    if (!from.by_name || !slots_used())
        backend_gone(backend);
}

// Waits. False: the wait is left out on request.
static inline bool synchronize_begin(struct op *op, struct from from, backend_t key) {
    look_at_sources(from, backend_known(key), NULL);
    if (enter(op, CALL_ggml_backend_synchronize, KIND_STREAM_SYNC, from)) {
        const struct backend *backend = op_acts_on(op, key);
        if (backend && backend->synchronous)
            op->record.flags |= FLAG_NOOP;
    }
    return !op_skipped(op);
}

static inline void synchronize_end(struct op *op, struct from from) {
    op_back(op);
    if (op->thread && !op_skipped(op)) {
        pending_done(op->thread, op->record.actor, 0);
        from_waited(op, from);
    }
    op_leave(op);
}

static inline bool event_synchronize_begin(struct op *op, struct from from, void *event) {
    look_at_sources(from, NULL, event_known(event));
    if (enter(op, CALL_ggml_backend_event_synchronize, KIND_EVENT_SYNC, from))
        use_event(op, event);
    return !op_skipped(op);
}

static inline void event_synchronize_end(struct op *op, struct from from) {
    op_back(op);
    if (op->thread && !op_skipped(op)) {
        pending_done(op->thread, 0, op->record.event);
        from_waited(op, from);
    }
    op_leave(op);
}

static inline bool event_wait_begin(struct op *op, struct from from, backend_t backend,
                                    void *event) {
    if (enter(op, CALL_ggml_backend_event_wait, KIND_EVENT_WAIT, from)) {
        op_acts_on(op, backend);
        use_event(op, event);
        if (!op_skipped(op))
            pending_joined(op->record.actor, op->record.event);
    }
    return !op_skipped(op);
}

static inline void event_new_begin(struct op *op, struct from from) {
    enter(op, CALL_ggml_backend_event_new, KIND_EVENT_CREATE, from);
}

static inline void event_new_end(struct op *op, void *event) {
    op_back(op);
    if (op->thread && event)
        use_event(op, event);
    else
        op_cancel(op); // a device without events
    op_leave(op);
}

static inline void event_free_begin(struct op *op, struct from from, void *event) {
    if (enter(op, CALL_ggml_backend_event_free, KIND_EVENT_DESTROY, from)) {
        if (event)
            use_event(op, event);
        else
            op_cancel(op);
    }
    if (!from.by_name || !slots_used())
        event_gone(event);
}

static inline void event_record_begin(struct op *op, struct from from, void *event,
                                      backend_t backend) {
    if (!enter(op, CALL_ggml_backend_event_record, KIND_EVENT_RECORD, from))
        return;
    op_acts_on(op, backend);
    use_event(op, event);
    pending_recorded(op->record.actor, op->record.event);
}

static inline void compute_begin(struct op *op, struct from from, backend_t key, void *graph) {
    look_at_sources(from, NULL, NULL);
    if (!enter(op, CALL_ggml_backend_graph_compute_async, KIND_GRAPH_LAUNCH, from))
        return;
    const struct backend *backend = op_acts_on(op, key);
    struct graph_ranges ranges = graph_ranges_of(op->thread, graph);
    op->record.graph = ranges.graph;
    op->record.walk = ranges.walk;
    if (backend && backend->synchronous)
        pending_taint();
    if (!from.by_name && !scope_of_kind(op->thread, SCOPE_KIND_SCHED))
        atomic_fetch_add(&process.control->blind, 1);
    op_encloses(op); // a backend that wraps others launches on those
    lowered_begin(op);
}

static inline void compute_end(struct op *op, backend_t key, int status) {
    op_back(op);
    op->record.rc = status;
    if (op->thread && status != 0)
        op->record.flags |= FLAG_FAILED;
    lowered_end(op);
    if (op->thread && op->record.parent == 0) {
        const struct backend *backend = backend_known(key);
        scope_end_split(op->thread, backend ? backend->name : "split");
    }
    op_leave(op);
}
