// Graphs made of nodes one by one, and executables that are changed.
#include "program.h"
#include <stdio.h>

static hipGraph_t new_graph(void) {
    hipGraph_t graph;
    OK(hipGraphCreate(&graph, 0));
    return graph;
}
static hipGraphExec_t made_of(hipGraph_t graph) {
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    return exec;
}
static void launch(hipGraphExec_t exec, hipStream_t stream) { OK(hipGraphLaunch(exec, stream)); }
static hipMemsetParams filled(uint32_t *to, uint32_t value) {
    return (hipMemsetParams){
        .dst = to, .elementSize = 4, .value = value, .width = WORDS, .height = 1, .pitch = BYTES};
}
static hipGraphNode_t set(hipGraph_t graph, const hipGraphNode_t *after, size_t count, uint32_t *to,
                          uint32_t value) {
    hipMemsetParams parameters = filled(to, value);
    hipGraphNode_t node;
    OK(hipGraphAddMemsetNode(&node, graph, after, count, &parameters));
    return node;
}
static hipGraphNode_t copied(hipGraph_t graph, hipGraphNode_t after, uint32_t *to,
                             const uint32_t *from) {
    hipGraphNode_t node;
    OK(hipGraphAddMemcpyNode1D(&node, graph, &after, after != NULL, to, from, BYTES,
                               hipMemcpyDefault));
    return node;
}
static void call_host(void *data) { *(int *)data += 1; }

// A node of every type, one after the other.
static void all_nodes(bool fixed) {
    (void)fixed;
    static int called;
    hipStream_t stream = new_stream();
    uint32_t *host = pinned_words(WORDS), *a = device_words(WORDS), *b = device_words(WORDS);
    set_words(host, 2);
    hipGraph_t graph = new_graph(), inner = new_graph();
    hipGraphNode_t last = copied(graph, NULL, a, host), next;
    hipMemcpy3DParms box = {
        .srcPtr = {a, 256, 256, 4}, .dstPtr = {b, 256, 256, 4}, .extent = {64, 2, 1}};
    OK(hipGraphAddMemcpyNode(&next, graph, &last, 1, &box));
    last = set(graph, &next, 1, b, 9);
    hipHostNodeParams call = {call_host, &called};
    OK(hipGraphAddHostNode(&next, graph, &last, 1, &call));
    OK(hipGraphAddEmptyNode(&last, graph, &next, 1));
    hipGraphNode_t in = set(inner, NULL, 0, a, 1);
    set(inner, &in, 1, b, 2);
    set(inner, &in, 1, host, 3);
    OK(hipGraphAddChildGraphNode(&next, graph, &last, 1, inner));
    OK(hipGraphDestroy(inner)); // the node has its own
    hipMemAllocNodeParams memory = {.bytesize = BYTES};
    memory.poolProps.allocType = 1;
    memory.poolProps.location.type = hipMemLocationTypeDevice;
    OK(hipGraphAddMemAllocNode(&last, graph, &next, 1, &memory));
    next = copied(graph, last, memory.dptr, b);
    last = copied(graph, next, a, memory.dptr);
    OK(hipGraphAddMemFreeNode(&next, graph, &last, 1, memory.dptr));
    hipGraphExec_t exec = made_of(graph);
    for (int i = 0; i < 2; i++)
        launch(exec, stream);
    drain(stream);
    printf("called %d\n", called);
    print_device("a", stream, a, WORDS);
}

// The graph is edited before an executable is made of it; a later edit is not its.
static void edits(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *c = device_words(WORDS);
    hipGraph_t graph = new_graph(), clone;
    hipGraphNode_t one = set(graph, NULL, 0, a, 1), two = set(graph, &one, 1, b, 2);
    hipGraphNode_t three = set(graph, &two, 1, c, 3), gone = set(graph, &one, 1, a, 9);
    OK(hipGraphRemoveDependencies(graph, &two, &three, 1));
    OK(hipGraphAddDependencies(graph, &one, &three, 1));
    OK(hipGraphDestroyNode(gone));
    OK(hipGraphClone(&clone, graph));
    hipMemsetParams other = filled(c, 7);
    hipGraphExec_t exec = made_of(graph);
    OK(hipGraphMemsetNodeSetParams(two, &other));
    hipGraphNode_t cloned;
    OK(hipGraphNodeFindInClone(&cloned, three, clone));
    other.width = 4;
    OK(hipGraphMemsetNodeSetParams(cloned, &other));
    launch(exec, stream);
    launch(made_of(graph), stream);
    launch(made_of(clone), stream);
    print_device("c", stream, c, WORDS);
}

// Only launches made after it are of the new version.
static void updated(bool fixed) {
    hipStream_t first = new_stream(), second = new_stream();
    hipEvent_t done = new_event();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *copy = device_words(WORDS);
    OK(hipMemset(a, 0, BYTES));
    OK(hipDeviceSynchronize());
    hipGraph_t graph = new_graph();
    hipGraphNode_t node = set(graph, NULL, 0, a, 1);
    hipGraphExec_t exec = made_of(graph);
    busy(first, 2000);
    launch(exec, first);
    record(done, first);
    hipMemsetParams other = filled(b, 1);
    OK(hipGraphExecMemsetNodeSetParams(exec, node, &other));
    launch(exec, second); // writes b
    if (fixed)
        wait_for(second, done);
    pass(second, a, copy); // which the first launch may write still
    drain(first);
    print_device("copy", second, copy, WORDS);
}

// Captured nodes are changed by the handles that the graph says they have; what is captured anew
// can replace them all.
static void changed(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS);
    hipGraph_t graph, again;
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    OK(hipMemsetAsync(a, 1, BYTES, stream));
    pass(stream, a, b);
    OK(hipStreamEndCapture(stream, &graph));
    hipGraphExec_t exec = made_of(graph);
    launch(exec, stream); // version 0
    hipGraphNode_t nodes[2];
    size_t count = 2;
    OK(hipGraphGetNodes(graph, nodes, &count));
    hipMemsetParams less = filled(a, 2);
    less.width = 16;
    OK(hipGraphExecMemsetNodeSetParams(exec, nodes[0], &less));
    launch(exec, stream); // version 1
    OK(hipGraphNodeSetEnabled(exec, nodes[0], 0));
    launch(exec, stream); // version 2
    OK(hipGraphNodeSetEnabled(exec, nodes[0], 1));
    launch(exec, stream); // version 1 again
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    OK(hipMemsetAsync(b, 1, BYTES, stream));
    pass(stream, b, a);
    OK(hipStreamEndCapture(stream, &again));
    hipGraphExecUpdateResult result;
    hipGraphNode_t wrong;
    OK(hipGraphExecUpdate(exec, again, &wrong, &result));
    launch(exec, stream); // version 3
    OK(hipGraphExecUpdate(exec, again, &wrong, &result));
    launch(exec, stream); // nothing has changed
    OK(hipGraphExecDestroy(exec));
    print_device("a", stream, a, WORDS);
}

// Kernel nodes: from what the runtime says of a captured one, with other arguments.
static void kernels(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *c = device_words(WORDS), five = 5;
    hipGraph_t captured, graph = new_graph();
    hipGraphNode_t first, second;
    size_t count = 1;
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    fill(stream, a, 1);
    OK(hipStreamEndCapture(stream, &captured));
    OK(hipGraphGetNodes(captured, &first, &count));
    hipKernelNodeParams parameters;
    OK(hipGraphKernelNodeGetParams(first, &parameters));
    void *of_b[] = {&b, &five}, *of_c[] = {&c, &five};
    parameters.kernelParams = of_b;
    OK(hipGraphAddKernelNode(&first, graph, NULL, 0, &parameters));
    OK(hipGraphAddKernelNode(&second, graph, &first, 1, &parameters));
    hipGraphExec_t exec = made_of(graph);
    launch(exec, stream);
    parameters.kernelParams = of_c;
    OK(hipGraphExecKernelNodeSetParams(exec, second, &parameters));
    launch(exec, stream);
    OK(hipGraphKernelNodeSetParams(first, &parameters));
    launch(made_of(graph), stream);
    print_device("c", stream, c, WORDS);
}

// One executable in two streams: nothing orders its launches.
static void two_streams(bool fixed) {
    hipStream_t first = new_stream(), second = new_stream();
    hipEvent_t done = new_event();
    uint32_t *data = device_words(WORDS);
    OK(hipMemset(data, 0, BYTES));
    OK(hipDeviceSynchronize());
    OK(hipStreamBeginCapture(first, hipStreamCaptureModeThreadLocal));
    add(first, data, 1);
    hipGraph_t graph;
    OK(hipStreamEndCapture(first, &graph));
    hipGraphExec_t exec = made_of(graph);
    launch(exec, first);
    record(done, first);
    if (fixed)
        wait_for(second, done);
    launch(exec, second);
    drain(first);
    print_device("data", second, data, WORDS);
}

const struct scenario scenarios[] = {
    {"all-nodes", all_nodes},
    {"edits", edits},
    {"updated", updated},
    {"changed", changed},
    {"kernels", kernels},
    {"two-streams", two_streams},
    {NULL, NULL},
};
