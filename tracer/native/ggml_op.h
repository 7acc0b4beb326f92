// What ggml's ops have in common.
#pragma once
#include "ggml_handles.h"
#include "op.h"

// The backend that executes the op or is waited for; null: unknown.
struct backend *op_acts_on(struct op *op, backend_t key);
// It touches a range: what it writes is no raw store.
void op_touches(struct op *op, const struct range *range);
// It reads one tensor and writes another, whole.
void op_copies(struct op *op, const tensor_t *src, const tensor_t *dst);
