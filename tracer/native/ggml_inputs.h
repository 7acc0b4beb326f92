// Raw stores into graph inputs are no calls. They show as changed bytes, which are looked at when a
// graph is submitted; those into the sources of pending copies in pending.h.
#pragma once
#include "ggml_handles.h"
#include "op.h"

// The graph's host inputs become those of the scheduler. Before the graph is split.
void inputs_collect(struct sched *sched, void *graph);
// One host_inputs op: what changed since the last look (digest), and what may have (synthetic).
void inputs_look(void *sched, void *caller, void *frame);
// The program wrote this tensor by a recorded call.
void inputs_written(const tensor_t *tensor);
// ... or all of this buffer.
void inputs_cleared(const struct buffer *buffer);
