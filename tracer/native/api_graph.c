#include "api_graph.h"
#include <pthread.h>
#include <sched.h>
#include <string.h>

static atomic_flag changing = ATOMIC_FLAG_INIT;
static uint64_t last_number;

void graphs_lock(void) {
    while (atomic_flag_test_and_set_explicit(&changing, memory_order_acquire))
        sched_yield();
}

void graphs_unlock(void) { atomic_flag_clear_explicit(&changing, memory_order_release); }

__attribute__((constructor)) static void unlock_in_child(void) {
    pthread_atfork(graphs_lock, graphs_unlock, graphs_unlock);
}

uint32_t graph_number(struct graph *graph) {
    if (!graph->id)
        graph->id = take_id(ID_GRAPH);
    return graph->id;
}

struct graph *graph_new(void) {
    struct graph *graph = block_take(sizeof *graph);
    if (graph)
        graph->epoch = process_epoch();
    return graph;
}

void graph_drop(struct graph *graph) {
    if (!graph)
        return;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        graph_drop(graph_node(graph, i)->child);
    list_drop(&graph->nodes, sizeof(struct graph_node));
    list_drop(&graph->edges, sizeof(struct graph_edge));
    list_drop(&graph->accesses, sizeof(uint32_t));
    list_drop(&graph->sources, sizeof(struct api_source));
    list_drop(&graph->orders, sizeof(struct api_order));
    block_give(graph, sizeof *graph);
}

static void copy_children(struct graph *copy, bool same_nodes) {
    for (uint32_t i = 0; i < copy->nodes.count; i++) {
        struct graph_node *node = graph_node(copy, i);
        node->key = NULL;
        node->number = same_nodes ? node->number : ++last_number;
        if (!node->child)
            continue;
        node->child = graph_copy(node->child, same_nodes);
        copy->opaque |= !node->child;
    }
}

struct graph *graph_copy(const struct graph *of, bool same_nodes) {
    struct graph *copy = graph_new();
    if (!copy)
        return NULL;
    copy->epoch = of->epoch;
    copy->opaque = of->opaque;
    if (!list_copy(&copy->nodes, &of->nodes, sizeof(struct graph_node)) ||
        !list_copy(&copy->edges, &of->edges, sizeof(struct graph_edge)) ||
        !list_copy(&copy->accesses, &of->accesses, sizeof(uint32_t)) ||
        !list_copy(&copy->sources, &of->sources, sizeof(struct api_source)) ||
        !list_copy(&copy->orders, &of->orders, sizeof(struct api_order))) {
        copy->nodes.count = 0; // the children are not its own
        graph_drop(copy);
        return NULL;
    }
    copy_children(copy, same_nodes);
    return copy;
}

// In place where there is room, so that setting a node again and again does not grow the list.
static bool set_part(struct list *list, size_t item, struct graph_part *part, const void *items,
                     uint32_t count) {
    if (count > part->room) {
        if (!list_grow(list, item, count))
            return false;
        *part = (struct graph_part){list->count, 0, count};
        list->count += count;
    }
    part->count = count;
    if (count)
        memcpy((char *)list->items + part->first * item, items, count * item);
    return true;
}

void graph_set(struct graph *graph, struct graph_node *node, const struct api_call *call) {
    node->kind = call->op.record.kind;
    if (!node->name || call->name) // what changes it gives it no name
        node->name = api_call_name(call);
    node->unread = call->unread;
    if (!set_part(&graph->accesses, sizeof(uint32_t), &node->accesses, call->access,
                  call->op.accesses) ||
        !set_part(&graph->sources, sizeof(struct api_source), &node->sources, call->source,
                  call->sources) ||
        !set_part(&graph->orders, sizeof(struct api_order), &node->orders, call->order,
                  call->orders))
        graph->opaque = true;
}

struct graph_node *graph_add(struct graph *graph, const struct api_call *call,
                             const uint32_t *after, uint32_t count) {
    struct graph_node *node = list_append(&graph->nodes, sizeof *node);
    if (!node) {
        graph->opaque = true;
        return NULL;
    }
    node->number = ++last_number;
    graph_set(graph, node, call);
    for (uint32_t i = 0; i < count; i++)
        graph_add_edge(graph, after[i], graph->nodes.count - 1);
    return node;
}

void graph_set_child(struct graph *graph, struct graph_node *node, const struct graph *child) {
    graph_drop(node->child);
    node->child = child ? graph_copy(child, false) : NULL;
    node->unread = !child;
    graph->opaque |= child && !node->child;
}

void graph_add_edge(struct graph *graph, uint32_t first, uint32_t second) {
    struct graph_edge *edge = list_append(&graph->edges, sizeof *edge);
    if (!edge) {
        graph->opaque = true;
        return;
    }
    *edge = (struct graph_edge){first, second};
    graph_node(graph, first)->edges_out++;
    graph_node(graph, second)->edges_in++;
}

static void remove_edge_at(struct graph *graph, uint32_t at) {
    struct graph_edge *edge = graph_edge(graph, at);
    graph_node(graph, edge->first)->edges_out--;
    graph_node(graph, edge->second)->edges_in--;
    memmove(edge, edge + 1, (--graph->edges.count - at) * sizeof *edge);
}

void graph_remove_edge(struct graph *graph, uint32_t first, uint32_t second) {
    for (uint32_t i = graph->edges.count; i-- > 0;) {
        const struct graph_edge *edge = graph_edge(graph, i);
        if (edge->first == first && edge->second == second) {
            remove_edge_at(graph, i);
            return;
        }
    }
}

void graph_remove(struct graph *graph, uint32_t at) {
    for (uint32_t i = graph->edges.count; i-- > 0;) {
        struct graph_edge *edge = graph_edge(graph, i);
        if (edge->first == at || edge->second == at)
            remove_edge_at(graph, i);
    }
    for (uint32_t i = 0; i < graph->edges.count; i++) {
        struct graph_edge *edge = graph_edge(graph, i);
        edge->first -= edge->first > at;
        edge->second -= edge->second > at;
    }
    struct graph_node *node = graph_node(graph, at);
    graph_drop(node->child);
    memmove(node, node + 1, (--graph->nodes.count - at) * sizeof *node);
}

uint32_t graph_place(const struct graph *graph, uint64_t number) {
    uint32_t low = 0, count = graph->nodes.count;
    while (count) { // numbers grow from node to node
        uint32_t half = count / 2;
        bool left = graph_node(graph, low + half)->number < number;
        low += left ? half + 1 : 0;
        count = left ? count - half - 1 : half;
    }
    bool found = low < graph->nodes.count && graph_node(graph, low)->number == number;
    return found ? low : graph->nodes.count;
}

static bool same_part(const struct list *one, struct graph_part a, const struct list *other,
                      struct graph_part b, size_t item) {
    return a.count == b.count &&
           (!a.count || memcmp((const char *)one->items + a.first * item,
                               (const char *)other->items + b.first * item, a.count * item) == 0);
}

static bool same_node(const struct graph *one, const struct graph_node *a,
                      const struct graph *other, const struct graph_node *b) {
    return a->kind == b->kind && a->name == b->name && a->disabled == b->disabled &&
           a->unread == b->unread && !a->child == !b->child &&
           same_part(&one->accesses, a->accesses, &other->accesses, b->accesses,
                     sizeof(uint32_t)) &&
           (!a->child || graph_same(a->child, b->child));
}

bool graph_same(const struct graph *one, const struct graph *other) {
    if (one->opaque != other->opaque || one->nodes.count != other->nodes.count ||
        one->edges.count != other->edges.count)
        return false;
    for (uint32_t i = 0; i < one->nodes.count; i++)
        if (!same_node(one, graph_node(one, i), other, graph_node(other, i)))
            return false;
    return !one->edges.count || memcmp(one->edges.items, other->edges.items,
                                       one->edges.count * sizeof(struct graph_edge)) == 0;
}
