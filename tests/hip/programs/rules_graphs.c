// Rules of graphs: what a launch comes after and goes before, and which parameters it has.
#include "rules.h"
#include <string.h>

static hipGraph_t graph(void) {
    hipGraph_t made;
    OK(hipGraphCreate(&made, 0));
    return made;
}
static hipGraphExec_t exec_of(hipGraph_t graph) {
    hipGraphExec_t made;
    OK(hipGraphInstantiateWithFlags(&made, graph, 0));
    return made;
}
static hipGraphNode_t kernel(hipGraph_t graph, hipKernelNodeParams params, hipGraphNode_t before) {
    hipGraphNode_t node;
    OK(hipGraphAddKernelNode(&node, graph, &before, before ? 1 : 0, &params));
    return node;
}
static hipGraphNode_t copy(hipGraph_t graph, void *to, const void *from, size_t size) {
    hipGraphNode_t node;
    OK(hipGraphAddMemcpyNode1D(&node, graph, NULL, 0, to, from, size, hipMemcpyDefault));
    return node;
}
static void launch_and_finish(hipGraphExec_t exec, hipStream_t s) {
    OK(hipGraphLaunch(exec, s));
    OK(hipStreamSynchronize(s));
}

static void a_launch_is_in_order(void) {
    hipStream_t s = non_blocking();
    hipGraph_t g = graph();
    int one, two;
    kernel(g, raising(&one), NULL);
    kernel(g, raising(&two), NULL); // a second root, and so another branch
    hold(s, 0);
    OK(hipGraphLaunch(exec_of(g), s));
    int after = raise_in(s);
    CHECK(is_held(one) && is_held(two) && is_held(after));
    open_gate(0);
    runs(one);
    runs(two);
    runs(after);
}

static void branches_are_parallel(void) {
    hipStream_t s = non_blocking();
    hipGraph_t g = graph();
    int beside, joined, leaf;
    hipGraphNode_t root, ends[2], join;
    OK(hipGraphAddEmptyNode(&root, g, NULL, 0));
    ends[0] = kernel(g, holding(0), root);
    ends[1] = kernel(g, raising(&beside), root);
    hipKernelNodeParams params = raising(&joined);
    OK(hipGraphAddKernelNode(&join, g, ends, 2, &params));
    kernel(g, raising(&leaf), ends[1]);
    OK(hipGraphLaunch(exec_of(g), s));
    int after = raise_in(s);
    runs(beside);
    runs(leaf);
    CHECK(is_held(joined) && is_held(after));
    open_gate(0);
    runs(joined);
    runs(after);
}

static void one_executable_overlaps_itself(void) {
    hipGraph_t g = graph();
    int flag;
    hipStream_t held = non_blocking(), other = non_blocking();
    kernel(g, raising(&flag), NULL);
    hipGraphExec_t exec = exec_of(g);
    hold(held, 0);
    OK(hipGraphLaunch(exec, held));
    OK(hipGraphLaunch(exec, other));
    runs(flag); // by the second, while the first is held
    OK(hipStreamSynchronize(other));
    IS(hipStreamQuery(held), hipErrorNotReady);
}

static void edges_can_be_changed(void) {
    hipGraph_t g = graph();
    int first, second;
    hipGraphNode_t a = kernel(g, raising(&first), NULL), b = kernel(g, raising(&second), NULL);
    hipGraphNode_t gate = kernel(g, holding(0), NULL), from[4], to[4];
    size_t edges = 4;
    OK(hipGraphAddDependencies(g, &gate, &a, 1));
    OK(hipGraphAddDependencies(g, &gate, &b, 1));
    IS(hipGraphAddDependencies(g, &gate, &b, 1), hipErrorInvalidValue);
    OK(hipGraphRemoveDependencies(g, &gate, &b, 1));
    OK(hipGraphGetEdges(g, from, to, &edges));
    CHECK(edges == 1 && from[0] == gate && to[0] == a && !from[1]);
    OK(hipGraphLaunch(exec_of(g), non_blocking()));
    runs(second);
    CHECK(is_held(first));
    OK(hipGraphAddDependencies(g, &a, &gate, 1));
    hipGraphExec_t none;
    IS(hipGraphInstantiate(&none, g, NULL, NULL, 0), hipErrorInvalidValue); // a cycle
    OK(hipGraphDestroyNode(gate));
    exec_of(g);
}

static void an_executable_is_a_copy(void) {
    hipStream_t s = non_blocking();
    hipGraph_t g = graph();
    char *to = device_bytes(8, 0), *from = pinned_bytes(8, 1);
    hipGraphNode_t node = copy(g, to, from, 4);
    hipGraphExec_t exec = exec_of(g);
    OK(hipGraphMemcpyNodeSetParams1D(node, to + 4, from, 4, hipMemcpyDefault));
    launch_and_finish(exec, s);
    CHECK(to[0] == 1 && to[4] == 0);
    OK(hipGraphDestroy(g));
    hold(s, 0);
    OK(hipGraphLaunch(exec, s));
    OK(hipGraphExecDestroy(exec)); // goes when the launch has ended
    to[0] = 0;
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(to[0] == 1);
}

static void changes_hold_from_the_next_launch(void) {
    hipStream_t s = non_blocking();
    hipGraph_t g = graph();
    char *to = device_bytes(8, 0), *from = pinned_bytes(8, 1);
    int old, new;
    hipGraphNode_t moved = copy(g, to, from, 1), launched = kernel(g, raising(&old), NULL);
    hipGraphExec_t exec = exec_of(g);
    hold(s, 0);
    OK(hipGraphLaunch(exec, s));
    OK(hipGraphExecMemcpyNodeSetParams1D(exec, moved, to + 1, from, 1, hipMemcpyDefault));
    hipKernelNodeParams params = raising(&new);
    OK(hipGraphExecKernelNodeSetParams(exec, launched, &params));
    open_gate(0);
    OK(hipStreamSynchronize(s));
    runs(old);
    CHECK(to[0] == 1 && to[1] == 0 && is_held(new));
    launch_and_finish(exec, s);
    runs(new);
    CHECK(to[1] == 1);
}

static void an_update_takes_the_other_graphs_parameters(void) {
    hipStream_t s = non_blocking();
    char *to = device_bytes(8, 0), *from = pinned_bytes(8, 1);
    hipGraph_t g = graph(), same = graph(), other = graph();
    hipGraphExecUpdateResult result;
    hipGraphNode_t culprit = NULL, extra;
    copy(g, to, from, 1);
    copy(same, to + 1, from, 1);
    OK(hipGraphAddEmptyNode(&extra, other, NULL, 0));
    hipGraphExec_t exec = exec_of(g);
    hold(s, 0);
    OK(hipGraphLaunch(exec, s));
    OK(hipGraphExecUpdate(exec, same, &culprit, &result));
    CHECK(result == hipGraphExecUpdateSuccess);
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(to[0] == 1 && to[1] == 0);
    launch_and_finish(exec, s);
    CHECK(to[1] == 1);
    IS(hipGraphExecUpdate(exec, other, &culprit, &result), hipErrorGraphExecUpdateFailure);
    CHECK(result == hipGraphExecUpdateErrorNodeTypeChanged && culprit == extra);
    copy(same, to, from, 1);
    IS(hipGraphExecUpdate(exec, same, &culprit, &result), hipErrorGraphExecUpdateFailure);
    CHECK(result == hipGraphExecUpdateErrorTopologyChanged);
}

static int noted;
static void note(void *data) { noted = *(int *)data; }
// As clr keeps a pointer to them.
static void host_parameters_are_read_when_run(void) {
    static int one = 1, two = 2;
    hipStream_t s = non_blocking();
    hipGraph_t g = graph();
    hipGraphNode_t node;
    hipHostNodeParams params = {note, &one}, told;
    OK(hipGraphAddHostNode(&node, g, NULL, 0, &params));
    hipGraphExec_t exec = exec_of(g);
    hold(s, 0);
    OK(hipGraphLaunch(exec, s));
    params.userData = &two;
    OK(hipGraphExecHostNodeSetParams(exec, node, &params));
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(noted == 2);
    OK(hipGraphHostNodeGetParams(node, &told));
    CHECK(told.fn == note && told.userData == &one);
}

static void launch(void *exec) { OK(hipGraphLaunch(exec, hipStreamPerThread)); }
static void a_copy_between_hosts_is_done_by_the_launch(void) {
    static char to, from = 1;
    hipGraph_t g = graph();
    hipGraphNode_t gate = kernel(g, holding(0), NULL), node = copy(g, &to, &from, 1);
    OK(hipGraphAddDependencies(g, &gate, &node, 1));
    must_block(launch, exec_of(g));
    CHECK(to == 1);
}

static void graphs_lie_in_graphs(void) {
    hipStream_t s = non_blocking();
    hipGraph_t inner = graph(), outer = graph(), own;
    int before, in, after;
    kernel(inner, raising(&in), NULL);
    hipGraphNode_t first = kernel(outer, raising(&before), NULL), child, found;
    OK(hipGraphAddChildGraphNode(&child, outer, &first, 1, inner));
    hipGraphNode_t last = kernel(outer, raising(&after), child);
    kernel(inner, holding(0), NULL); // it was copied
    OK(hipGraphChildGraphNodeGetGraph(child, &own));
    IS(hipGraphDestroy(own), hipErrorInvalidValue);
    OK(hipGraphLaunch(exec_of(outer), s));
    OK(hipStreamSynchronize(s));
    runs(before);
    runs(in);
    runs(after);
    hipGraph_t clone;
    hipGraphNodeType type;
    OK(hipGraphClone(&clone, outer));
    OK(hipGraphNodeFindInClone(&found, last, clone));
    OK(hipGraphNodeGetType(found, &type));
    CHECK(found != last && type == hipGraphNodeTypeKernel);
}

static void launches_can_be_captured(void) {
    hipStream_t s = non_blocking();
    hipGraph_t g = graph(), captured;
    int flag;
    size_t count = 1;
    hipGraphNode_t node;
    hipGraphNodeType type;
    kernel(g, raising(&flag), NULL);
    hipGraphExec_t exec = exec_of(g);
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
    OK(hipGraphLaunch(exec, s));
    OK(hipStreamEndCapture(s, &captured));
    CHECK(is_held(flag));
    OK(hipGraphGetNodes(captured, &node, &count));
    OK(hipGraphNodeGetType(node, &type));
    CHECK(type == hipGraphNodeTypeGraph);
    OK(hipGraphLaunch(exec_of(captured), s));
    runs(flag);
}

static void nodes_can_be_disabled(void) {
    hipStream_t s = non_blocking();
    hipGraph_t g = graph();
    int flag, after;
    unsigned enabled = 9;
    hipGraphNode_t gate = kernel(g, holding(0), NULL), node = kernel(g, raising(&flag), gate);
    kernel(g, raising(&after), node);
    hipGraphExec_t exec = exec_of(g);
    OK(hipGraphNodeSetEnabled(exec, node, 0));
    OK(hipGraphNodeGetEnabled(exec, node, &enabled));
    CHECK(!enabled);
    OK(hipGraphLaunch(exec, s));
    CHECK(is_held(after)); // it still orders
    open_gate(0);
    runs(after);
    CHECK(is_held(flag));
}

static void parameters_can_be_asked(void) {
    hipGraph_t g = graph();
    char *to = device_bytes(64, 0);
    int flag;
    hipKernelNodeParams params = raising(&flag), told;
    hipGraphNode_t node = kernel(g, params, NULL), set, moved;
    OK(hipGraphKernelNodeGetParams(node, &told));
    CHECK(told.func == params.func && *(int *)told.kernelParams[0] == flag);
    hipMemsetParams fill = {to, 4, 2, 16, 7, 3}, filled;
    OK(hipGraphAddMemsetNode(&set, g, NULL, 0, &fill));
    OK(hipGraphMemsetNodeGetParams(set, &filled));
    CHECK(filled.dst == to && filled.elementSize == 4 && filled.pitch == 16 && filled.width == 3);
    moved = copy(g, to + 48, to, 4);
    OK(hipGraphAddDependencies(g, &set, &moved, 1));
    hipMemcpy3DParms box;
    OK(hipGraphMemcpyNodeGetParams(moved, &box));
    CHECK(box.srcPtr.ptr == to && box.extent.width == 4);
    OK(hipGraphLaunch(exec_of(g), NULL));
    OK(hipStreamSynchronize(NULL));
    CHECK(to[0] == 7 && to[1] == 0 && to[12] == 0 && to[24] == 7 && to[28] == 0 && to[48] == 7);
}

const struct rule graph_rules[] = {
    RULE(a_launch_is_in_order),
    RULE(branches_are_parallel),
    RULE(one_executable_overlaps_itself),
    RULE(edges_can_be_changed),
    RULE(an_executable_is_a_copy),
    RULE(changes_hold_from_the_next_launch),
    RULE(an_update_takes_the_other_graphs_parameters),
    RULE(host_parameters_are_read_when_run),
    RULE(a_copy_between_hosts_is_done_by_the_launch),
    RULE(graphs_lie_in_graphs),
    RULE(launches_can_be_captured),
    RULE(nodes_can_be_disabled),
    RULE(parameters_can_be_asked),
    {0},
};
