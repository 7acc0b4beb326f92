#include "ggml_copy.h"
#include "from.h"
#include "ggml_digest.h"
#include "ggml_range.h"
#include "resolve.h"

static void add_sides(struct op *op, const struct backend *from, const struct backend *to,
                      const tensor_t *src, const tensor_t *dst) {
    struct record_access access;
    op->record.actor = to ? to->handle.id : 0;
    op->record.device = to ? to->device : -1;
    op->record.peer = from ? from->handle.id : 0;
    if (access_of_whole(op->thread, &access, src, MODE_READ))
        *op_access(op) = access;
    if (access_of_whole(op->thread, &access, dst, MODE_WRITE))
        *op_access(op) = access;
}

// A source in host memory may be rewritten by the program while the copy is pending.
static void watch_source(struct op *op, const tensor_t *src) {
    struct buffer *buffer = buffer_of(op->thread, tensor_buffer(src));
    if (buffer && buffer->is_host && op->accesses && op->access[0].mode == MODE_READ)
        pending_add(op->thread, &op->access[0], src->data, op->record.actor);
}

static bool copy_hook(backend_t src_backend, backend_t dst_backend, const tensor_t *src,
                      tensor_t *dst) {
    struct op op;
    struct backend *to = backend_known(dst_backend);
    if (!to || !to->copy)
        return false; // refusing is always right: the caller then copies itself
    if (enter(&op, CALL_cpy_tensor_async, KIND_TENSOR_COPY_ASYNC, BY_SLOT)) {
        add_sides(&op, backend_of(op.thread, src_backend), backend_of(op.thread, dst_backend), src,
                  dst);
        op_mute(&op);
    }
    bool accepted = to->copy(src_backend, dst_backend, src, dst);
    if (op.thread && !accepted)
        op.record.flags |= FLAG_REFUSED;
    else if (op.thread)
        watch_source(&op, src);
    op_leave(&op);
    return accepted;
}

void *copy_slot_hook(void) { return (void *)copy_hook; }

void *copy_slot_real(void *slot) { return slot == (void *)copy_hook ? NULL : slot; }

// Encloses the slot and, where that refuses, the waits and the blocking copy.
HOOK void ggml_backend_tensor_copy_async(backend_t src_backend, backend_t dst_backend,
                                         const tensor_t *src, tensor_t *dst) {
    struct op op;
    if (OP_ENTER(&op, ggml_backend_tensor_copy_async, KIND_TENSOR_COPY_ASYNC)) {
        add_sides(&op, backend_of(op.thread, src_backend), backend_of(op.thread, dst_backend), src,
                  dst);
        op_encloses(&op);
    }
    REAL(ggml_backend_tensor_copy_async)(src_backend, dst_backend, src, dst);
    op_leave(&op);
}
