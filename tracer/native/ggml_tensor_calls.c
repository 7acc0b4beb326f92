#include "ggml_tensor_calls.h"
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

static void add_rows(struct op *op, const tensor_t *tensor, const void *data, struct rows r,
                     bool set) {
    if (r.size == 0 || r.rows == 0)
        return;
    struct record_access access;
    uint64_t span = (r.rows - 1) * r.tensor_pitch + r.size;
    if (access_of_tensor(op->thread, &access, tensor, r.offset, span,
                         set ? MODE_WRITE : MODE_READ)) {
        access_in_rows(&access, r.size, r.rows, r.tensor_pitch);
        *op_access(op) = access;
    }
    access_of_host(op->thread, &access, data, (r.rows - 1) * r.data_pitch + r.size,
                   set ? MODE_READ : MODE_WRITE);
    access_in_rows(&access, r.size, r.rows, r.data_pitch);
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

void set_begin(struct op *op, struct from from, tensor_t *tensor, const void *data, size_t offset,
               size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_set, KIND_TENSOR_SET, from))
        return;
    add_tensor(op, tensor, offset, size, MODE_WRITE);
    add_host(op, data, size, MODE_READ);
    note_empty(op, size);
    op_encloses(op);
}

// The loops that stand in for a missing 2d function are its own business: one call, one op.
void set_2d_begin(struct op *op, struct from from, tensor_t *tensor, const void *data,
                  struct rows rows) {
    if (!enter(op, CALL_ggml_backend_tensor_set_2d, KIND_TENSOR_SET, from))
        return;
    add_rows(op, tensor, data, rows, true);
    note_empty(op, rows.size * rows.rows);
    op_mute(op);
}

void memset_begin(struct op *op, struct from from, tensor_t *tensor, size_t offset, size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_memset, KIND_TENSOR_MEMSET, from))
        return;
    add_tensor(op, tensor, offset, size, MODE_WRITE);
    note_empty(op, size);
    op_encloses(op);
}

void set_end(struct op *op, const tensor_t *tensor) {
    if (op->thread)
        inputs_written(tensor);
    op_leave(op);
}

void get_begin(struct op *op, struct from from, const tensor_t *tensor, void *data, size_t offset,
               size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_get, KIND_TENSOR_GET, from))
        return;
    add_tensor(op, tensor, offset, size, MODE_READ);
    add_host(op, data, size, MODE_WRITE);
    note_empty(op, size);
    op_encloses(op);
}

void get_2d_begin(struct op *op, struct from from, const tensor_t *tensor, void *data,
                  struct rows rows) {
    if (!enter(op, CALL_ggml_backend_tensor_get_2d, KIND_TENSOR_GET, from))
        return;
    add_rows(op, tensor, data, rows, false);
    note_empty(op, rows.size * rows.rows);
    op_mute(op);
}

void copy_begin(struct op *op, struct from from, const tensor_t *src, const tensor_t *dst) {
    enum call call = CALL_ggml_backend_tensor_copy;
    if (from.by_name ? !op_enter(op, call, KIND_TENSOR_COPY, from.caller, from.frame)
                     : !enter(op, call, KIND_TENSOR_COPY, from))
        return;
    struct record_access access;
    if (access_of_whole(op->thread, &access, src, MODE_READ))
        *op_access(op) = access;
    if (access_of_whole(op->thread, &access, dst, MODE_WRITE))
        *op_access(op) = access;
    note_empty(op, src == dst ? 0 : REAL(ggml_nbytes)(src));
    op_mute(op);
}

// Without a slot of its own the backend waits and sets: those calls are seen as children.
void set_async_begin(struct op *op, struct from from, backend_t backend, tensor_t *tensor,
                     const void *data, size_t offset, size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_set_async, KIND_TENSOR_SET_ASYNC, from))
        return;
    on_backend(op, backend);
    add_tensor(op, tensor, offset, size, MODE_WRITE);
    add_host(op, data, size, MODE_READ);
    note_empty(op, size);
    op_encloses(op);
}

void set_async_end(struct op *op, backend_t backend, const tensor_t *tensor, const void *data,
                   size_t size) {
    if (op->thread) {
        inputs_written(tensor);
        const struct backend *to = backend_of(op->thread, backend);
        if (to && to->sets && !to->synchronous && size)
            pending_add(op->thread, &op->access[op->accesses - 1], data, to->handle.id);
    }
    op_leave(op);
}

void get_async_begin(struct op *op, struct from from, backend_t backend, const tensor_t *tensor,
                     void *data, size_t offset, size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_get_async, KIND_TENSOR_GET_ASYNC, from))
        return;
    on_backend(op, backend);
    add_tensor(op, tensor, offset, size, MODE_READ);
    add_host(op, data, size, MODE_WRITE);
    note_empty(op, size);
    op_encloses(op);
}

void set_2d_async_begin(struct op *op, struct from from, backend_t backend, tensor_t *tensor,
                        const void *data, struct rows rows) {
    if (!enter(op, CALL_ggml_backend_tensor_set_2d_async, KIND_TENSOR_SET_ASYNC, from))
        return;
    on_backend(op, backend);
    add_rows(op, tensor, data, rows, true);
    note_empty(op, rows.size * rows.rows);
    op_encloses(op);
}

void get_2d_async_begin(struct op *op, struct from from, backend_t backend, const tensor_t *tensor,
                        void *data, struct rows rows) {
    if (!enter(op, CALL_ggml_backend_tensor_get_2d_async, KIND_TENSOR_GET_ASYNC, from))
        return;
    on_backend(op, backend);
    add_rows(op, tensor, data, rows, false);
    note_empty(op, rows.size * rows.rows);
    op_encloses(op);
}
