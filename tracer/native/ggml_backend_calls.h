// Ops of backends and their order, split around the call itself.
#pragma once
#include "from.h"
#include "ggml_abi.h"

void init_begin(struct op *op, struct from from);
void init_end(struct op *op, backend_t backend);
// Ends with op_leave.
void end_begin(struct op *op, struct from from, backend_t backend);

// Host and stream waits. False: the wait is left out on request.
bool synchronize_begin(struct op *op, struct from from, backend_t backend);
void synchronize_end(struct op *op, struct from from);
bool event_synchronize_begin(struct op *op, struct from from, void *event);
void event_synchronize_end(struct op *op, struct from from);
bool event_wait_begin(struct op *op, struct from from, backend_t backend, void *event);

void event_new_begin(struct op *op, struct from from);
void event_new_end(struct op *op, void *event);
// These, and the stream wait, end with op_leave.
void event_free_begin(struct op *op, struct from from, void *event);
void event_record_begin(struct op *op, struct from from, void *event, backend_t backend);

void compute_begin(struct op *op, struct from from, backend_t backend, void *graph);
void compute_end(struct op *op, backend_t backend, int status);
// A launch and a wait: both are seen as children.
void compute_and_wait_begin(struct op *op, struct from from, backend_t backend);
