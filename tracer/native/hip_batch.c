// HIP's calls that copy several times or launch several kernels: an op each.
#include "api_blocks.h"
#include "hip_calls.h"

struct operand { // hipMemcpy3DOperand
    int type;
    void *memory;      // or array
    size_t row, layer; // in bytes and in rows; 0: as long as the copy
    char location[8];
};
enum { OPERAND_POINTER = 1 };
struct copy_3d_op { // hipMemcpy3DBatchOp
    struct operand from, to;
    struct api_extent extent;
    int order;
    unsigned flags;
};
static_assert(sizeof(struct copy_3d_op) == 112, "hipMemcpy3DBatchOp");

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

void hip_copied_3d_batch(struct api_call *call, const void *copies, size_t count) {
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
        if (!api_batched(&copy, call))
            return;
        copy_3d(&copy, &op[i]);
        api_leave(&copy, 0, false);
    }
}

struct launch { // hipLaunchParams
    const void *stub;
    struct hip_dim3 grid, block;
    void **arguments;
    size_t shared;
    void *stream;
};
struct function_launch { // hipFunctionLaunchParams
    const void *function;
    unsigned grid[3], block[3], shared;
    void *stream;
    void **arguments;
};

static void launch_one(struct api_call *call, const void *of, unsigned at) {
    const struct launch *launch = (const struct launch *)of + at;
    hip_launches(call, launch->stub, launch->arguments, launch->stream);
}

static void launch_function(struct api_call *call, const void *of, unsigned at) {
    const struct function_launch *launch = (const struct function_launch *)of + at;
    hip_launches_function(call, launch->function, launch->arguments, NULL, launch->stream);
}

static void launched_others(struct api_call *call, const void *of, unsigned count,
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

void hip_launches_first(struct api_call *call, const void *launches, unsigned count) {
    if (count)
        launch_one(call, launches, 0);
}

void hip_launched_others(struct api_call *call, const void *launches, unsigned count) {
    launched_others(call, launches, count, launch_one);
}

void hip_launches_first_function(struct api_call *call, const void *launches, unsigned count) {
    if (count)
        launch_function(call, launches, 0);
}

void hip_launched_other_functions(struct api_call *call, const void *launches, unsigned count) {
    launched_others(call, launches, count, launch_function);
}
