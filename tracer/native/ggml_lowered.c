#include "ggml_lowered.h"

#define ABANDONS_NONE NULL
#define NEVER_ABANDONED ((void *)UINTPTR_MAX)

void lowered_end(const struct op *launch) {
    const struct thread *thread = launch->thread;
    if (!thread || launch->slot >= thread->depth)
        return;
    const struct open_op *open = &thread->open[launch->slot];
    if (!open->ranged || !open->last || launch->record.flags & FLAG_FAILED)
        return;
    OP(op);
    launch->thread->busy = false;
    if (op_begin(&op, launch->record.call, KIND_GRAPH_LAUNCH, LEVEL_API, ABANDONS_NONE)) {
        op.record.actor = open->last;
        op.record.device = open->last_device;
        op.record.graph = launch->record.graph;
        op.record.walk = launch->record.walk;
        op_begun(&op, launch->site, NEVER_ABANDONED);
        op_leave(&op);
    }
    launch->thread->busy = true;
}
