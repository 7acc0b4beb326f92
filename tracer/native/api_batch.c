// Calls that copy several times or launch several kernels: an op each.
#include "api_blocks.h"
#include "api_roles.h"

// An op of the batch, within it.
static bool element(struct api_call *call, const struct api_call *batch) {
    if (!api_enter_more(call, batch, KIND_MEMCPY_ASYNC_D2D))
        return false;
    call->op.record.flags |= FLAG_BATCHED;
    if (batch->stream)
        api_acts_on(call, batch->stream);
    return true;
}

void api_copied_batch(struct api_call *call, const void *targets, const void *sources,
                      const size_t *sizes, size_t count) {
    void *const *to = targets, *const *from = sources;
    for (size_t i = 0; call->captures && i < count; i++)
        api_copy(call, to[i], sizes[i], from[i], sizes[i], sizes[i], 1, API_ASYNC);
    if (call->captures) { // one node
        call->op.record.kind = KIND_BATCH;
        return;
    }
    op_encloses(&call->op);
    for (size_t i = 0; i < count; i++) {
        API_CALL(copy);
        if (!element(&copy, call))
            return;
        api_copy(&copy, to[i], sizes[i], from[i], sizes[i], sizes[i], 1, API_ASYNC);
        api_leave(&copy, 0, false);
    }
}

struct operand { // CUmemcpy3DOperand, hipMemcpy3DOperand
    int type;
    void *memory;      // or array
    size_t row, layer; // in bytes and in rows; 0: as long as the copy
    char location[8];
};
enum { OPERAND_POINTER = 1 };
struct copy_3d_op { // CUDA_MEMCPY3D_BATCH_OP, hipMemcpy3DBatchOp
    struct operand from, to;
    struct api_extent extent;
    int order;
    unsigned flags;
};
static_assert(sizeof(struct copy_3d_op) == 112, "batch of boxes");

static struct api_block block_of(const struct operand *operand, struct api_extent extent) {
    size_t pitch = operand->row ? operand->row : extent.width;
    size_t rows = operand->layer ? operand->layer : extent.height;
    return (struct api_block){operand->type == OPERAND_POINTER ? operand->memory : NULL, pitch,
                              pitch * rows};
}

static void copy_3d(struct api_call *call, const struct copy_3d_op *op) {
    api_copy_blocks(call, block_of(&op->to, op->extent), block_of(&op->from, op->extent),
                    op->extent, API_ASYNC);
}

void api_copied_3d_batch(struct api_call *call, const void *copies, size_t count) {
    const struct copy_3d_op *op = copies;
    for (size_t i = 0; call->captures && i < count; i++)
        copy_3d(call, &op[i]);
    if (call->captures) {
        call->op.record.kind = KIND_BATCH;
        return;
    }
    op_encloses(&call->op);
    for (size_t i = 0; i < count; i++) {
        API_CALL(copy);
        if (!element(&copy, call))
            return;
        copy_3d(&copy, &op[i]);
        api_leave(&copy, 0, false);
    }
}

// Behind the first, which is the call.
void api_launched_others(struct api_call *call, const void *of, unsigned count,
                         void (*say)(struct api_call *, const void *, unsigned)) {
    api_leave(call, 0, false);
    for (unsigned i = 1; i < count; i++) {
        API_CALL(other);
        if (!api_enter_more(&other, call, KIND_KERNEL))
            return;
        say(&other, of, i);
        api_leave(&other, 0, false);
    }
}
