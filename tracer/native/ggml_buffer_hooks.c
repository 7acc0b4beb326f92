// Buffers: birth, whole-buffer writes, what they are for, death.
#include "ggml_digest.h"
#include "ggml_graph.h"
#include "ggml_op.h"
#include "ggml_range.h"
#include "resolve.h"

static enum kind alloc_kind(const struct buffer *buffer) {
    return buffer && buffer->is_host ? KIND_ALLOC_PAGEABLE : KIND_ALLOC_DEVICE;
}

HOOK void *ggml_backend_buft_alloc_buffer(void *buffer_type, size_t size) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_buft_alloc_buffer, KIND_ALLOC_DEVICE))
        op_mute(&op); // a buffer made of another one gets its type last
    void *key = CALL(op, ggml_backend_buft_alloc_buffer)(buffer_type, size);
    op_back(&op);
    if (op.thread && key)
        op.record.kind = (uint8_t)alloc_kind(buffer_of(op.thread, key));
    else if (op.thread)
        op.record.flags |= FLAG_FAILED;
    if (size == 0)
        op_cancel(&op);
    op_leave(&op);
    return key;
}

HOOK void *ggml_backend_cpu_buffer_from_ptr(void *data, size_t size) {
    OP(op);
    OP_ENTER(&op, ggml_backend_cpu_buffer_from_ptr, KIND_HOST_REGISTER);
    void *key = CALL(op, ggml_backend_cpu_buffer_from_ptr)(data, size);
    op_back(&op);
    if (op.thread)
        buffer_of_host_memory(op.thread, key, data);
    op_leave(&op);
    return key;
}

HOOK void *ggml_backend_dev_buffer_from_host_ptr(void *device, void *data, size_t size,
                                                 size_t max_tensor_size) {
    OP(op);
    OP_ENTER(&op, ggml_backend_dev_buffer_from_host_ptr, KIND_HOST_REGISTER);
    void *key =
        CALL(op, ggml_backend_dev_buffer_from_host_ptr)(device, data, size, max_tensor_size);
    op_back(&op);
    if (op.thread) {
        buffer_of_host_memory(op.thread, key, data);
        op.record.flags |= key ? 0 : FLAG_FAILED;
    }
    op_leave(&op);
    return key;
}

static void touch_storage(struct op *op, const struct buffer *buffer) {
    struct range range;
    access_of_storage(&range, buffer, MODE_WRITE);
    op_touches(op, &range);
}

// The free is a write of all its bytes. Memory that the program owns lives on.
static void free_storage(struct op *op, const struct buffer *buffer) {
    op_encloses(op); // a buffer of buffers frees those
    op->record.device = buffer->device;
    pending_forget(op->thread, buffer->handle.id);
    if (buffer->lent) {
        op->record.kind = KIND_HOST_UNREGISTER;
        return;
    }
    op->record.kind = buffer->is_host ? KIND_FREE_HOST : KIND_FREE;
    touch_storage(op, buffer);
}

HOOK void ggml_backend_buffer_free(void *key) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_buffer_free, KIND_FREE)) {
        const struct buffer *buffer = key ? buffer_of(op.thread, key) : NULL;
        if (buffer && buffer->size)
            free_storage(&op, buffer);
        else
            op_cancel(&op);
    }
    buffer_gone(key);
    CALL(op, ggml_backend_buffer_free)(key);
    op_leave(&op);
}

HOOK void ggml_backend_buffer_clear(void *key, uint8_t value) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_buffer_clear, KIND_BUFFER_CLEAR)) {
        struct buffer *buffer = buffer_of(op.thread, key);
        if (buffer && buffer->size)
            touch_storage(&op, buffer);
        else
            op.record.flags |= FLAG_NOOP;
        inputs_cleared(buffer);
        op_encloses(&op);
    }
    CALL(op, ggml_backend_buffer_clear)(key, value);
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
        atomic_store(&buffer->usage, usage);
    thread->busy = false;
}

HOOK bool ggml_gallocr_alloc_graph(void *allocator, void *graph) {
    bool done = REAL(ggml_gallocr_alloc_graph)(allocator, graph);
    graphs_changed(NULL);
    return done;
}
