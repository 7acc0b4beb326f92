// Raw stores into host memory are no calls. They show as changed bytes: graph inputs are looked at
// when a graph is submitted, sources of pending copies at submit and before each host wait.
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

// An accepted asynchronous copy reads this host range until its actor was waited for.
void pending_add(struct thread *thread, const struct range *source, const void *data,
                 uint32_t actor);
// One pending_sources op if any source changed.
void pending_look(void *caller, void *frame);
// A recorded launch on the host may write anything: later changes prove nothing.
void pending_taint(struct thread *thread);
// A recorded call writes this range: the next change of a source in it is no raw store.
void pending_written(struct thread *thread, const struct touched *range);
void pending_recorded(struct thread *thread, uint32_t actor, uint32_t event);
void pending_done(struct thread *thread, uint32_t actor, uint32_t event);
// The storage is gone: its bytes must not be read any more.
void pending_forget(struct thread *thread, uint32_t storage);
