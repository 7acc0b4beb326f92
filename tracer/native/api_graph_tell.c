// Versions of executable graphs as records: nodes, edges, then the record that closes them.
#include "api_graph.h"
#include <string.h>

enum { NAMES = 200, EDGES = 256 };

struct telling {
    struct thread *thread;
    uint32_t walk;
    bool bare, failed;
    uint32_t edges;
    struct graph_edge edge[EDGES];
    char names[NAMES]; // of the operations so far
};

static void *reserve(struct telling *told, enum record_type type, size_t count, size_t size) {
    void *record = ring_reserve(told->thread->ring, type, (uint16_t)count, size,
                                atomic_load(&process.control->ticket));
    told->failed |= !record;
    return record;
}

static bool is_named(const char *names, const char *name, size_t length) {
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static void name_operation(struct telling *told, const char *name) {
    size_t used = strlen(told->names), length = strlen(name);
    if (!length || used + length + 2 > NAMES || is_named(told->names, name, length))
        return;
    if (used)
        told->names[used++] = ' ';
    memcpy(told->names + used, name, length + 1);
}

static void tell_node(struct telling *told, const struct graph *graph,
                      const struct graph_node *node, uint32_t number) {
    const uint32_t *ids = (const uint32_t *)graph->accesses.items + node->accesses.first;
    uint32_t count = told->bare || node->disabled ? 0 : node->accesses.count, unknown = 0;
    bool unread = node->unread || graph->epoch != process_epoch(); // by a life before a fork
    if (unread && !told->bare && !node->disabled) {
        unknown = api_range_unknown(told->thread);
        ids = &unknown;
        count = 1;
        atomic_fetch_add(&process.control->coverage[COVERAGE_UNREAD_NODES], 1);
    }
    size_t length = strnlen(node->name, 1023), padded = (count + 1) / 2 * 2 * sizeof *ids;
    struct record_node *record =
        reserve(told, RECORD_NODE, count, sizeof *record + padded + length + 1);
    if (!record)
        return;
    record->walk = told->walk;
    record->node = number;
    record->kind = node->kind;
    memset(record->spare, 0, sizeof record->spare);
    char *tail = memset(record + 1, 0, padded + length + 1);
    if (count)
        memcpy(tail, ids, count * sizeof *ids);
    memcpy(tail + padded, node->name, length);
    ring_commit(told->thread->ring, record);
    name_operation(told, node->name);
}

static void tell_edges(struct telling *told) {
    if (!told->edges)
        return;
    size_t bytes = told->edges * sizeof *told->edge;
    struct record_node_edges *record =
        reserve(told, RECORD_NODE_EDGES, told->edges, sizeof *record + bytes);
    told->edges = 0;
    if (!record)
        return;
    record->walk = told->walk;
    record->spare = 0;
    memcpy(record + 1, told->edge, bytes);
    ring_commit(told->thread->ring, record);
}

static void add_edge(struct telling *told, uint32_t first, uint32_t second) {
    told->edge[told->edges++] = (struct graph_edge){first, second};
    if (told->edges == EDGES)
        tell_edges(told);
}

// Who waits for a node with a child waits for the ends of the child.
static void edges_from(struct telling *told, const struct graph_node *node, uint32_t number,
                       uint32_t second) {
    add_edge(told, number, second);
    const struct graph *child = node->disabled ? NULL : node->child;
    for (uint32_t i = 0; child && i < child->nodes.count; i++)
        if (!graph_node(child, i)->edges_out)
            edges_from(told, graph_node(child, i), node->child_at + i, second);
}

// Nodes of children get the numbers behind. Gives the next number.
static uint32_t tell_graph(struct telling *told, const struct graph *graph, uint32_t base) {
    uint32_t next = base + graph->nodes.count;
    for (uint32_t i = 0; i < graph->nodes.count; i++)
        tell_node(told, graph, graph_node(graph, i), base + i);
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        struct graph_node *node = graph_node(graph, i);
        if (!node->child || node->disabled)
            continue;
        node->child_at = next;
        next = tell_graph(told, node->child, next);
        for (uint32_t k = 0; k < node->child->nodes.count; k++)
            if (!graph_node(node->child, k)->edges_in)
                add_edge(told, base + i, node->child_at + k);
    }
    for (uint32_t i = 0; i < graph->edges.count; i++) {
        const struct graph_edge *edge = graph_edge(graph, i);
        edges_from(told, graph_node(graph, edge->first), base + edge->first, base + edge->second);
    }
    return next;
}

// Ranges of no node: those of nodes that nobody knows.
static void tell_opaque(struct telling *told) {
    struct record_ranges *record =
        reserve(told, RECORD_RANGES, 1, sizeof *record + sizeof(struct range));
    atomic_fetch_add(&process.control->coverage[COVERAGE_UNREAD_NODES], 1);
    if (!record)
        return;
    static const struct range any = {
        .mode = MODE_UNKNOWN, .extent = EXTENT_UPPER_BOUND, .origin = ORIGIN_LAYOUT};
    record->walk = told->walk;
    record->spare = 0;
    memcpy(record + 1, &any, sizeof any);
    ring_commit(told->thread->ring, record);
}

uint32_t graph_tell(struct thread *thread, const struct graph *graph, const void *handle,
                    uint32_t id, bool bare) {
    if (!thread->ring)
        return 0;
    struct telling told = {.thread = thread, .walk = take_id(ID_WALK), .bare = bare};
    uint32_t nodes = tell_graph(&told, graph, 0);
    tell_edges(&told);
    if (graph->opaque && !bare)
        tell_opaque(&told);
    struct record_graph record = {
        .handle = (uintptr_t)handle, .walk = told.walk, .graph = id, .nodes = nodes};
    if (told.failed ||
        !ring_put_named(thread->ring, RECORD_GRAPH, &record, sizeof record, told.names))
        return 0;
    return told.walk;
}
