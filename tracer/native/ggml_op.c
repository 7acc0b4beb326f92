#include "ggml_op.h"
#include "intern.h"
#include "pending.h"

struct backend *op_acts_on(struct op *op, backend_t key) {
    struct backend *backend = backend_of(op->thread, key);
    op->record.actor = backend ? backend->handle.id : 0;
    op->record.device = backend ? backend->device : -1;
    return backend;
}

void op_touches(struct op *op, const struct range *range) {
    struct touched touched = {intern_range(op->thread, range), range->storage, range->lo,
                              range->hi};
    op_note(op, touched.id);
    if (range->mode == MODE_WRITE)
        pending_written(&touched);
}

void op_touches_part(struct op *op, const void *subject, uint64_t offset, uint64_t size,
                     unsigned how) {
    const struct touched *touched =
        known(op->thread, (struct question){subject, offset, size, how});
    if (!touched)
        return;
    op_note(op, touched->id);
    if (mode_of(how) == MODE_WRITE)
        pending_written(touched);
}

void op_copies(struct op *op, const tensor_t *src, const tensor_t *dst) {
    op_touches_part(op, src, 0, 0, HOW(PART_WHOLE, MODE_READ, ORIGIN_GGML));
    op_touches_part(op, dst, 0, 0, HOW(PART_WHOLE, MODE_WRITE, ORIGIN_GGML));
}

void op_leaves_in_flight(struct op *op, const struct in_flight *memory, const void *data,
                         bool destination) {
    if (!op->thread || !memory->backend || memory->backend->synchronous)
        return;
    pending_add(op->thread, (struct pending_use){
                                .range = &memory->range,
                                .data = data,
                                .actor = memory->backend->handle.id,
                                .device = memory->backend->device,
                                .destination = destination,
                                .pinned = host_buffer_around((uintptr_t)data, 1),
                                .present = host_buffer_present,
                            });
}
