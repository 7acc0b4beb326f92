// Ops on whole buffers, split around the call itself.
#pragma once
#include "from.h"

void alloc_begin(struct op *op, struct from from);
void alloc_end(struct op *op, void *buffer, size_t size);

// A buffer over memory that the program already had.
void over_host_begin(struct op *op, enum call call, struct from from);
void over_host_end(struct op *op, void *buffer, void *data);

// These end with op_leave.
void free_begin(struct op *op, struct from from, void *buffer);
void clear_begin(struct op *op, struct from from, void *buffer);
