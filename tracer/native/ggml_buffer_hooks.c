// Buffers by name: birth, whole-buffer writes, what they are for, death.
#include "ggml_buffer_calls.h"
#include "ggml_graph.h"
#include "resolve.h"

HOOK void *ggml_backend_buft_alloc_buffer(void *buffer_type, size_t size) {
    OP(op);
    alloc_begin(&op, BY_NAME);
    void *buffer = CALL(op, ggml_backend_buft_alloc_buffer)(buffer_type, size);
    alloc_end(&op, buffer, size);
    return buffer;
}

HOOK void *ggml_backend_cpu_buffer_from_ptr(void *data, size_t size) {
    OP(op);
    over_host_begin(&op, CALL_ggml_backend_cpu_buffer_from_ptr, BY_NAME);
    void *buffer = CALL(op, ggml_backend_cpu_buffer_from_ptr)(data, size);
    over_host_end(&op, buffer, data);
    return buffer;
}

HOOK void *ggml_backend_dev_buffer_from_host_ptr(void *device, void *data, size_t size,
                                                 size_t max_tensor_size) {
    OP(op);
    over_host_begin(&op, CALL_ggml_backend_dev_buffer_from_host_ptr, BY_NAME);
    void *buffer =
        CALL(op, ggml_backend_dev_buffer_from_host_ptr)(device, data, size, max_tensor_size);
    over_host_end(&op, buffer, data);
    return buffer;
}

HOOK void ggml_backend_buffer_free(void *buffer) {
    OP(op);
    free_begin(&op, BY_NAME, buffer);
    CALL(op, ggml_backend_buffer_free)(buffer);
    op_leave(&op);
}

HOOK void ggml_backend_buffer_clear(void *buffer, uint8_t value) {
    OP(op);
    clear_begin(&op, BY_NAME, buffer);
    CALL(op, ggml_backend_buffer_clear)(buffer, value);
    op_leave(&op);
}

HOOK void ggml_backend_buffer_set_usage(void *key, int usage) {
    REAL(ggml_backend_buffer_set_usage)(key, usage);
    struct thread *thread = thread_self();
    if (!thread)
        return;
    thread->busy = true;
    struct buffer *buffer = buffer_of(thread, key);
    if (buffer)
        buffer_used_as(buffer, usage);
    thread->busy = false;
}

HOOK bool ggml_gallocr_alloc_graph(void *allocator, void *graph) {
    bool done = REAL(ggml_gallocr_alloc_graph)(allocator, graph);
    graphs_changed(NULL);
    return done;
}
