// Captures, graphs and executables: what the functions of a GPU API say (X_roles_graph.txt).
#pragma once
#include "api_executable.h"
#include "api_graph_handles.h"

// Captures. `after`: nodes, as the API names them.
void api_capture_begun(struct api_call *call, const struct graph_asks *asks, const void *graph,
                       const void *after, size_t count);
void api_capture_ended(struct api_call *call, void *const *graph);
// It did not end, or it ended in nothing.
void api_capture_failed(struct api_call *call);
void api_capture_follows(int rc, void *stream, const void *nodes, size_t count, unsigned how);
void api_capture_asked(int rc, void *stream, const void *nodes);

// Graphs
void api_graph_made(int rc, const struct graph_asks *asks, void *const *graph);
void api_graph_cloned(int rc, void *const *clone, const void *of);
void api_graph_goes(struct api_call *call, const void *graph);
void api_graph_child(int rc, const void *node, void *const *graph);
void api_graph_asked(int rc, const void *graph);
void api_graph_edges(int rc, const void *graph, const void *from, const void *to, size_t count,
                     bool add);
void api_node_goes(const void *node);

// What a node does: before the function that makes it or changes it, ...
void api_node_plain(struct api_call *call, enum kind kind); // it touches nothing that is known
void api_node_event(struct api_call *call, enum kind kind, void *event);
void api_node_values(struct api_call *call, const void *parameters);
void api_node_semaphores(struct api_call *call, enum kind kind, const void *parameters);
void api_node_frees(struct api_call *call, void *memory);
// ... and after it.
void api_node_allocated(struct api_call *call, const void *parameters);
void api_node_added(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count);
void api_node_child(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count, const void *child);
void api_node_with(struct api_call *call, const void *graph, void *const *node, const void *after,
                   size_t count, bool has_child, const void *child);
void api_node_changed(struct api_call *call, const void *node);
void api_node_runs(const void *node, const void *child); // another graph than before

// Executables
void api_executable_made(struct api_call *call, void *const *executable, const void *graph);

// As CUDA and HIP lay out the parameters of a node, whatever its type.
struct api_alloc_node {
    char pool[88];
    const void *access;
    size_t accesses, size;
    void *memory;
};
struct api_values_node {
    void *context;
    unsigned count;
    const void *values;
    unsigned flags;
};
