#include "ggml_copy.h"
#include "from.h"
#include "ggml_inputs.h"
#include "ggml_op.h"
#include "ggml_range.h"
#include "resolve.h"

static void copy_between(struct op *op, backend_t src_backend, backend_t dst_backend,
                         const tensor_t *src, tensor_t *dst) {
    const struct backend *from = backend_of(op->thread, src_backend);
    op_acts_on(op, dst_backend);
    op->record.peer = from ? from->handle.id : 0;
    op_copies(op, src, dst);
    inputs_written(dst);
}

// A source in host memory may be rewritten by the program while the copy is pending.
static void watch_source(struct op *op, const struct backend *to, const tensor_t *src) {
    struct buffer *buffer = buffer_of(op->thread, tensor_buffer(src));
    struct in_flight source = {.backend = to};
    if (buffer && buffer->is_host && access_of_whole(op->thread, &source.range, src, MODE_READ))
        op_leaves_in_flight(op, &source, src->data, false);
}

static bool copy_hook(backend_t src_backend, backend_t dst_backend, const tensor_t *src,
                      tensor_t *dst) {
    OP(op);
    struct backend *to = backend_known(dst_backend);
    if (!to || !to->copy)
        return false; // refusing is always right: the caller then copies itself
    if (enter(&op, CALL_cpy_tensor_async, KIND_TENSOR_COPY_ASYNC, BY_SLOT)) {
        copy_between(&op, src_backend, dst_backend, src, dst);
        op_mute(&op);
    }
    op_out(&op);
    bool accepted = to->copy(src_backend, dst_backend, src, dst);
    op_back(&op);
    if (op.thread && !accepted)
        op.record.flags |= FLAG_REFUSED;
    else if (op.thread)
        watch_source(&op, to, src);
    op_leave(&op);
    return accepted;
}

void *copy_slot_hook(void) { return (void *)copy_hook; }

void *copy_slot_real(void *slot) { return slot == (void *)copy_hook ? NULL : slot; }

// Encloses the slot and, where that refuses, the waits and the blocking copy.
HOOK void ggml_backend_tensor_copy_async(backend_t src_backend, backend_t dst_backend,
                                         const tensor_t *src, tensor_t *dst) {
    OP(op);
    if (OP_ENTER(&op, ggml_backend_tensor_copy_async, KIND_TENSOR_COPY_ASYNC)) {
        copy_between(&op, src_backend, dst_backend, src, dst);
        op_encloses(&op);
    }
    CALL(op, ggml_backend_tensor_copy_async)(src_backend, dst_backend, src, dst);
    op_leave(&op);
}
