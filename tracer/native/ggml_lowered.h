// A launch of ggml whose work was recorded as calls of a GPU API: its ranges, which ggml knows
// exactly, take the place of what the kernels' arguments would tell.
#pragma once
#include "op.h"

// Its ranges are known: kernels within have none of their own.
static inline void lowered_begin(struct op *op) {
    op->thread->open[op->slot].ranged = op->record.walk != 0;
}
// One op of the API's level behind the last device op within, with these ranges. Before op_leave.
void lowered_end(const struct op *launch);
