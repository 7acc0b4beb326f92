// Graphs inside: nodes that hold work, executables made of copies of them, and captures.
#pragma once
#include "standin.h"

struct graph_node {
    struct graph *graph;
    hipGraphNodeType type;
    struct work work;
    struct nodes before;       // what it comes after
    struct graph *child;       // its own copy
    hipEvent_t event;          // recorded or waited for
    struct memory *memory;     // of an allocation node
    struct graph_node *origin; // what it is a copy of
    bool disabled;
    // While an executable is made or launched: the node's copy, and its command.
    struct graph_node *made;
    struct command *command;
    bool followed; // its branch goes on with another node
};
struct graph {
    struct nodes nodes; // of an executable: each after all that it comes after
    struct graph *next; // of those that live
    bool inner;         // a node's own copy
};
struct graph_exec {
    int refs; // the program's, and one for each command that reads its parameters late
    struct graph *graph;
    unsigned long long flags;
    struct command *last; // of its last launch
};
struct capture {
    int refs;
    unsigned long long id;
    struct graph *graph;
    struct stream *origin;
    hipStreamCaptureMode mode;
    pthread_t thread;
    bool invalid, ended, own_graph;
};

void nodes_add(struct nodes *nodes, struct graph_node *node); // once
void nodes_remove(struct nodes *nodes, const struct graph_node *node);
bool nodes_have(const struct nodes *nodes, const struct graph_node *node);
void nodes_set(struct nodes *nodes, const struct nodes *others);

struct graph *new_graph(void);
void free_graph(struct graph *graph);
struct graph *graph_copy(const struct graph *graph); // each node knows its origin
struct graph *graph_of(hipGraph_t handle);           // NULL: none, or destroyed
struct graph_node *node_of(hipGraphNode_t handle);   // likewise
struct graph_node *new_node(struct graph *graph, hipGraphNodeType type, const struct work *work);
bool has_followers(const struct graph *graph, const struct graph_node *node);
// The work that parameters of the API mean. The caller has one use of it.
hipError_t kernel_work(const hipKernelNodeParams *params, struct work *work);
hipError_t copy_work(const hipMemcpy3DParms *params, struct work *work);
hipError_t linear_work(void *dst, const void *src, size_t size, struct work *work);
hipError_t fill_work(const hipMemsetParams *params, struct work *work);
hipError_t host_work(const hipHostNodeParams *params, struct work *work);

struct graph_node *capture_node(struct stream *stream, hipGraphNodeType type,
                                const struct work *work);
// `graph` with child graphs in place; nodes in an order to launch them. NULL: it has a cycle.
struct graph *flattened(const struct graph *graph);
void exec_launch(struct graph_exec *exec, struct stream *stream);
