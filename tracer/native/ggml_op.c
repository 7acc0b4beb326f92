#include "ggml_op.h"
#include "ggml_digest.h"
#include "ggml_range.h"

struct backend *op_acts_on(struct op *op, backend_t key) {
    struct backend *backend = backend_of(op->thread, key);
    op->record.actor = backend ? backend->handle.id : 0;
    op->record.device = backend ? backend->device : -1;
    return backend;
}

void op_touches(struct op *op, const struct range *range) {
    op_touch(op, range);
    if (range->mode == MODE_WRITE)
        pending_written(op->thread, range);
}

void op_copies(struct op *op, const tensor_t *src, const tensor_t *dst) {
    struct range range;
    if (access_of_whole(op->thread, &range, src, MODE_READ))
        op_touches(op, &range);
    if (access_of_whole(op->thread, &range, dst, MODE_WRITE))
        op_touches(op, &range);
}
