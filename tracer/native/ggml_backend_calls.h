// Ops of backends and their order: what is recorded before the call itself, and where needed after.
#pragma once
#include "from.h"
#include "ggml_abi.h"

void init_begin(struct op *op, struct from from);
void init_end(struct op *op, backend_t backend);
void end_begin(struct op *op, struct from from, backend_t backend);

// Waits of the host, and of a backend. False: the wait is left out on request.
bool synchronize_begin(struct op *op, struct from from, backend_t backend);
void synchronize_end(struct op *op, struct from from);
bool event_synchronize_begin(struct op *op, struct from from, void *event);
void event_synchronize_end(struct op *op, struct from from);
bool event_wait_begin(struct op *op, struct from from, backend_t backend, void *event);

void event_new_begin(struct op *op, struct from from);
void event_new_end(struct op *op, void *event);
void event_free_begin(struct op *op, struct from from, void *event);
void event_record_begin(struct op *op, struct from from, void *event, backend_t backend);

void compute_begin(struct op *op, struct from from, backend_t backend, void *graph);
void compute_end(struct op *op, backend_t backend, int status);
