// Rules of captures: what becomes a node, what a capture does not allow, what ends it.
#include "rules.h"

static const hipStreamCaptureMode GLOBAL = hipStreamCaptureModeGlobal;

static hipGraph_t end(hipStream_t stream) {
    hipGraph_t graph = NULL;
    OK(hipStreamEndCapture(stream, &graph));
    return graph;
}
static hipStreamCaptureStatus status(hipStream_t stream) {
    hipStreamCaptureStatus now;
    OK(hipStreamIsCapturing(stream, &now));
    return now;
}
static hipEvent_t event(void) {
    hipEvent_t made;
    OK(hipEventCreateWithFlags(&made, hipEventDisableTiming));
    return made;
}

static void captured_calls_do_nothing(void) {
    hipStream_t s = blocking();
    char *to = device_bytes(8, 0), *from = pinned_bytes(8, 1), pageable[8] = {5};
    size_t nodes = 0;
    OK(hipStreamBeginCapture(s, GLOBAL));
    CHECK(status(s) == hipStreamCaptureStatusActive);
    OK(hipMemcpyAsync(to, from, 4, hipMemcpyHostToDevice, s));
    OK(hipMemcpyAsync(to + 4, pageable, 1, hipMemcpyHostToDevice, s));
    OK(hipMemsetAsync(to + 5, 2, 1, s));
    int flag = raise_in(s);
    hipGraph_t graph = end(s);
    CHECK(status(s) == hipStreamCaptureStatusNone);
    CHECK(is_held(flag) && !*to);
    OK(hipGraphGetNodes(graph, NULL, &nodes));
    CHECK(nodes == 4);
    hipGraphExec_t exec;
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    *from = 3;       // bytes of copies are read at each launch,
    pageable[0] = 6; // also pageable ones
    OK(hipGraphLaunch(exec, s));
    OK(hipStreamSynchronize(s));
    runs(flag);
    CHECK(to[0] == 3 && to[1] == 1 && to[4] == 6 && to[5] == 2);
}

static void events_fork_and_join(void) {
    hipStream_t s = non_blocking(), branch = non_blocking();
    hipEvent_t fork = event(), join = event();
    hipGraphExec_t exec;
    OK(hipStreamBeginCapture(s, GLOBAL));
    OK(hipEventRecord(fork, s));
    OK(hipStreamWaitEvent(branch, fork, 0));
    CHECK(status(branch) == hipStreamCaptureStatusActive);
    hold(branch, 0);
    int beside = raise_in(s);
    OK(hipEventRecord(join, branch));
    OK(hipStreamWaitEvent(s, join, 0));
    int behind = raise_in(s);
    hipGraph_t graph = end(s);
    CHECK(status(branch) == hipStreamCaptureStatusNone);
    size_t edges = 0, roots = 0;
    OK(hipGraphGetEdges(graph, NULL, NULL, &edges));
    OK(hipGraphGetRootNodes(graph, NULL, &roots));
    CHECK(edges == 2 && roots == 2);
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, s));
    int after = raise_in(s);
    runs(beside); // the branches are parallel
    CHECK(is_held(behind) && is_held(after));
    open_gate(0);
    runs(behind);
    runs(after);
}

static void a_branch_must_be_joined(void) {
    hipStream_t s = non_blocking(), branch = non_blocking();
    hipEvent_t fork = event();
    hipGraph_t graph = (hipGraph_t)s;
    OK(hipStreamBeginCapture(s, GLOBAL));
    OK(hipEventRecord(fork, s));
    OK(hipStreamWaitEvent(branch, fork, 0));
    raise_in(branch);
    IS(hipStreamEndCapture(branch, &graph), hipErrorStreamCaptureUnmatched);
    IS(hipStreamEndCapture(s, &graph), hipErrorStreamCaptureUnjoined);
    CHECK(!graph && status(branch) == hipStreamCaptureStatusNone);
}

static void captures_do_not_mix(void) {
    hipStream_t one = non_blocking(), two = non_blocking(), plain = non_blocking();
    hipEvent_t inside = event(), outside = event();
    hipGraph_t graph;
    OK(hipEventRecord(outside, plain));
    OK(hipStreamBeginCapture(one, GLOBAL));
    OK(hipStreamBeginCapture(two, GLOBAL));
    IS(hipStreamBeginCapture(two, GLOBAL), hipErrorIllegalState);
    OK(hipEventRecord(inside, one));
    IS(hipStreamWaitEvent(two, inside, 0), hipErrorStreamCaptureMerge);
    IS(hipStreamEndCapture(one, &graph), hipErrorStreamCaptureInvalidated);
    IS(hipStreamEndCapture(two, &graph), hipErrorStreamCaptureInvalidated);
    OK(hipStreamBeginCapture(one, GLOBAL));
    IS(hipStreamWaitEvent(one, outside, 0), hipErrorStreamCaptureIsolation);
    CHECK(status(one) == hipStreamCaptureStatusInvalidated);
    IS(hipStreamEndCapture(one, &graph), hipErrorStreamCaptureInvalidated);
    IS(hipStreamEndCapture(one, &graph), hipErrorIllegalState);
    IS(hipStreamBeginCapture(NULL, GLOBAL), hipErrorStreamCaptureUnsupported);
    OK(hipStreamBeginCapture(hipStreamPerThread, GLOBAL));
    end(hipStreamPerThread);
}

static void end_elsewhere(void *stream) {
    hipGraph_t graph;
    IS(hipStreamEndCapture(stream, &graph), hipErrorStreamCaptureWrongThread);
}
static void end_relaxed(void *stream) { end(stream); }
static void a_capture_ends_where_it_began(void) {
    hipStream_t s = non_blocking();
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeThreadLocal));
    in_thread(end_elsewhere, s);
    end(s);
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
    in_thread(end_relaxed, s);
}

static void copy_elsewhere(void *unused) {
    (void)unused;
    static char to;
    IS(hipMemcpy(&to, device_bytes(1, 1), 1, hipMemcpyDeviceToHost), hipErrorStreamCaptureImplicit);
}
static void set_elsewhere(void *unused) {
    (void)unused;
    IS(hipMemset(device_bytes(1, 1), 0, 1), hipErrorStreamCaptureImplicit);
}
static void synchronize_elsewhere(void *unused) {
    (void)unused;
    IS(hipDeviceSynchronize(), hipErrorStreamCaptureUnsupported);
}
// Anywhere in the process, whatever the mode.
static void synchronous_calls_invalidate(void) {
    static const call calls[] = {copy_elsewhere, set_elsewhere, synchronize_elsewhere};
    hipStream_t s = non_blocking();
    hipGraph_t graph;
    for (int i = 0; i < 3; i++) {
        OK(hipStreamBeginCapture(s, hipStreamCaptureModeRelaxed));
        in_thread(calls[i], NULL);
        CHECK(status(s) == hipStreamCaptureStatusInvalidated);
        IS(hipMemsetAsync(device_bytes(1, 1), 0, 1, s), hipErrorStreamCaptureInvalidated);
        IS(hipStreamEndCapture(s, &graph), hipErrorStreamCaptureInvalidated);
    }
}

static void asking_a_capturing_stream_invalidates(void) {
    hipStream_t s = non_blocking();
    hipEvent_t before = event();
    hipGraph_t graph;
    OK(hipEventRecord(before, s)); // not in the capture, but in its stream
    hipError_t (*const calls[])(hipStream_t) = {hipStreamSynchronize, hipStreamQuery};
    hipError_t (*const of_events[])(hipEvent_t) = {hipEventSynchronize, hipEventQuery};
    for (int i = 0; i < 4; i++) {
        OK(hipStreamBeginCapture(s, GLOBAL));
        IS(i < 2 ? calls[i](s) : of_events[i - 2](before), hipErrorStreamCaptureUnsupported);
        IS(hipStreamEndCapture(s, &graph), hipErrorStreamCaptureInvalidated);
    }
    OK(hipEventSynchronize(before)); // an event like any other afterwards
}

static void legacy_is_shut_while_blocking_captures(void) {
    hipStream_t s = blocking(), other = non_blocking();
    char *to = device_bytes(1, 0);
    hipGraph_t graph;
    OK(hipStreamBeginCapture(other, GLOBAL));
    OK(hipMemsetAsync(to, 1, 1, NULL));
    OK(hipStreamSynchronize(NULL));
    end(other);
    OK(hipStreamBeginCapture(s, GLOBAL));
    IS(hipMemsetAsync(to, 1, 1, NULL), hipErrorStreamCaptureImplicit);
    IS(hipStreamEndCapture(s, &graph), hipErrorStreamCaptureInvalidated);
}

static hipError_t outcome;
static void allocate(void *unused) {
    (void)unused;
    void *bytes;
    outcome = hipMalloc(&bytes, 8);
}
static void modes_say_who_may_allocate(void) {
    static const struct {
        hipStreamCaptureMode mode;
        hipError_t here, elsewhere;
    } cases[] = {
        {hipStreamCaptureModeGlobal, 900, 900},
        {hipStreamCaptureModeThreadLocal, 900, 0},
        {hipStreamCaptureModeRelaxed, 0, 0},
    };
    hipStream_t s = non_blocking();
    for (int i = 0; i < 3; i++) {
        OK(hipStreamBeginCapture(s, cases[i].mode));
        allocate(NULL);
        CHECK(outcome == cases[i].here);
        in_thread(allocate, NULL);
        CHECK(outcome == cases[i].elsewhere);
        end(s); // it is refused, and that is all
    }
    hipStreamCaptureMode mode = hipStreamCaptureModeRelaxed;
    OK(hipThreadExchangeStreamCaptureMode(&mode));
    CHECK(mode == GLOBAL);
    OK(hipStreamBeginCapture(s, GLOBAL));
    allocate(NULL);
    CHECK(!outcome);
}

static void captures_can_be_asked_and_changed(void) {
    hipStream_t s = non_blocking();
    hipStreamCaptureStatus now;
    unsigned long long first = 0, second = 0;
    hipGraph_t graph;
    const hipGraphNode_t *front;
    size_t count = 9;
    OK(hipStreamBeginCapture(s, GLOBAL));
    OK(hipStreamGetCaptureInfo_v2(s, &now, &first, &graph, &front, &count));
    CHECK(now == hipStreamCaptureStatusActive && count == 0);
    raise_in(s);
    OK(hipStreamGetCaptureInfo_v2(s, &now, &first, &graph, &front, &count));
    CHECK(count == 1);
    hipGraphNode_t root = front[0];
    raise_in(s);
    OK(hipStreamUpdateCaptureDependencies(s, &root, 1, hipStreamSetCaptureDependencies));
    raise_in(s); // beside the second
    size_t after = 0;
    OK(hipGraphNodeGetDependentNodes(root, NULL, &after));
    CHECK(after == 2);
    hipGraph_t ended = NULL;
    IS(hipStreamEndCapture(s, &ended), hipErrorStreamCaptureUnjoined);
    OK(hipStreamBeginCapture(s, GLOBAL));
    OK(hipStreamGetCaptureInfo(s, &now, &second));
    CHECK(second != first);
    end(s);
    OK(hipStreamGetCaptureInfo(s, &now, &second));
    CHECK(now == hipStreamCaptureStatusNone);
}

static void a_capture_can_go_on_in_a_graph(void) {
    hipStream_t s = non_blocking();
    hipGraph_t graph;
    hipGraphNode_t root;
    size_t edges = 0;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddEmptyNode(&root, graph, NULL, 0));
    OK(hipStreamBeginCaptureToGraph(s, graph, &root, NULL, 1, GLOBAL));
    raise_in(s);
    CHECK(end(s) == graph);
    OK(hipGraphGetEdges(graph, NULL, NULL, &edges));
    CHECK(edges == 1);
}

static void external_events_are_nodes(void) {
    hipStream_t s = non_blocking(), other = non_blocking();
    hipEvent_t recorded = event(), awaited = event();
    hipGraphExec_t exec;
    OK(hipStreamBeginCapture(s, GLOBAL));
    OK(hipStreamWaitEvent(s, awaited, hipEventWaitExternal));
    int flag = raise_in(s);
    OK(hipEventRecordWithFlags(recorded, s, hipEventRecordExternal));
    OK(hipGraphInstantiate(&exec, end(s), NULL, NULL, 0));
    hold(other, 0);
    OK(hipEventRecord(awaited, other));
    OK(hipGraphLaunch(exec, s));
    IS(hipEventQuery(recorded), hipErrorNotReady);
    CHECK(is_held(flag));
    open_gate(0);
    OK(hipEventSynchronize(recorded));
    runs(flag);
}

const struct rule capture_rules[] = {
    RULE(captured_calls_do_nothing),
    RULE(events_fork_and_join),
    RULE(a_branch_must_be_joined),
    RULE(captures_do_not_mix),
    RULE(a_capture_ends_where_it_began),
    RULE(synchronous_calls_invalidate),
    RULE(asking_a_capturing_stream_invalidates),
    RULE(legacy_is_shut_while_blocking_captures),
    RULE(modes_say_who_may_allocate),
    RULE(captures_can_be_asked_and_changed),
    RULE(a_capture_can_go_on_in_a_graph),
    RULE(external_events_are_nodes),
    {0},
};
