// Tensor data moved by a call, by name: set, get, copy, memset, blocking and not.
#include "ggml_tensor_calls.h"
#include "resolve.h"

HOOK void ggml_backend_tensor_set(tensor_t *tensor, const void *data, size_t offset, size_t size) {
    OP(op);
    set_begin(&op, BY_NAME, tensor, data, offset, size);
    CALL(op, ggml_backend_tensor_set)(tensor, data, offset, size);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get(const tensor_t *tensor, void *data, size_t offset, size_t size) {
    OP(op);
    get_begin(&op, BY_NAME, tensor, data, offset, size);
    CALL(op, ggml_backend_tensor_get)(tensor, data, offset, size);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_set_2d(tensor_t *tensor, const void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data) {
    OP(op);
    struct rows rows = {offset, size, n_copies, stride_tensor, stride_data};
    set_2d_begin(&op, BY_NAME, tensor, data, rows);
    CALL(op, ggml_backend_tensor_set_2d)
    (tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_get_2d(const tensor_t *tensor, void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data) {
    OP(op);
    struct rows rows = {offset, size, n_copies, stride_tensor, stride_data};
    get_2d_begin(&op, BY_NAME, tensor, data, rows);
    CALL(op, ggml_backend_tensor_get_2d)
    (tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_memset(tensor_t *tensor, uint8_t value, size_t offset, size_t size) {
    OP(op);
    memset_begin(&op, BY_NAME, tensor, offset, size);
    CALL(op, ggml_backend_tensor_memset)(tensor, value, offset, size);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_copy(const tensor_t *src, tensor_t *dst) {
    OP(op);
    copy_begin(&op, BY_NAME, src, dst);
    CALL(op, ggml_backend_tensor_copy)(src, dst);
    op_leave(&op);
}

HOOK void ggml_backend_tensor_set_async(backend_t backend, tensor_t *tensor, const void *data,
                                        size_t offset, size_t size) {
    OP(op);
    struct in_flight source;
    set_async_begin(&op, BY_NAME, &source, backend, tensor, data, offset, size);
    CALL(op, ggml_backend_tensor_set_async)(backend, tensor, data, offset, size);
    async_end(&op, &source, data, false);
}

HOOK void ggml_backend_tensor_get_async(backend_t backend, const tensor_t *tensor, void *data,
                                        size_t offset, size_t size) {
    OP(op);
    struct in_flight destination;
    get_async_begin(&op, BY_NAME, &destination, backend, tensor, data, offset, size);
    CALL(op, ggml_backend_tensor_get_async)(backend, tensor, data, offset, size);
    async_end(&op, &destination, data, true);
}

HOOK void ggml_backend_tensor_set_2d_async(backend_t backend, tensor_t *tensor, const void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data) {
    OP(op);
    struct rows rows = {offset, size, n_copies, stride_tensor, stride_data};
    struct in_flight source;
    set_2d_async_begin(&op, BY_NAME, &source, backend, tensor, data, rows);
    CALL(op, ggml_backend_tensor_set_2d_async)
    (backend, tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    async_end(&op, &source, data, false);
}

HOOK void ggml_backend_tensor_get_2d_async(backend_t backend, const tensor_t *tensor, void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data) {
    OP(op);
    struct rows rows = {offset, size, n_copies, stride_tensor, stride_data};
    struct in_flight destination;
    get_2d_async_begin(&op, BY_NAME, &destination, backend, tensor, data, rows);
    CALL(op, ggml_backend_tensor_get_2d_async)
    (backend, tensor, data, offset, size, n_copies, stride_tensor, stride_data);
    async_end(&op, &destination, data, true);
}
