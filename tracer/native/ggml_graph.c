#include "ggml_graph.h"
#include "ggml_layout.h"
#include "ggml_walk.h"
#include "resolve.h"
#include "scope.h"
#include "slots.h"

struct graph {
    struct handle handle;
    uint32_t generation;
    uint32_t epoch;
    uint32_t walk;
    uint64_t fingerprint;
};

enum { GRAPHS = 2048, LOOKS = 16 };
static struct graph graphs_entries[GRAPHS];
static const struct handles graphs = {graphs_entries, sizeof(struct graph), GRAPHS};
static _Atomic uint32_t outside_generation;

void graphs_changed(void *key) {
    struct sched *sched = key ? sched_of(key) : NULL;
    atomic_fetch_add(sched ? &sched->generation : &outside_generation, 1);
}

static uint32_t generation_of(const struct thread *thread) {
    const struct scope *scope = scope_of_kind(thread, SCOPE_KIND_SCHED);
    struct sched *sched = scope && scope->subject ? sched_of((void *)scope->subject) : NULL;
    return atomic_load(sched ? &sched->generation : &outside_generation);
}

static const uint64_t odd[] = {0x9e3779b97f4a7c15ull, 0xbf58476d1ce4e5b9ull, 0x94d049bb133111ebull,
                               0xd6e8feb86659fd93ull, 0xc2b2ae3d27d4eb4full, 0x165667b19e3779f9ull,
                               0xff51afd7ed558ccdull, 0xc4ceb9fe1a85ec53ull};

static uint64_t mix(uint64_t h, const uint64_t words[8]) {
    uint64_t sum = 0; // products that do not wait for each other
    for (size_t w = 0; w < 8; w++)
        sum += (words[w] ^ words[w] >> 32) * odd[w];
    h = (h ^ sum ^ sum >> 29) * odd[0];
    return h ^ h >> 31;
}

static uint64_t mix_all_of(uint64_t h, const tensor_t *tensor) {
    const int64_t *ne = tensor->ne;
    const size_t *nb = tensor->nb;
    uint64_t shape[] = {(uint64_t)ne[0], (uint64_t)ne[1], (uint64_t)ne[2], (uint64_t)ne[3],
                        nb[0],           nb[1],           nb[2],           nb[3]};
    uint64_t place[] = {(uintptr_t)tensor,
                        (uintptr_t)tensor->data,
                        (uintptr_t)tensor->view_src,
                        (uintptr_t)tensor->buffer,
                        (uint64_t)tensor->op,
                        (uint64_t)tensor->flags,
                        0,
                        0};
    return mix(mix(h, shape), place);
}

// Where no call says that graphs were rebuilt: all that a walk depends on.
static uint64_t whole_fingerprint_of(void *graph, int nodes) {
    uint64_t h = (uint64_t)nodes;
    for (int i = 0; i < nodes; i++) {
        const tensor_t *node = REAL(ggml_graph_node)(graph, i);
        h = mix_all_of(h, node);
        for (uint64_t k = 0; k < TENSOR_SOURCES; k++)
            if (node->src[k])
                h = mix_all_of(h + k, node->src[k]);
    }
    return h;
}

// A graph may be rebuilt in place without a call that says so: a look at up to 16 of its nodes.
static uint64_t fingerprint_of(void *graph, int nodes) {
    uint64_t h = (uint64_t)nodes;
    int looks = nodes < LOOKS ? nodes : LOOKS;
    for (int i = 0; i < looks; i++) {
        const tensor_t *node =
            REAL(ggml_graph_node)(graph, i == looks - 1 ? nodes - 1 : i * (nodes / looks));
        const tensor_t *source = node->src[0];
        uint64_t words[] = {(uintptr_t)node,       (uintptr_t)node->data,
                            (uint64_t)node->op,    (uint64_t)node->ne[0],
                            (uint64_t)node->ne[1], node->nb[1],
                            (uintptr_t)source,     source ? (uintptr_t)source->data : 0};
        h = mix(h, words);
    }
    return h;
}

struct graph_ranges graph_ranges_of(struct thread *thread, void *key) {
    struct graph_ranges none = {0, 0};
    if (!ggml_layout()->tensor || !REAL(ggml_graph_n_nodes) || !REAL(ggml_graph_node)) {
        atomic_fetch_add(&process.control->unread, 1);
        return none;
    }
    struct graph *graph = handle_find(&graphs, key);
    if (!graph) {
        struct graph fresh = {.handle.id = take_id(ID_GRAPH)};
        graph = handle_add(&graphs, key, &fresh);
        if (!graph)
            return none;
    }
    int nodes = REAL(ggml_graph_n_nodes)(key);
    uint32_t generation = generation_of(thread);
    uint64_t fingerprint =
        slots_used() ? whole_fingerprint_of(key, nodes) : fingerprint_of(key, nodes);
    if (!graph->walk || graph->generation != generation || graph->fingerprint != fingerprint ||
        graph->epoch != process_epoch()) {
        graph->walk = walk_graph(thread, key, nodes, graph->handle.id);
        graph->generation = generation;
        graph->fingerprint = fingerprint;
        graph->epoch = process_epoch();
    }
    return (struct graph_ranges){graph->handle.id, graph->walk};
}
