// Graphs made at random, captured and node by node; prints the edges that the runtime says they
// have, nodes numbered in the order in which they were made.
#include "program.h"
#include <stdio.h>
#include <stdlib.h>

enum { STREAMS = 4, MOST = 40, GRAPHS = 25 };
static unsigned state;
static unsigned below(unsigned n) {
    state = state * 1664525u + 1013904223u;
    return (state >> 16) % n;
}

static void print_edges(hipGraph_t graph) {
    static hipGraphNode_t nodes[4 * MOST], from[8 * MOST * MOST], to[8 * MOST * MOST];
    size_t count = 4 * MOST, edges = 8 * MOST * MOST;
    OK(hipGraphGetNodes(graph, nodes, &count));
    OK(hipGraphGetEdges(graph, from, to, &edges));
    printf("%zu:", count);
    for (size_t i = 0; i < edges; i++)
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < count; b++)
                if (nodes[a] == from[i] && nodes[b] == to[i])
                    printf(" %zu-%zu", a, b);
    printf("\n");
}

static void instantiate(hipGraph_t graph) {
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    print_edges(graph);
    OK(hipGraphExecDestroy(exec));
    OK(hipGraphDestroy(graph));
}

// Streams record and wait for events as it happens; in the end all are joined.
static void capture(hipStream_t *stream, hipEvent_t *event, uint32_t *data) {
    bool captured[STREAMS] = {true}, recorded[STREAMS] = {false};
    hipGraph_t graph;
    OK(hipStreamBeginCapture(stream[0], hipStreamCaptureModeThreadLocal));
    for (unsigned i = 0, steps = 5 + below(MOST); i < steps; i++) {
        unsigned s = below(STREAMS), e = below(STREAMS), what = below(4);
        if (what == 0 && captured[s]) {
            OK(hipEventRecord(event[e], stream[s]));
            recorded[e] = true;
        } else if (what == 1 && recorded[e]) {
            OK(hipStreamWaitEvent(stream[s], event[e], 0));
            captured[s] = true;
        } else if (captured[s]) {
            fill(stream[s], data + s * WORDS, 1);
        }
    }
    for (int s = 1; s < STREAMS; s++)
        if (captured[s]) {
            OK(hipEventRecord(event[s], stream[s]));
            OK(hipStreamWaitEvent(stream[0], event[s], 0));
        }
    fill(stream[0], data, 1);
    OK(hipStreamEndCapture(stream[0], &graph));
    instantiate(graph);
}

static void build(uint32_t *data) {
    hipGraph_t graph;
    hipGraphNode_t node[MOST];
    unsigned count = 0;
    OK(hipGraphCreate(&graph, 0));
    for (unsigned i = 0, steps = 5 + below(MOST - 5); i < steps; i++) {
        hipGraphNode_t after[3];
        unsigned a = count ? below(count) : 0, b = count ? below(count) : 0, n = 0;
        while (n < 3 && count && below(2)) {
            after[n] = node[below(count)];
            n += n == 0 || after[n] != after[n - 1];
        }
        if (n == 3 && after[2] == after[0])
            n = 2;
        hipMemsetParams set = {
            .dst = data, .elementSize = 4, .width = 1 + i, .height = 1, .pitch = 4};
        if (count > 3 && below(6) == 0) {
            OK(hipGraphDestroyNode(node[a]));
            for (unsigned k = a; k + 1 < count; k++)
                node[k] = node[k + 1];
            count--;
        } else if (a < b && below(5) == 0) { // the runtime says whether there is such an edge
            if (hipGraphRemoveDependencies(graph, &node[a], &node[b], 1) != hipSuccess)
                OK(hipGraphAddDependencies(graph, &node[a], &node[b], 1));
        } else {
            OK(hipGraphAddMemsetNode(&node[count++], graph, after, n, &set));
        }
    }
    hipGraph_t clone;
    if (below(2)) {
        OK(hipGraphClone(&clone, graph));
        OK(hipGraphDestroy(graph));
        graph = clone;
    }
    instantiate(graph);
}

int main(int argc, char **argv) {
    state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
    hipStream_t stream[STREAMS];
    hipEvent_t event[STREAMS];
    uint32_t *data = device_words(STREAMS * WORDS);
    for (int i = 0; i < STREAMS; i++) {
        stream[i] = new_stream();
        event[i] = new_event();
    }
    for (int i = 0; i < GRAPHS; i++) {
        capture(stream, event, data);
        build(data);
    }
    return 0;
}
