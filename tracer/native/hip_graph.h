// HIP's captures, graphs, executables and values: what the wrappers of hip_roles_graph.txt say.
#pragma once
#include "api_call.h"
#include "hip.h"

// Captures. `after`: nodes, as HIP names them.
void hip_capture_begun(struct api_call *call, const void *graph, const void *after, size_t count);
void hip_capture_ended(struct api_call *call, void *const *graph);
// It did not end, or it ended in nothing.
void hip_capture_failed(struct api_call *call);
void hip_capture_follows(int rc, void *stream, const void *nodes, size_t count, unsigned how);
void hip_capture_asked(int rc, void *stream, const void *nodes);

// Graphs
void hip_graph_made(int rc, void *const *graph);
void hip_graph_cloned(int rc, void *const *clone, const void *of);
void hip_graph_goes(struct api_call *call, const void *graph);
void hip_graph_child(int rc, const void *node, void *const *graph);
void hip_graph_asked(int rc, const void *graph);
void hip_edges(int rc, const void *graph, const void *from, const void *to, size_t count, bool add);
void hip_node_goes(const void *node);

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
void hip_node_plain(struct api_call *call, enum kind kind); // it touches nothing that is known
void hip_node_event(struct api_call *call, enum kind kind, void *event);
void hip_node_values(struct api_call *call, const void *parameters);
void hip_node_frees(struct api_call *call, void *memory);
void hip_node_any(struct api_call *call, const void *parameters);
// ... and after it.
void hip_node_allocated(struct api_call *call, const void *parameters);
void hip_node_added(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count);
void hip_node_child(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count, const void *child);
void hip_node_any_added(struct api_call *call, const void *graph, void *const *node,
                        const void *after, size_t count, const void *parameters);
void hip_node_changed(struct api_call *call, const void *node);
void hip_node_any_changed(struct api_call *call, const void *node, const void *parameters);

// Executables
void hip_executable_made(struct api_call *call, void *const *executable, const void *graph);
void hip_executable_any(struct api_call *call, const void *node, const void *parameters);
