// Ops that move a tensor's data: what is recorded before the call itself, and where needed after
// it. Inline, since this is the hot path: once in the hook of the name, once in that of the slot.
#pragma once
#include "from.h"
#include "ggml_handles.h"
#include "ggml_inputs.h"
#include "ggml_op.h"
#include "ggml_range.h"
#include "resolve.h"

// `count` rows of `size` bytes each, so many bytes apart in the tensor and in host memory.
struct rows {
    size_t offset, size, count, tensor_pitch, data_pitch;
};

static inline void touch_tensor(struct op *op, const tensor_t *tensor, uint64_t offset,
                                uint64_t size, enum mode mode) {
    op_touches_part(op, tensor, offset, size, HOW(PART_GIVEN, mode, ORIGIN_GGML));
}

static inline void touch_host(struct op *op, const void *data, uint64_t size, enum mode mode) {
    if (size)
        op_touches_part(op, data, 0, size, HOW(PART_HOST, mode, ORIGIN_ARGUMENT));
}

// `host`: the range in host memory, if there is any.
static inline void touch_rows_at(struct op *op, const tensor_t *tensor, const void *data,
                                 struct rows r, enum mode mode, struct range *host) {
    struct range range;
    if (r.size == 0 || r.count == 0)
        return;
    if (access_of_tensor(op->thread, &range, tensor, r.offset,
                         rows_span(r.size, r.count, r.tensor_pitch), mode)) {
        access_in_rows(&range, r.size, r.count, r.tensor_pitch);
        op_touches(op, &range);
    }
    access_of_host(op->thread, host, data, rows_span(r.size, r.count, r.data_pitch),
                   mode == MODE_WRITE ? MODE_READ : MODE_WRITE);
    access_in_rows(host, r.size, r.count, r.data_pitch);
    op_touches(op, host);
}

static inline void touch_rows(struct op *op, const tensor_t *tensor, const void *data,
                              struct rows rows, enum mode mode) {
    struct range host;
    touch_rows_at(op, tensor, data, rows, mode, &host);
}

static inline void note_empty(struct op *op, size_t size) {
    if (size == 0)
        op->record.flags |= FLAG_NOOP;
}

static inline void set_begin(struct op *op, struct from from, tensor_t *tensor, const void *data,
                             size_t offset, size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_set, KIND_TENSOR_SET, from))
        return;
    touch_tensor(op, tensor, offset, size, MODE_WRITE);
    touch_host(op, data, size, MODE_READ);
    note_empty(op, size);
    op_encloses(op);
    inputs_written(tensor);
}

static inline void get_begin(struct op *op, struct from from, const tensor_t *tensor, void *data,
                             size_t offset, size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_get, KIND_TENSOR_GET, from))
        return;
    touch_tensor(op, tensor, offset, size, MODE_READ);
    touch_host(op, data, size, MODE_WRITE);
    note_empty(op, size);
    op_encloses(op);
}

// The loops that stand in for a missing 2d function are its own business: one call, one op.
static inline void set_2d_begin(struct op *op, struct from from, tensor_t *tensor, const void *data,
                                struct rows rows) {
    if (!enter(op, CALL_ggml_backend_tensor_set_2d, KIND_TENSOR_SET, from))
        return;
    touch_rows(op, tensor, data, rows, MODE_WRITE);
    note_empty(op, rows.size * rows.count);
    op_mute(op);
    inputs_written(tensor);
}

static inline void get_2d_begin(struct op *op, struct from from, const tensor_t *tensor, void *data,
                                struct rows rows) {
    if (!enter(op, CALL_ggml_backend_tensor_get_2d, KIND_TENSOR_GET, from))
        return;
    touch_rows(op, tensor, data, rows, MODE_READ);
    note_empty(op, rows.size * rows.count);
    op_mute(op);
}

static inline void memset_begin(struct op *op, struct from from, tensor_t *tensor, size_t offset,
                                size_t size) {
    if (!enter(op, CALL_ggml_backend_tensor_memset, KIND_TENSOR_MEMSET, from))
        return;
    touch_tensor(op, tensor, offset, size, MODE_WRITE);
    note_empty(op, size);
    op_encloses(op);
    inputs_written(tensor);
}

// Its name has no slot of its own, only what it may end in.
static inline bool enter_copy(struct op *op, struct from from) {
    enum call call = CALL_ggml_backend_tensor_copy;
    return from.by_name ? op_enter(op, call, KIND_TENSOR_COPY, from.caller, from.frame)
                        : enter(op, call, KIND_TENSOR_COPY, from);
}

// A blocking copy, by whatever calls: those are not recorded.
static inline void copy_begin(struct op *op, struct from from, const tensor_t *src, tensor_t *dst) {
    if (!enter_copy(op, from))
        return;
    op_copies(op, src, dst);
    note_empty(op, src == dst ? 0 : REAL(ggml_nbytes)(src));
    op_mute(op);
    inputs_written(dst);
}

// Without a slot of its own the backend waits and sets: those calls are seen as children.
static inline void set_async_begin(struct op *op, struct from from, struct in_flight *source,
                                   backend_t backend, tensor_t *tensor, const void *data,
                                   size_t offset, size_t size) {
    source->backend = NULL;
    if (!enter(op, CALL_ggml_backend_tensor_set_async, KIND_TENSOR_SET_ASYNC, from))
        return;
    const struct backend *to = op_acts_on(op, backend);
    touch_tensor(op, tensor, offset, size, MODE_WRITE);
    if (size) {
        access_of_host(op->thread, &source->range, data, size, MODE_READ);
        op_touches(op, &source->range);
        source->backend = to && to->sets ? to : NULL;
    }
    note_empty(op, size);
    op_encloses(op);
    inputs_written(tensor);
}

static inline void get_async_begin(struct op *op, struct from from, struct in_flight *destination,
                                   backend_t backend, const tensor_t *tensor, void *data,
                                   size_t offset, size_t size) {
    destination->backend = NULL;
    if (!enter(op, CALL_ggml_backend_tensor_get_async, KIND_TENSOR_GET_ASYNC, from))
        return;
    const struct backend *of = op_acts_on(op, backend);
    touch_tensor(op, tensor, offset, size, MODE_READ);
    if (size) {
        access_of_host(op->thread, &destination->range, data, size, MODE_WRITE);
        op_touches(op, &destination->range);
        destination->backend = of && of->gets ? of : NULL;
    }
    note_empty(op, size);
    op_encloses(op);
}

static inline void async_end(struct op *op, const struct in_flight *memory, const void *data,
                             bool destination) {
    op_back(op);
    op_leaves_in_flight(op, memory, data, destination);
    op_leave(op);
}

// Without a slot for it, it is a loop of sets, which are seen as children.
static inline void set_2d_async_begin(struct op *op, struct from from, struct in_flight *source,
                                      backend_t backend, tensor_t *tensor, const void *data,
                                      struct rows rows) {
    source->backend = NULL;
    if (!enter(op, CALL_ggml_backend_tensor_set_2d_async, KIND_TENSOR_SET_ASYNC, from))
        return;
    const struct backend *to = op_acts_on(op, backend);
    touch_rows_at(op, tensor, data, rows, MODE_WRITE, &source->range);
    if (rows.size && rows.count)
        source->backend = to && to->sets_2d ? to : NULL;
    note_empty(op, rows.size * rows.count);
    op_encloses(op);
    inputs_written(tensor);
}

static inline void get_2d_async_begin(struct op *op, struct from from,
                                      struct in_flight *destination, backend_t backend,
                                      const tensor_t *tensor, void *data, struct rows rows) {
    destination->backend = NULL;
    if (!enter(op, CALL_ggml_backend_tensor_get_2d_async, KIND_TENSOR_GET_ASYNC, from))
        return;
    const struct backend *of = op_acts_on(op, backend);
    touch_rows_at(op, tensor, data, rows, MODE_READ, &destination->range);
    if (rows.size && rows.count)
        destination->backend = of && of->gets_2d ? of : NULL;
    note_empty(op, rows.size * rows.count);
    op_encloses(op);
}
