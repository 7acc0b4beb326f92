// One walk over a graph's nodes that writes its range set into the ring.
#pragma once
#include "ggml_abi.h"
#include "thread.h"

// Number of the walk; 0: some of it could not be written.
uint32_t walk_graph(struct thread *thread, void *graph, int nodes, uint32_t id);
