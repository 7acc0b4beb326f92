// The bytes a graph reads from outside itself and writes: walked once, then known by its handle.
#pragma once
#include "ggml_handles.h"

struct graph_ranges {
    uint32_t graph; // row in the trace; 0: unknown
    uint32_t walk;  // which walk of it; 0: ranges could not be told
};
struct graph_ranges graph_ranges_of(struct thread *thread, void *graph);

// Graphs may have been rebuilt: what was walked under this scheduler (null: outside any) is old.
void graphs_changed(void *sched);
