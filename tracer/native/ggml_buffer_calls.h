// Ops on whole buffers: what is recorded before the call itself, and where needed after it.
#pragma once
#include "from.h"

void alloc_begin(struct op *op, struct from from);
void alloc_end(struct op *op, void *buffer, size_t size);

// A buffer over memory that the program already had.
void over_host_begin(struct op *op, enum call call, struct from from);
void over_host_end(struct op *op, void *buffer, void *data);

void free_begin(struct op *op, struct from from, void *buffer);
void clear_begin(struct op *op, struct from from, void *buffer);
