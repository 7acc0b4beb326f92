// Graphs and nodes by the handles that the API gives them.
#pragma once
#include "api_graph.h"

// What a front-end can ask its runtime.
struct graph_asks {
    // Nodes of the graph in the order in which they were made: how many, the first `room` of them.
    size_t (*nodes)(const void *graph, const void **nodes, size_t room);
    bool (*is_kind)(const void *node, enum kind kind);
    // Whether the stream is captured, and into which graph where it says that.
    bool (*captures)(void *stream, const void **graph);
};
extern const struct graph_asks *graph_asks;

// Null: none that is known. Under the lock, or by whom it cannot be destroyed meanwhile.
struct graph *graph_of(const void *handle);
// Its place in the graph; the number of its nodes: it has none of this handle. Under the lock.
uint32_t node_place(const struct graph *graph, const void *handle);
// Its number; 0: not known.
uint64_t node_number(const void *handle);
// The graph that the node is in, and its place there; null: not known. Under the lock.
struct graph *node_find(const void *handle, uint32_t *place);

// Without the lock, as all that follows: the program has asked for nodes of the graph. Those that
// were captured are known by their handles from here on.
void graph_asked(const void *handle);
void graph_named(const void *handle, struct graph *graph);
void node_named(const void *handle, struct graph *graph, uint64_t number);
void graph_gone(const void *handle);
void node_gone(const void *handle);
