// The scheduler: its runs are scopes, its whole-device wait is the parent of the waits within.
#include "fault.h"
#include "ggml_graph.h"
#include "ggml_inputs.h"
#include "resolve.h"
#include "scope.h"

HOOK void *ggml_backend_sched_new(backend_t *backends, void **buffer_types, int n_backends,
                                  size_t graph_size, bool parallel, bool op_offload) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_sched_new, KIND_MARK))
        for (int i = 0; i < n_backends; i++)
            backend_of(op.thread, backends[i]);
    if (faults.copies && process.wanted)
        parallel = faults.copies > 1;
    void *sched = CALL(op, ggml_backend_sched_new)(backends, buffer_types, n_backends, graph_size,
                                                   parallel, op_offload);
    if (faults.copies && sched && REAL(ggml_backend_sched_get_n_copies))
        fault_tell_copies(REAL(ggml_backend_sched_get_n_copies)(sched));
    op_leave(&op);
    return sched;
}

HOOK void ggml_backend_sched_free(void *sched) {
    OP(op);
    OP_ENTER(&op, ggml_backend_sched_free, KIND_MARK);
    sched_gone(sched); // recorded or not: its inputs are gone
    CALL(op, ggml_backend_sched_free)(sched);
    op_leave(&op);
}

static void forget_inputs(void *key) {
    struct sched *sched = sched_of(key);
    if (!sched)
        return;
    sched->allocated = false;
    sched->inputs = 0; // their graph may be freed now
    graphs_changed(key);
}

HOOK void ggml_backend_sched_reset(void *sched) {
    OP(op);
    OP_ENTER(&op, ggml_backend_sched_reset, KIND_MARK);
    forget_inputs(sched);
    CALL(op, ggml_backend_sched_reset)(sched);
    op_leave(&op);
}

HOOK bool ggml_backend_sched_alloc_graph(void *key, void *graph) {
    OP(op);
    bool recorded = OP_ENTER(&op, ggml_backend_sched_alloc_graph, KIND_MARK);
    forget_inputs(key);
    struct sched *sched = recorded ? sched_of(key) : NULL;
    if (sched)
        inputs_collect(sched, graph);
    bool done = CALL(op, ggml_backend_sched_alloc_graph)(key, graph);
    op_back(&op);
    if (sched)
        sched->allocated = done;
    op_leave(&op);
    return done;
}

HOOK int ggml_backend_sched_graph_compute_async(void *sched, void *graph) {
    OP(op);
    inputs_look(sched, __builtin_return_address(0), OP_FRAME());
    if (OP_ENTER(&op, ggml_backend_sched_graph_compute_async, KIND_MARK))
        scope_open(op.thread, SCOPE_KIND_SCHED, "sched", sched, OP_FRAME());
    int status = CALL(op, ggml_backend_sched_graph_compute_async)(sched, graph);
    op_back(&op);
    if (op.thread)
        scope_close(op.thread, SCOPE_KIND_SCHED);
    op.record.rc = status;
    op_leave(&op);
    return status;
}

HOOK void ggml_backend_sched_synchronize(void *sched) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_sched_synchronize, KIND_DEVICE_SYNC))
        op_encloses(&op);
    if (!op_skipped(&op))
        CALL(op, ggml_backend_sched_synchronize)(sched);
    op_leave(&op);
}
