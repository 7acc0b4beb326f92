// Graphs: their nodes and edges, copies of them, and how long they live.
#include "graph.h"
#include <stdlib.h>
#include <string.h>

static struct graph *graphs;

void nodes_add(struct nodes *nodes, struct graph_node *node) {
    if (nodes_have(nodes, node))
        return;
    nodes->list = realloc(nodes->list, sizeof(void *) * (size_t)(nodes->count + 1));
    nodes->list[nodes->count++] = node;
}

static int place(const struct nodes *nodes, const struct graph_node *node) {
    for (int i = 0; i < nodes->count; i++)
        if (nodes->list[i] == node)
            return i;
    return -1;
}
bool nodes_have(const struct nodes *nodes, const struct graph_node *node) {
    return place(nodes, node) >= 0;
}

void nodes_remove(struct nodes *nodes, const struct graph_node *node) {
    int at = place(nodes, node);
    if (at < 0)
        return;
    memmove(nodes->list + at, nodes->list + at + 1,
            sizeof(void *) * (size_t)(nodes->count - at - 1));
    nodes->count--;
}

void nodes_set(struct nodes *nodes, const struct nodes *others) {
    nodes->count = 0;
    for (int i = 0; others && i < others->count; i++)
        nodes_add(nodes, others->list[i]);
}

struct graph *new_graph(void) {
    struct graph *graph = calloc(1, sizeof *graph);
    graph->next = graphs;
    graphs = graph;
    return graph;
}

static void free_node(struct graph_node *node) {
    work_over(&node->work);
    if (node->child)
        free_graph(node->child);
    if (node->memory && !node->origin)
        free_memory(node->memory);
    free(node->before.list);
    free(node);
}

void free_graph(struct graph *graph) {
    struct graph **link = &graphs;
    while (*link != graph)
        link = &(*link)->next;
    *link = graph->next;
    for (int i = 0; i < graph->nodes.count; i++)
        free_node(graph->nodes.list[i]);
    free(graph->nodes.list);
    free(graph);
}

struct graph *graph_of(hipGraph_t handle) {
    for (struct graph *g = graphs; g; g = g->next)
        if (g == (struct graph *)handle)
            return g;
    return NULL;
}

struct graph_node *node_of(hipGraphNode_t handle) {
    for (struct graph *g = graphs; g; g = g->next)
        if (nodes_have(&g->nodes, (struct graph_node *)handle))
            return (struct graph_node *)handle;
    return NULL;
}

struct graph_node *new_node(struct graph *graph, hipGraphNodeType type, const struct work *work) {
    struct graph_node *node = calloc(1, sizeof *node);
    node->graph = graph;
    node->type = type;
    if (work)
        node->work = work_again(work);
    struct nodes *nodes = &graph->nodes;
    nodes->list = realloc(nodes->list, sizeof(void *) * (size_t)(nodes->count + 1));
    nodes->list[nodes->count++] = node;
    return node;
}

struct graph *graph_copy(const struct graph *graph) {
    struct graph *copy = new_graph();
    for (int i = 0; i < graph->nodes.count; i++) {
        struct graph_node *from = graph->nodes.list[i];
        struct graph_node *to = new_node(copy, from->type, &from->work);
        to->event = from->event;
        to->memory = from->memory;
        to->origin = from;
        from->made = to;
        if (from->child) {
            to->child = graph_copy(from->child);
            to->child->inner = true;
        }
    }
    for (int i = 0; i < graph->nodes.count; i++) {
        const struct nodes *before = &graph->nodes.list[i]->before;
        for (int j = 0; j < before->count; j++)
            nodes_add(&graph->nodes.list[i]->made->before, before->list[j]->made);
    }
    return copy;
}

bool has_followers(const struct graph *graph, const struct graph_node *node) {
    for (int i = 0; i < graph->nodes.count; i++)
        if (nodes_have(&graph->nodes.list[i]->before, node))
            return true;
    return false;
}

// --- The API ---

hipError_t impl_hipGraphCreate(hipGraph_t *handle, unsigned flags) {
    if (!handle || flags)
        return fail(hipErrorInvalidValue);
    lock();
    *handle = (hipGraph_t)new_graph();
    unlock();
    return hipSuccess;
}

hipError_t impl_hipGraphDestroy(hipGraph_t handle) {
    lock();
    struct graph *graph = graph_of(handle);
    bool known = graph && !graph->inner;
    if (known)
        free_graph(graph);
    unlock();
    return known ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphClone(hipGraph_t *handle, hipGraph_t original) {
    lock();
    struct graph *graph = handle ? graph_of(original) : NULL;
    if (graph)
        *handle = (hipGraph_t)graph_copy(graph);
    unlock();
    return graph ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphNodeFindInClone(hipGraphNode_t *found, hipGraphNode_t original,
                                        hipGraph_t clone) {
    hipError_t error = hipErrorInvalidValue;
    lock();
    struct graph *graph = found ? graph_of(clone) : NULL;
    for (int i = 0; graph && i < graph->nodes.count; i++)
        if (graph->nodes.list[i]->origin == (struct graph_node *)original) {
            *found = (hipGraphNode_t)graph->nodes.list[i];
            error = hipSuccess;
        }
    unlock();
    return fail(error);
}

static hipError_t edit_edges(hipGraph_t handle, const hipGraphNode_t *from,
                             const hipGraphNode_t *to, size_t count, bool add) {
    if (count && (!from || !to))
        return fail(hipErrorInvalidValue);
    hipError_t error = hipSuccess;
    lock();
    struct graph *graph = graph_of(handle);
    for (size_t i = 0; i < count && !error; i++) {
        struct graph_node *first = node_of(from[i]), *second = node_of(to[i]);
        bool fit = graph && first && second && first != second && first->graph == graph &&
                   second->graph == graph;
        if (!fit || nodes_have(&second->before, first) == add)
            error = hipErrorInvalidValue;
        else if (add)
            nodes_add(&second->before, first);
        else
            nodes_remove(&second->before, first);
    }
    unlock();
    return fail(graph ? error : hipErrorInvalidValue);
}
hipError_t impl_hipGraphAddDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                        const hipGraphNode_t *to, size_t count) {
    return edit_edges(graph, from, to, count, true);
}
hipError_t impl_hipGraphRemoveDependencies(hipGraph_t graph, const hipGraphNode_t *from,
                                           const hipGraphNode_t *to, size_t count) {
    return edit_edges(graph, from, to, count, false);
}

hipError_t impl_hipGraphDestroyNode(hipGraphNode_t handle) {
    lock();
    struct graph_node *node = node_of(handle);
    if (node) {
        struct graph *graph = node->graph;
        nodes_remove(&graph->nodes, node);
        for (int i = 0; i < graph->nodes.count; i++)
            nodes_remove(&graph->nodes.list[i]->before, node);
        free_node(node);
    }
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}
