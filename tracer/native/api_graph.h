// Graphs of a GPU API: nodes with what they touch, and the edges between them. An executable has a
// graph of its own: what it was made from may change afterwards.
//
// Changed and read under graphs_lock, under which nothing is called that takes the lock of handles.
#pragma once
#include "api_call.h"
#include "blocks.h"

struct graph_part { // of a list of the graph
    uint32_t first, count, room;
};

struct graph_node {
    const void *key;  // the API's handle; null: not known (yet)
    uint64_t number;  // never used again; copies of it in executables have the same
    const char *name; // of its kernel, or of the function that made it
    struct graph *child;
    struct graph_part accesses, sources, orders;
    uint32_t edges_in, edges_out;
    uint32_t child_at; // number of its child's first node in the version that is being told
    uint8_t kind;      // enum kind
    bool disabled;     // does nothing, but still orders
    bool unread;       // what it touches is not known
};

struct graph_edge {
    uint32_t first, second; // nodes by their places
};

struct graph {
    const void *key;
    uint32_t id;    // in the trace; that of its first executable, too
    uint32_t epoch; // process epoch in which its accesses were told
    bool has_executable;
    bool opaque; // it has nodes that are not known here
    struct list nodes, edges;
    struct list accesses; // uint32_t: their numbers
    struct list sources;  // struct api_source
    struct list orders;   // struct api_order
};

void graphs_lock(void);
void graphs_unlock(void);

static inline struct graph_node *graph_node(const struct graph *graph, uint32_t at) {
    return (struct graph_node *)graph->nodes.items + at;
}
static inline struct graph_edge *graph_edge(const struct graph *graph, uint32_t at) {
    return (struct graph_edge *)graph->edges.items + at;
}

// Its id, given at the first question.
uint32_t graph_number(struct graph *graph);

// Null: no memory.
struct graph *graph_new(void);
// A copy in which nodes are the same (for an executable), or are new ones.
struct graph *graph_copy(const struct graph *of, bool same_nodes);
void graph_drop(struct graph *graph);

// A node that does what the call would have done, after these. Null: no memory, and the graph is
// opaque.
struct graph_node *graph_add(struct graph *graph, const struct api_call *call,
                             const uint32_t *after, uint32_t count);
// It does what the call would have done, from now on.
void graph_set(struct graph *graph, struct graph_node *node, const struct api_call *call);
// What it runs is a copy of this graph (null: one that is not known).
void graph_set_child(struct graph *graph, struct graph_node *node, const struct graph *child);
void graph_add_edge(struct graph *graph, uint32_t first, uint32_t second);
void graph_remove_edge(struct graph *graph, uint32_t first, uint32_t second);
void graph_remove(struct graph *graph, uint32_t at);
// Place of the node of this number; nodes.count: it has none.
uint32_t graph_place(const struct graph *graph, uint64_t number);
// Whether versions of both would be told alike.
bool graph_same(const struct graph *one, const struct graph *other);

// A version of the graph in the thread's ring, closed. `bare`: without what its nodes touch, since
// a call of another level around the launch says that. 0: it could not be told.
uint32_t graph_tell(struct thread *thread, const struct graph *graph, const void *handle,
                    uint32_t id, bool bare);
