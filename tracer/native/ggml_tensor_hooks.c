// Tensor data moved by a call: set, get, copy, memset, blocking and not.
#include "ggml_digest.h"
#include "ggml_range.h"
#include "resolve.h"

static void add_tensor(struct op *op, const tensor_t *tensor, uint64_t offset, uint64_t size,
                       enum mode mode) {
    struct record_access access;
    if (access_of_tensor(op->thread, &access, tensor, offset, size, mode))
        *op_access(op) = access;
}

static void add_host(struct op *op, const void *data, uint64_t size, enum mode mode) {
    if (size)
        access_of_host(op->thread, op_access(op), data, size, mode);
}

static void add_rows(struct op *op, const tensor_t *tensor, const void *data, size_t offset,
                     size_t size, size_t rows, size_t tensor_pitch, size_t data_pitch, bool set) {
    if (size == 0 || rows == 0)
        return;
    struct record_access access;
    uint64_t span = (rows - 1) * tensor_pitch + size;
    if (access_of_tensor(op->thread, &access, tensor, offset, span, set ? MODE_WRITE : MODE_READ)) {
        access_in_rows(&access, size, rows, tensor_pitch);
        *op_access(op) = access;
    }
    access_of_host(op->thread, &access, data, (rows - 1) * data_pitch + size,
                   set ? MODE_READ : MODE_WRITE);
    access_in_rows(&access, size, rows, data_pitch);
    *op_access(op) = access;
}

static void on_backend(struct op *op, backend_t key) {
    const struct backend *backend = backend_of(op->thread, key);
    op->record.actor = backend ? backend->handle.id : 0;
    op->record.device = backend ? backend->device : -1;
}

static void note_empty(struct op *op, size_t size) {
    if (size == 0)
        op->record.flags |= FLAG_NOOP;
}

HOOK void ggml_backend_tensor_set(tensor_t *tensor, const void *data, size_t offset, size_t size) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_set, KIND_TENSOR_SET)) {
        add_tensor(&op, tensor, offset, size, MODE_WRITE);
        add_host(&op, data, size, MODE_READ);
        note_empty(&op, size);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_set)(tensor, data, offset, size);
    if (op.thread)
        inputs_written(tensor);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get(const tensor_t *tensor, void *data, size_t offset, size_t size) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_get, KIND_TENSOR_GET)) {
        add_tensor(&op, tensor, offset, size, MODE_READ);
        add_host(&op, data, size, MODE_WRITE);
        note_empty(&op, size);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_get)(tensor, data, offset, size);
    op_leave(&op);
}

// The loops that stand in for a missing 2d function are its own business: one call, one op.
HOOK void ggml_backend_tensor_set_2d(tensor_t *tensor, const void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_set_2d, KIND_TENSOR_SET)) {
        add_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data, true);
        note_empty(&op, size * n_copies);
        op_mute(&op);
    }
    REAL(ggml_backend_tensor_set_2d)
    (tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    if (op.thread)
        inputs_written(tensor);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get_2d(const tensor_t *tensor, void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_get_2d, KIND_TENSOR_GET)) {
        add_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data, false);
        note_empty(&op, size * n_copies);
        op_mute(&op);
    }
    REAL(ggml_backend_tensor_get_2d)
    (tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_memset(tensor_t *tensor, uint8_t value, size_t offset, size_t size) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_memset, KIND_TENSOR_MEMSET)) {
        add_tensor(&op, tensor, offset, size, MODE_WRITE);
        note_empty(&op, size);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_memset)(tensor, value, offset, size);
    if (op.thread)
        inputs_written(tensor);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_copy(const tensor_t *src, tensor_t *dst) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_copy, KIND_TENSOR_COPY)) {
        struct record_access access;
        if (access_of_whole(op.thread, &access, src, MODE_READ))
            *op_access(&op) = access;
        if (access_of_whole(op.thread, &access, dst, MODE_WRITE))
            *op_access(&op) = access;
        note_empty(&op, src == dst ? 0 : REAL(ggml_nbytes)(src));
        op_mute(&op);
    }
    REAL(ggml_backend_tensor_copy)(src, dst);
    op_leave(&op);
}

// Without a slot of its own the backend waits and sets: those calls are seen as children.
HOOK void ggml_backend_tensor_set_async(backend_t backend, tensor_t *tensor, const void *data,
                                        size_t offset, size_t size) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_set_async, KIND_TENSOR_SET_ASYNC)) {
        on_backend(&op, backend);
        add_tensor(&op, tensor, offset, size, MODE_WRITE);
        add_host(&op, data, size, MODE_READ);
        note_empty(&op, size);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_set_async)(backend, tensor, data, offset, size);
    if (op.thread) {
        inputs_written(tensor);
        const struct backend *to = backend_of(op.thread, backend);
        if (to && to->sets && !to->synchronous && size)
            pending_add(op.thread, &op.access[op.accesses - 1], data, to->handle.id);
    }
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get_async(backend_t backend, const tensor_t *tensor, void *data,
                                        size_t offset, size_t size) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_get_async, KIND_TENSOR_GET_ASYNC)) {
        on_backend(&op, backend);
        add_tensor(&op, tensor, offset, size, MODE_READ);
        add_host(&op, data, size, MODE_WRITE);
        note_empty(&op, size);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_get_async)(backend, tensor, data, offset, size);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_set_2d_async(backend_t backend, tensor_t *tensor, const void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_set_2d_async, KIND_TENSOR_SET_ASYNC)) {
        on_backend(&op, backend);
        add_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data, true);
        note_empty(&op, size * n_copies);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_set_2d_async)
    (backend, tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    if (op.thread)
        inputs_written(tensor);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get_2d_async(backend_t backend, const tensor_t *tensor, void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_get_2d_async, KIND_TENSOR_GET_ASYNC)) {
        on_backend(&op, backend);
        add_rows(&op, tensor, data, offset, size, n_copies, stride_tensor, stride_data, false);
        note_empty(&op, size * n_copies);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_get_2d_async)
    (backend, tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}
