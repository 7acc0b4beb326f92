// What can be asked of a graph: its nodes and edges, into arrays of the caller.
#include "graph.h"
#include <stdlib.h>

// As the API does it: without an array the number; with one, as many as it holds, the rest NULL.
static void give(const struct nodes *nodes, hipGraphNode_t *array, size_t *count) {
    if (array)
        for (size_t i = 0; i < *count; i++)
            array[i] = i < (size_t)nodes->count ? (hipGraphNode_t)nodes->list[i] : NULL;
    if (!array || *count > (size_t)nodes->count)
        *count = (size_t)nodes->count;
}

hipError_t impl_hipGraphGetNodes(hipGraph_t handle, hipGraphNode_t *array, size_t *count) {
    lock();
    struct graph *graph = count ? graph_of(handle) : NULL;
    if (graph)
        give(&graph->nodes, array, count);
    unlock();
    return graph ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphGetRootNodes(hipGraph_t handle, hipGraphNode_t *array, size_t *count) {
    struct nodes roots = {0};
    lock();
    struct graph *graph = count ? graph_of(handle) : NULL;
    for (int i = 0; graph && i < graph->nodes.count; i++)
        if (!graph->nodes.list[i]->before.count)
            nodes_add(&roots, graph->nodes.list[i]);
    if (graph)
        give(&roots, array, count);
    unlock();
    free(roots.list);
    return graph ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphGetEdges(hipGraph_t handle, hipGraphNode_t *from, hipGraphNode_t *to,
                                 size_t *count) {
    lock();
    struct graph *graph = count && !from == !to ? graph_of(handle) : NULL;
    size_t room = graph ? *count : 0, edges = 0;
    for (int i = 0; graph && i < graph->nodes.count; i++) {
        struct graph_node *node = graph->nodes.list[i];
        for (int j = 0; j < node->before.count; j++, edges++)
            if (from && edges < room) {
                from[edges] = (hipGraphNode_t)node->before.list[j];
                to[edges] = (hipGraphNode_t)node;
            }
    }
    for (size_t i = edges; from && i < room; i++)
        from[i] = to[i] = NULL;
    if (graph && (!from || room > edges))
        *count = edges;
    unlock();
    return graph ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphNodeGetDependencies(hipGraphNode_t handle, hipGraphNode_t *array,
                                            size_t *count) {
    lock();
    struct graph_node *node = count ? node_of(handle) : NULL;
    if (node)
        give(&node->before, array, count);
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphNodeGetDependentNodes(hipGraphNode_t handle, hipGraphNode_t *array,
                                              size_t *count) {
    struct nodes after = {0};
    lock();
    struct graph_node *node = count ? node_of(handle) : NULL;
    for (int i = 0; node && i < node->graph->nodes.count; i++)
        if (nodes_have(&node->graph->nodes.list[i]->before, node))
            nodes_add(&after, node->graph->nodes.list[i]);
    if (node)
        give(&after, array, count);
    unlock();
    free(after.list);
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphNodeGetType(hipGraphNode_t handle, hipGraphNodeType *type) {
    lock();
    struct graph_node *node = type ? node_of(handle) : NULL;
    if (node)
        *type = standin_major > 5 ? node->type : node->type + 1; // as HIP 5 counts
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphChildGraphNodeGetGraph(hipGraphNode_t handle, hipGraph_t *graph) {
    lock();
    struct graph_node *node = graph ? node_of(handle) : NULL;
    bool fit = node && node->child;
    if (fit)
        *graph = (hipGraph_t)node->child;
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}
