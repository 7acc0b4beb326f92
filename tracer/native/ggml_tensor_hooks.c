// Tensor data moved by a call: set, get, copy, memset, blocking and not.
#include "ggml_digest.h"
#include "ggml_op.h"
#include "ggml_range.h"
#include "resolve.h"

static void touch_tensor(struct op *op, const tensor_t *tensor, uint64_t offset, uint64_t size,
                         enum mode mode) {
    struct range range;
    if (access_of_tensor(op->thread, &range, tensor, offset, size, mode))
        op_touches(op, &range);
}

static void touch_host(struct op *op, const void *data, uint64_t size, enum mode mode) {
    struct range range;
    if (size == 0)
        return;
    access_of_host(op->thread, &range, data, size, mode);
    op_touches(op, &range);
}

static void touch_rows(struct op *op, const tensor_t *tensor, const void *data, size_t offset,
                       size_t size, size_t rows, size_t tensor_pitch, size_t data_pitch,
                       enum mode mode) {
    struct range range;
    if (size == 0 || rows == 0)
        return;
    if (access_of_tensor(op->thread, &range, tensor, offset, rows_span(size, rows, tensor_pitch),
                         mode)) {
        access_in_rows(&range, size, rows, tensor_pitch);
        op_touches(op, &range);
    }
    access_of_host(op->thread, &range, data, rows_span(size, rows, data_pitch),
                   mode == MODE_WRITE ? MODE_READ : MODE_WRITE);
    access_in_rows(&range, size, rows, data_pitch);
    op_touches(op, &range);
}

static void note_empty(struct op *op, size_t size) {
    if (size == 0)
        op->record.flags |= FLAG_NOOP;
}

HOOK void ggml_backend_tensor_set(tensor_t *tensor, const void *data, size_t offset, size_t size) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_set, KIND_TENSOR_SET)) {
        touch_tensor(&op, tensor, offset, size, MODE_WRITE);
        touch_host(&op, data, size, MODE_READ);
        note_empty(&op, size);
        op_encloses(&op);
        inputs_written(tensor);
    }
    CALL(op, ggml_backend_tensor_set)(tensor, data, offset, size);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get(const tensor_t *tensor, void *data, size_t offset, size_t size) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_get, KIND_TENSOR_GET)) {
        touch_tensor(&op, tensor, offset, size, MODE_READ);
        touch_host(&op, data, size, MODE_WRITE);
        note_empty(&op, size);
        op_encloses(&op);
    }
    CALL(op, ggml_backend_tensor_get)(tensor, data, offset, size);
    op_leave(&op);
}

// The loops that stand in for a missing 2d function are its own business: one call, one op.
HOOK void ggml_backend_tensor_set_2d(tensor_t *tensor, const void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_set_2d, KIND_TENSOR_SET)) {
        touch_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data,
                   MODE_WRITE);
        note_empty(&op, size * n_copies);
        op_mute(&op);
        inputs_written(tensor);
    }
    CALL(op, ggml_backend_tensor_set_2d)
    (tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get_2d(const tensor_t *tensor, void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_get_2d, KIND_TENSOR_GET)) {
        touch_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data,
                   MODE_READ);
        note_empty(&op, size * n_copies);
        op_mute(&op);
    }
    CALL(op, ggml_backend_tensor_get_2d)
    (tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_memset(tensor_t *tensor, uint8_t value, size_t offset, size_t size) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_memset, KIND_TENSOR_MEMSET)) {
        touch_tensor(&op, tensor, offset, size, MODE_WRITE);
        note_empty(&op, size);
        op_encloses(&op);
        inputs_written(tensor);
    }
    CALL(op, ggml_backend_tensor_memset)(tensor, value, offset, size);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_copy(const tensor_t *src, tensor_t *dst) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_copy, KIND_TENSOR_COPY)) {
        op_copies(&op, src, dst);
        note_empty(&op, src == dst ? 0 : REAL(ggml_nbytes)(src));
        op_mute(&op);
        inputs_written(dst);
    }
    CALL(op, ggml_backend_tensor_copy)(src, dst);
    op_leave(&op);
}

// Without a slot of its own the backend waits and sets: those calls are seen as children.
HOOK void ggml_backend_tensor_set_async(backend_t key, tensor_t *tensor, const void *data,
                                        size_t offset, size_t size) {
    const struct backend *backend = NULL;
    struct range source;
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_set_async, KIND_TENSOR_SET_ASYNC)) {
        backend = op_acts_on(&op, key);
        touch_tensor(&op, tensor, offset, size, MODE_WRITE);
        if (size) {
            access_of_host(op.thread, &source, data, size, MODE_READ);
            op_touches(&op, &source);
        }
        note_empty(&op, size);
        op_encloses(&op);
        inputs_written(tensor);
    }
    CALL(op, ggml_backend_tensor_set_async)(key, tensor, data, offset, size);
    op_back(&op);
    if (op.thread && size && backend && backend->sets && !backend->synchronous)
        pending_add(op.thread, &source, data, backend->handle.id);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get_async(backend_t backend, const tensor_t *tensor, void *data,
                                        size_t offset, size_t size) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_get_async, KIND_TENSOR_GET_ASYNC)) {
        op_acts_on(&op, backend);
        touch_tensor(&op, tensor, offset, size, MODE_READ);
        touch_host(&op, data, size, MODE_WRITE);
        note_empty(&op, size);
        op_encloses(&op);
    }
    CALL(op, ggml_backend_tensor_get_async)(backend, tensor, data, offset, size);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_set_2d_async(backend_t backend, tensor_t *tensor, const void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_set_2d_async, KIND_TENSOR_SET_ASYNC)) {
        op_acts_on(&op, backend);
        touch_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data,
                   MODE_WRITE);
        note_empty(&op, size * n_copies);
        op_encloses(&op);
        inputs_written(tensor);
        atomic_fetch_add(&process.control->unwatched, size * n_copies);
    }
    CALL(op, ggml_backend_tensor_set_2d_async)
    (backend, tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get_2d_async(backend_t backend, const tensor_t *tensor, void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_get_2d_async, KIND_TENSOR_GET_ASYNC)) {
        op_acts_on(&op, backend);
        touch_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data,
                   MODE_READ);
        note_empty(&op, size * n_copies);
        op_encloses(&op);
    }
    CALL(op, ggml_backend_tensor_get_2d_async)
    (backend, tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}
