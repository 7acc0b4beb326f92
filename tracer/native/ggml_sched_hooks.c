// The scheduler: its runs are scopes, its whole-device wait is the parent of the waits within.
#include "ggml_digest.h"
#include "ggml_graph.h"
#include "resolve.h"
#include "scope.h"

HOOK void *ggml_backend_sched_new(backend_t *backends, void **buffer_types, int n_backends,
                                  size_t graph_size, bool parallel, bool op_offload) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_sched_new, KIND_MARK))
        for (int i = 0; i < n_backends; i++)
            backend_of(op.thread, backends[i]);
    void *sched = REAL(ggml_backend_sched_new)(backends, buffer_types, n_backends, graph_size,
                                               parallel, op_offload);
    op_leave(&op);
    return sched;
}

HOOK void ggml_backend_sched_free(void *sched) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_sched_free, KIND_MARK))
        sched_gone(sched);
    REAL(ggml_backend_sched_free)(sched);
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
    struct op op;
    if (OP_ENTER(&op, ggml_backend_sched_reset, KIND_MARK))
        forget_inputs(sched);
    REAL(ggml_backend_sched_reset)(sched);
    op_leave(&op);
}

HOOK bool ggml_backend_sched_alloc_graph(void *key, void *graph) {
    struct op op;
    struct sched *sched = NULL;
    if (OP_ENTER(&op, ggml_backend_sched_alloc_graph, KIND_MARK)) {
        sched = sched_of(key);
        graphs_changed(key);
        if (sched)
            inputs_collect(sched, graph);
    }
    bool done = REAL(ggml_backend_sched_alloc_graph)(key, graph);
    if (sched)
        sched->allocated = done;
    op_leave(&op);
    return done;
}

HOOK int ggml_backend_sched_graph_compute_async(void *sched, void *graph) {
    struct op op;
    inputs_look(sched, __builtin_return_address(0), OP_FRAME());
    if (OP_ENTER(&op, ggml_backend_sched_graph_compute_async, KIND_MARK))
        scope_open(op.thread, SCOPE_KIND_SCHED, "sched", sched, op.frame);
    int status = REAL(ggml_backend_sched_graph_compute_async)(sched, graph);
    if (op.thread)
        scope_close(op.thread, SCOPE_KIND_SCHED);
    op.record.rc = status;
    op_leave(&op);
    return status;
}

HOOK void ggml_backend_sched_synchronize(void *sched) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_sched_synchronize, KIND_DEVICE_SYNC))
        op_encloses(&op);
    REAL(ggml_backend_sched_synchronize)(sched);
    op_leave(&op);
}
