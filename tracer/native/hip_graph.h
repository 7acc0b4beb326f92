// HIP's graphs: what the wrappers of hip_roles_graph.txt say beyond api_graph_calls.h.
#pragma once
#include "api_graph_calls.h"
#include "hip.h"

extern const struct graph_asks hip_graph_asks;

// What a node does: before the function that makes it or changes it, ...
void hip_node_kernel(struct api_call *call, const void *parameters);
void hip_node_copy(struct api_call *call, void *to, const void *from, size_t size);
void hip_node_copy_3d(struct api_call *call, const void *parameters);
void hip_node_copy_drv_3d(struct api_call *call, const void *parameters);
void hip_node_to_symbol(struct api_call *call, const void *symbol, size_t offset, const void *from,
                        size_t size);
void hip_node_from_symbol(struct api_call *call, void *to, const void *symbol, size_t offset,
                          size_t size);
void hip_node_set(struct api_call *call, const void *parameters);
void hip_node_any(struct api_call *call, const void *parameters);
// ... and after it.
void hip_node_any_added(struct api_call *call, const void *graph, void *const *node,
                        const void *after, size_t count, const void *parameters);
void hip_node_any_changed(struct api_call *call, const void *node, const void *parameters);
void hip_executable_any(struct api_call *call, const void *node, const void *parameters);
