#include "api_graph_handles.h"

struct graph_handle {
    struct handle handle;
    struct graph *graph;
};
struct node_handle {
    struct handle handle;
    struct graph *graph;
    uint64_t number;
};
enum { GRAPHS = 8192, NODES = 131072 };
static struct graph_handle graph_entries[GRAPHS];
static struct node_handle node_entries[NODES];
static const struct handles graph_table = {graph_entries, sizeof *graph_entries, GRAPHS};
static const struct handles node_table = {node_entries, sizeof *node_entries, NODES};

const struct graph_asks *graph_asks;

struct graph *graph_of(const void *handle) {
    const struct graph_handle *found = handle_find(&graph_table, handle);
    return found ? found->graph : NULL;
}

uint32_t node_place(const struct graph *graph, const void *handle) {
    const struct node_handle *found = handle_find(&node_table, handle);
    return found && found->graph == graph ? graph_place(graph, found->number) : graph->nodes.count;
}

uint64_t node_number(const void *handle) {
    const struct node_handle *found = handle_find(&node_table, handle);
    return found ? found->number : 0;
}

struct graph *node_find(const void *handle, uint32_t *place) {
    const struct node_handle *found = handle_find(&node_table, handle);
    if (!found)
        return NULL;
    *place = graph_place(found->graph, found->number);
    return *place < found->graph->nodes.count ? found->graph : NULL;
}

void graph_named(const void *handle, struct graph *graph) {
    struct graph_handle fresh = {.graph = graph};
    handle_remove(&graph_table, handle); // one of that address whose end was not seen
    handle_add(&graph_table, handle, &fresh);
    graph->key = handle;
}

void node_named(const void *handle, struct graph *graph, uint64_t number) {
    struct node_handle fresh = {.graph = graph, .number = number};
    handle_remove(&node_table, handle);
    handle_add(&node_table, handle, &fresh);
}

// Nobody finds the graph any more, nor what is in it.
static void forget(struct graph *graph) {
    if (graph->key)
        handle_remove(&graph_table, graph->key);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        struct graph_node *node = graph_node(graph, i);
        if (node->key)
            handle_remove(&node_table, node->key);
        if (node->child)
            forget(node->child);
    }
}

void graph_gone(const void *handle) {
    struct graph *graph = graph_of(handle);
    if (!graph)
        return;
    forget(graph);
    graphs_lock();
    graph_drop(graph);
    graphs_unlock();
}

void node_gone(const void *handle) {
    graphs_lock();
    uint32_t place;
    struct graph *graph = node_find(handle, &place);
    struct graph *child = graph ? graph_node(graph, place)->child : NULL;
    graphs_unlock();
    if (!graph)
        return;
    handle_remove(&node_table, handle);
    if (child)
        forget(child);
    graphs_lock();
    graph_remove(graph, place);
    graphs_unlock();
}

static bool has_unnamed(const struct graph *graph) {
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        if (!graph_node(graph, i)->key)
            return true;
    return false;
}

// Captured nodes have handles in the order in which they were captured. Where the runtime has
// others than these, the graph is not what is known of it.
static void take_names(struct graph *graph, const void *const *keys, size_t count) {
    bool alike = count == graph->nodes.count;
    for (uint32_t i = 0; alike && i < count; i++) {
        const struct graph_node *node = graph_node(graph, i);
        alike =
            node->key ? node->key == keys[i] : graph_asks->is_kind(keys[i], (enum kind)node->kind);
    }
    if (!alike) {
        graph->opaque = true;
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        struct graph_node *node = graph_node(graph, i);
        if (node->key)
            continue;
        node->key = keys[i];
        node_named(keys[i], graph, node->number);
    }
}

void graph_asked(const void *handle) {
    struct graph *graph = graph_of(handle);
    if (!graph || graph->opaque)
        return;
    if (!has_unnamed(graph)) {
        graph->opaque = graph_asks->nodes(handle, NULL, 0) != graph->nodes.count;
        return;
    }
    graphs_lock();
    size_t room = graph->nodes.count + 1;
    const void **keys = block_take(room * sizeof *keys);
    graphs_unlock();
    size_t count = keys ? graph_asks->nodes(handle, keys, room) : 0;
    if (keys)
        take_names(graph, keys, count);
    graphs_lock();
    block_give(keys, room * sizeof *keys);
    graphs_unlock();
}
