// Graphs and their nodes as the functions of a GPU API make and change them.
#include "api_graph_calls.h"
#include "api_roles.h"
#include "api_values.h"

void api_graph_made(int rc, const struct graph_asks *asks, void *const *handle) {
    if (rc != 0)
        return;
    graph_asks = asks;
    graphs_lock();
    struct graph *graph = graph_new();
    graphs_unlock();
    if (graph)
        graph_named(*handle, graph);
}

void api_graph_cloned(int rc, void *const *clone, const void *of) {
    if (rc != 0)
        return;
    graphs_lock();
    struct graph *known = graph_of(of), *graph = known ? graph_copy(known, false) : NULL;
    graphs_unlock();
    if (graph)
        graph_named(*clone, graph);
}

// Executables made from it go on.
void api_graph_goes(struct api_call *call, const void *handle) {
    graphs_lock();
    const struct graph *graph = graph_of(handle);
    call->op.record.graph = graph && !graph->has_executable ? graph->id : 0;
    graphs_unlock();
    graph_gone(handle);
}

// The graph within a node can be changed, too.
void api_graph_child(int rc, const void *node, void *const *handle) {
    uint32_t place;
    if (rc != 0)
        return;
    graphs_lock();
    struct graph *graph = node_find(node, &place);
    struct graph *child = graph ? graph_node(graph, place)->child : NULL;
    graphs_unlock();
    if (child && !child->key)
        graph_named(*handle, child);
}

void api_graph_asked(int rc, const void *graph) {
    if (rc == 0)
        graph_asked(graph);
}

void api_graph_edges(int rc, const void *handle, const void *from, const void *to, size_t count,
                     bool add) {
    const void *const *first = from, *const *second = to;
    if (rc != 0)
        return;
    graphs_lock();
    struct graph *graph = graph_of(handle);
    for (size_t i = 0; graph && i < count; i++) {
        uint32_t a = node_place(graph, first[i]), b = node_place(graph, second[i]);
        if (a >= graph->nodes.count || b >= graph->nodes.count)
            graph->opaque = true;
        else if (add)
            graph_add_edge(graph, a, b);
        else
            graph_remove_edge(graph, a, b);
    }
    graphs_unlock();
}

// Before the call: the handle may be another node's as soon as it is made.
void api_node_goes(const void *node) { node_gone(node); }

void api_executable_made(struct api_call *call, void *const *executable, const void *graph) {
    executable_made(call, *executable, graph);
}

void api_node_plain(struct api_call *call, enum kind kind) {
    api_on_stream(call, API_NO_STREAM);
    call->op.record.kind = (uint8_t)kind;
}

void api_node_event(struct api_call *call, enum kind kind, void *event) {
    api_node_plain(call, kind);
    api_on_event(call, event);
    call->op.record.flags |= FLAG_EXTERNAL;
    api_orders(call, &(struct api_order){.kind = (uint8_t)kind, .object = event});
}

void api_node_values(struct api_call *call, const void *parameters) {
    const struct api_values_node *node = parameters;
    api_node_plain(call, KIND_VALUE_WRITE);
    for (unsigned i = 0; node && i < node->count; i++)
        api_value_op(call, node->values, i);
}

void api_node_frees(struct api_call *call, void *memory) {
    api_node_plain(call, KIND_FREE_ASYNC);
    api_frees(call, memory);
}

void api_node_allocated(struct api_call *call, const void *parameters) {
    const struct api_alloc_node *node = parameters;
    api_node_plain(call, KIND_ALLOC_ASYNC);
    if (node)
        api_pool_allocated(call, node->memory, node->size);
}

void api_node_with(struct api_call *call, const void *handle, void *const *node, const void *after,
                   size_t count, bool has_child, const void *child) {
    const void *const *nodes = after;
    graphs_lock();
    struct graph *graph = graph_of(handle);
    struct graph_node *made = graph ? graph_add(graph, call, NULL, 0) : NULL;
    uint32_t last = graph ? graph->nodes.count - 1 : 0;
    for (size_t i = 0; made && nodes && i < count; i++) {
        uint32_t place = node_place(graph, nodes[i]);
        if (place < last)
            graph_add_edge(graph, place, last);
        else
            graph->opaque = true;
    }
    if (made && has_child)
        graph_set_child(graph, made, graph_of(child));
    call->op.record.graph = graph ? graph_number(graph) : 0;
    uint64_t number = made ? made->number : 0;
    if (made)
        made->key = *node;
    graphs_unlock();
    if (made)
        node_named(*node, graph, number);
}

void api_node_added(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count) {
    api_node_with(call, graph, node, after, count, false, NULL);
}

void api_node_child(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count, const void *child) {
    api_node_with(call, graph, node, after, count, true, child);
}

// Of a graph, or of the executable that the call changes.
void api_node_changed(struct api_call *call, const void *handle) {
    uint32_t place;
    if (call->executable) {
        executable_sets(call, handle);
        return;
    }
    graphs_lock();
    struct graph *graph = node_find(handle, &place);
    if (graph) {
        graph_set(graph, graph_node(graph, place), call);
        call->op.record.graph = graph_number(graph);
    } else {
        atomic_fetch_add(&process.control->coverage[COVERAGE_UNREAD_NODES], 1);
    }
    graphs_unlock();
}

void api_node_runs(const void *handle, const void *child) {
    uint32_t place;
    graphs_lock();
    struct graph *graph = node_find(handle, &place);
    if (graph)
        graph_set_child(graph, graph_node(graph, place), graph_of(child));
    graphs_unlock();
}
