// Backends and their order, by name: creation, host waits, events, graph launches.
#include "ggml_backend_calls.h"
#include "ggml_op.h"
#include "resolve.h"

HOOK backend_t ggml_backend_dev_init(void *device, const char *params) {
    OP(op);
    init_begin(&op, BY_NAME);
    backend_t backend = CALL(op, ggml_backend_dev_init)(device, params);
    init_end(&op, backend);
    return backend;
}

HOOK void ggml_backend_free(backend_t backend) {
    OP(op);
    end_begin(&op, BY_NAME, backend);
    CALL(op, ggml_backend_free)(backend);
    op_leave(&op);
}

HOOK void ggml_backend_synchronize(backend_t backend) {
    OP(op);
    if (synchronize_begin(&op, BY_NAME, backend))
        CALL(op, ggml_backend_synchronize)(backend);
    synchronize_end(&op, BY_NAME);
}

HOOK void *ggml_backend_event_new(void *device) {
    OP(op);
    event_new_begin(&op, BY_NAME);
    void *event = CALL(op, ggml_backend_event_new)(device);
    event_new_end(&op, event);
    return event;
}

HOOK void ggml_backend_event_free(void *event) {
    OP(op);
    event_free_begin(&op, BY_NAME, event);
    CALL(op, ggml_backend_event_free)(event);
    op_leave(&op);
}

HOOK void ggml_backend_event_record(void *event, backend_t backend) {
    OP(op);
    event_record_begin(&op, BY_NAME, event, backend);
    CALL(op, ggml_backend_event_record)(event, backend);
    op_leave(&op);
}

HOOK void ggml_backend_event_wait(backend_t backend, void *event) {
    OP(op);
    if (event_wait_begin(&op, BY_NAME, backend, event))
        CALL(op, ggml_backend_event_wait)(backend, event);
    op_leave(&op);
}

HOOK void ggml_backend_event_synchronize(void *event) {
    OP(op);
    if (event_synchronize_begin(&op, BY_NAME, event))
        CALL(op, ggml_backend_event_synchronize)(event);
    event_synchronize_end(&op, BY_NAME);
}

// A launch and a wait: both are seen as children.
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

HOOK int ggml_backend_graph_compute_async(backend_t backend, void *graph) {
    OP(op);
    compute_begin(&op, BY_NAME, backend, graph);
    int status = CALL(op, ggml_backend_graph_compute_async)(backend, graph);
    compute_end(&op, backend, status);
    return status;
}
