// What ggml's ops have in common.
#pragma once
#include "ggml_handles.h"
#include "ggml_known.h"
#include "op.h"

// The backend that executes the op or is waited for; null: unknown.
struct backend *op_acts_on(struct op *op, backend_t key);
// It touches a range: what it writes is no raw store.
void op_touches(struct op *op, const struct range *range);
void op_touches_part(struct op *op, const void *subject, uint64_t offset, uint64_t size,
                     unsigned how);
// It reads one tensor and writes another, whole.
void op_copies(struct op *op, const tensor_t *src, const tensor_t *dst);

// Host memory that a backend may use until it was waited for.
struct in_flight {
    const struct backend *backend; // null: it is not in use, or it cannot be told
    struct range range;
};
// The call was accepted: it is watched from here on.
void op_leaves_in_flight(struct op *op, const struct in_flight *memory, const void *data,
                         bool destination);
