// Executable graphs: made from a graph as it was then, changed by themselves, launched. What a
// launch touches is told once a version.
#pragma once
#include "api_graph.h"

struct executable {
    struct graph *graph; // its own
    const void *key;
    uint32_t id;
    bool changed;        // since its lists were made
    struct list sources; // struct api_source: of all its nodes
    struct list orders;  // struct api_order
    struct {             // its version, as it was told: whole, and bare (graph_tell)
        uint32_t walk, epoch;
    } told[2];
};
// It was made from the graph (both as the API names them).
void executable_made(struct api_call *call, const void *executable, const void *graph);
// It is about to be changed by the call, or destroyed.
void executable_changes(struct api_call *call, const void *executable);
void executable_goes(struct api_call *call, const void *executable);

// How the call's executable has changed: it does what this graph does now, ...
void executable_follows(struct api_call *call, const void *graph);
// ... or one node of it does what the call says, runs this graph, or does nothing.
void executable_sets(struct api_call *call, const void *node);
void executable_sets_child(struct api_call *call, const void *node, const void *graph);
void executable_enables(struct api_call *call, const void *node, bool enabled);

// Before the launch, and after it: events and values of its nodes are waited for and signalled by
// ops of their own, as if by the whole launch.
void executable_launches(struct api_call *call, void *stream, const void *executable);
void executable_launched(const struct api_call *call);

// Under the lock of graphs. Null: not known.
struct executable *executable_of(const void *executable);
// The walk of its version, told if it was not yet; 0: it could not be.
uint32_t executable_walk(struct thread *thread, struct executable *executable);
const struct graph *executable_graph(const void *executable);
