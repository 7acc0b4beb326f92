// CUDA's graphs: what the wrappers of cuda_roles_graph.txt say beyond api_graph_calls.h.
#pragma once
#include "api_graph_calls.h"

extern const struct graph_asks cuda_graph_asks;

// What a node does: before the function that makes it or changes it, ...
void cuda_node_kernel(struct api_call *call, const void *parameters);
void cuda_node_copy(struct api_call *call, const void *parameters);
void cuda_node_set(struct api_call *call, const void *parameters);
void cuda_node_any(struct api_call *call, const void *parameters);
// ... and after it.
void cuda_node_any_added(struct api_call *call, const void *graph, void *const *node,
                         const void *after, size_t count, const void *parameters);
void cuda_node_any_changed(struct api_call *call, const void *node, const void *parameters);
void cuda_executable_any(struct api_call *call, const void *node, const void *parameters);
