// Captures: forks and joins, edits of what comes next, captures that fail, several at once.
#include "program.h"
#include <pthread.h>
#include <stdio.h>

static void begin(hipStream_t stream) {
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
}
static hipGraphExec_t made_of(hipGraph_t graph) {
    hipGraphExec_t exec;
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    return exec;
}
static hipGraphExec_t ended(hipStream_t stream) {
    hipGraph_t graph;
    OK(hipStreamEndCapture(stream, &graph));
    hipGraphExec_t exec = made_of(graph);
    OK(hipGraphDestroy(graph));
    return exec;
}
static void launch(hipGraphExec_t exec, hipStream_t stream) { OK(hipGraphLaunch(exec, stream)); }

// upload > pass > pass
//        \ fill  /
static void forked_work(bool fixed) {
    hipStream_t main = new_stream(), side = new_stream();
    hipEvent_t forked = new_event(), joined = new_event();
    uint32_t *host = pinned_words(WORDS), *in = device_words(WORDS), *out = device_words(WORDS);
    uint32_t *other = device_words(WORDS);
    set_words(host, 3);
    begin(main);
    upload(main, in, host);
    record(forked, main);
    wait_for(side, forked);
    fill(side, other, 5);
    if (fixed) {
        record(joined, side);
        pass(main, in, out);
        wait_for(main, joined);
        pass(main, out, other);
    } else {
        pass(main, in, out);
        pass(main, out, other); // beside the fill
        record(joined, side);
        wait_for(main, joined);
    }
    launch(ended(main), main);
    print_device("other", main, other, WORDS);
}

// A copy from pageable memory is staged when it is made, and in a graph at each launch.
static void pageable(bool fixed) {
    static uint32_t host[WORDS];
    hipStream_t stream = new_stream();
    uint32_t *out = device_words(WORDS), *kept = device_words(2 * WORDS);
    begin(stream);
    upload(stream, out, host);
    hipGraphExec_t exec = ended(stream);
    for (uint32_t i = 0; i < 2; i++) {
        if (fixed)
            drain(stream);
        set_words(host, 1 + i);
        launch(exec, stream);
        OK(hipMemcpyAsync(kept + i * WORDS, out, BYTES, hipMemcpyDeviceToDevice, stream));
    }
    print_device("launches", stream, kept, 2 * WORDS);
}

static hipGraphNode_t last_of(hipStream_t stream, hipGraph_t *graph) {
    hipStreamCaptureStatus status;
    const hipGraphNode_t *after;
    size_t count;
    OK(hipStreamGetCaptureInfo_v2(stream, &status, NULL, graph, &after, &count));
    return after[count - 1];
}

// What a stream does next comes after the nodes that it is told to come after.
static void edited(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *c = device_words(WORDS);
    hipGraph_t graph;
    hipGraphNode_t first, side[2];
    begin(stream);
    fill(stream, a, 1);
    first = last_of(stream, &graph);
    fill(stream, b, 2);
    side[0] = last_of(stream, &graph);
    OK(hipStreamUpdateCaptureDependencies(stream, &first, 1, hipStreamSetCaptureDependencies));
    fill(stream, c, 3); // beside the second
    hipMemsetParams zero = {.dst = b, .elementSize = 4, .width = 1, .height = 1, .pitch = 4};
    OK(hipGraphAddMemsetNode(&side[1], graph, &side[0], 1, &zero));
    OK(hipStreamUpdateCaptureDependencies(stream, &side[1], 1, hipStreamAddCaptureDependencies));
    pass(stream, c, a);
    OK(hipStreamEndCapture(stream, &graph));
    launch(made_of(graph), stream);
    print_device("a", stream, a, WORDS);
}

// Into a graph that has a node already.
static void continued(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS);
    hipGraph_t graph, same;
    hipGraphNode_t node;
    hipMemsetParams zero = {
        .dst = a, .elementSize = 1, .width = BYTES, .height = 1, .pitch = BYTES};
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddMemsetNode(&node, graph, NULL, 0, &zero));
    OK(hipStreamBeginCaptureToGraph(stream, graph, &node, NULL, 1, hipStreamCaptureModeRelaxed));
    pass(stream, a, b);
    OK(hipStreamEndCapture(stream, &same));
    launch(made_of(graph), stream);
    print_device("b", stream, b, WORDS);
}

// A capture that fails leaves no graph, and its streams run again.
static void failed(bool fixed) {
    (void)fixed;
    hipStream_t main = new_stream(), side = new_stream();
    hipEvent_t forked = new_event();
    uint32_t *data = device_words(WORDS);
    hipGraph_t graph = NULL;
    begin(main);
    fill(main, data, 1);
    record(forked, main);
    wait_for(side, forked);
    fill(side, data, 2);
    printf("ended %d\n", hipStreamEndCapture(main, &graph)); // the side never joined
    begin(main);
    fill(main, data, 3);
    printf("waited %d\n", hipStreamSynchronize(main));
    printf("ended %d\n", hipStreamEndCapture(main, &graph));
    fill(main, data, 4);
    drain(main);
    fill(side, data, 5);
    print_device("data", side, data, WORDS);
}

static void *capture_one(void *data) {
    hipStream_t stream = new_stream();
    hipGraphExec_t exec;
    begin(stream);
    for (uint32_t i = 0; i < 50; i++)
        fill(stream, data, i);
    exec = ended(stream);
    launch(exec, stream);
    drain(stream);
    return NULL;
}

// Each thread has a capture of its own.
static void threads(bool fixed) {
    (void)fixed;
    enum { THREADS = 4 };
    pthread_t thread[THREADS];
    uint32_t *data = device_words(THREADS * WORDS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, capture_one, data + i * WORDS);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    print_device("data", new_stream(), data, THREADS * WORDS);
}

// An event that a graph records and one that it waits for act at each launch.
static void external(bool fixed) {
    hipStream_t first = new_stream(), second = new_stream();
    hipEvent_t produced = new_event();
    uint32_t *data = device_words(WORDS), *copy = device_words(WORDS);
    begin(first);
    fill(first, data, 7);
    OK(hipEventRecordWithFlags(produced, first, hipEventRecordExternal));
    hipGraphExec_t producer = ended(first);
    begin(second);
    if (fixed)
        OK(hipStreamWaitEvent(second, produced, hipEventWaitExternal));
    pass(second, data, copy);
    hipGraphExec_t consumer = ended(second);
    launch(producer, first);
    launch(consumer, second);
    drain(first);
    print_device("copy", second, copy, WORDS);
}

const struct scenario scenarios[] = {
    {"fork", forked_work}, {"pageable", pageable}, {"edited", edited},     {"continued", continued},
    {"failed", failed},    {"threads", threads},   {"external", external}, {NULL, NULL},
};
