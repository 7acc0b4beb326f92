// Backends and their order: creation, host waits, events, graph launches.
#include "ggml_digest.h"
#include "ggml_graph.h"
#include "ggml_op.h"
#include "resolve.h"
#include "scope.h"

static void use_event(struct op *op, void *key) {
    const struct event *event = event_of(op->thread, key);
    op->record.event = event ? event->handle.id : 0;
}

HOOK backend_t ggml_backend_dev_init(void *device, const char *params) {
    OP(op);
    OP_ENTER(&op, ggml_backend_dev_init, KIND_STREAM_CREATE);
    backend_t backend = CALL(op, ggml_backend_dev_init)(device, params);
    op_back(&op);
    if (op.thread)
        op_acts_on(&op, backend);
    op_leave(&op);
    return backend;
}

HOOK void ggml_backend_free(backend_t backend) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_free, KIND_STREAM_DESTROY) && backend) {
        op_acts_on(&op, backend);
        pending_done(op.thread, op.record.actor, 0);
    }
    backend_gone(backend);
    CALL(op, ggml_backend_free)(backend);
    op_leave(&op);
}

HOOK void ggml_backend_synchronize(backend_t key) {
    OP(op);
    pending_look(__builtin_return_address(0), OP_FRAME());
    if (OP_ENTER(&op, ggml_backend_synchronize, KIND_STREAM_SYNC)) {
        const struct backend *backend = op_acts_on(&op, key);
        if (backend && backend->synchronous)
            op.record.flags |= FLAG_NOOP;
    }
    if (!op_skipped(&op)) {
        CALL(op, ggml_backend_synchronize)(key);
        op_back(&op);
        if (op.thread)
            pending_done(op.thread, op.record.actor, 0);
    }
    op_leave(&op);
}

HOOK void *ggml_backend_event_new(void *device) {
    OP(op);
    OP_ENTER(&op, ggml_backend_event_new, KIND_EVENT_CREATE);
    void *event = CALL(op, ggml_backend_event_new)(device);
    op_back(&op);
    if (op.thread && event)
        use_event(&op, event);
    else
        op_cancel(&op); // a device without events
    op_leave(&op);
    return event;
}

HOOK void ggml_backend_event_free(void *event) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_event_free, KIND_EVENT_DESTROY)) {
        if (event)
            use_event(&op, event);
        else
            op_cancel(&op);
    }
    event_gone(event);
    CALL(op, ggml_backend_event_free)(event);
    op_leave(&op);
}

HOOK void ggml_backend_event_record(void *event, backend_t backend) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_event_record, KIND_EVENT_RECORD)) {
        op_acts_on(&op, backend);
        use_event(&op, event);
        pending_recorded(op.thread, op.record.actor, op.record.event);
    }
    CALL(op, ggml_backend_event_record)(event, backend);
    op_leave(&op);
}

HOOK void ggml_backend_event_wait(backend_t backend, void *event) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_event_wait, KIND_EVENT_WAIT)) {
        op_acts_on(&op, backend);
        use_event(&op, event);
    }
    if (!op_skipped(&op))
        CALL(op, ggml_backend_event_wait)(backend, event);
    op_leave(&op);
}

HOOK void ggml_backend_event_synchronize(void *event) {
    OP(op);
    pending_look(__builtin_return_address(0), OP_FRAME());
    if (OP_ENTER(&op, ggml_backend_event_synchronize, KIND_EVENT_SYNC))
        use_event(&op, event);
    if (!op_skipped(&op)) {
        CALL(op, ggml_backend_event_synchronize)(event);
        op_back(&op);
        if (op.thread)
            pending_done(op.thread, 0, op.record.event);
    }
    op_leave(&op);
}

HOOK int ggml_backend_graph_compute(backend_t backend, void *graph) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_graph_compute, KIND_GRAPH_LAUNCH)) {
        op_acts_on(&op, backend);
        op_encloses(&op);
    }
    int status = CALL(op, ggml_backend_graph_compute)(backend, graph);
    op.record.rc = status;
    op_leave(&op);
    return status;
}

HOOK int ggml_backend_graph_compute_async(backend_t key, void *graph) {
    OP(op);
    const struct backend *backend = NULL;
    pending_look(__builtin_return_address(0), OP_FRAME());
    if (OP_ENTER(&op, ggml_backend_graph_compute_async, KIND_GRAPH_LAUNCH)) {
        backend = op_acts_on(&op, key);
        struct graph_ranges ranges = graph_ranges_of(op.thread, graph);
        op.record.graph = ranges.graph;
        op.record.walk = ranges.walk;
        if (backend && backend->synchronous)
            pending_taint(op.thread);
        op_encloses(&op); // a backend that wraps others launches on those
    }
    int status = CALL(op, ggml_backend_graph_compute_async)(key, graph);
    op_back(&op);
    op.record.rc = status;
    if (op.thread && status != 0)
        op.record.flags |= FLAG_FAILED;
    if (op.thread && op.record.parent == 0)
        scope_end_split(op.thread, backend ? backend->name : "split");
    op_leave(&op);
    return status;
}
