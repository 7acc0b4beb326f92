// Values that one stream writes to memory and another one waits for.
#include "program.h"

static void writes(hipStream_t stream, uint32_t *flag, uint32_t value) {
    OK(hipStreamWriteValue32(stream, flag, value, 0));
}
static void waits(hipStream_t stream, uint32_t *flag, uint32_t value) {
    OK(hipStreamWaitValue32(stream, flag, value, hipStreamWaitValueGte, ~0u));
}

struct pair {
    hipStream_t producer, consumer;
    uint32_t *flag, *data, *copy;
};
static struct pair new_pair(void) {
    struct pair p = {new_stream(), new_stream(), pinned_words(8), device_words(WORDS),
                     device_words(WORDS)};
    p.flag[0] = p.flag[1] = 0;
    return p;
}

// The consumer waits for the value that the producer writes behind its work.
static void write_first(bool fixed) {
    struct pair p = new_pair();
    fill(p.producer, p.data, 3);
    writes(p.producer, p.flag, 1);
    if (fixed)
        waits(p.consumer, p.flag, 1);
    pass(p.consumer, p.data, p.copy);
    drain(p.producer);
    print_device("copy", p.consumer, p.copy, WORDS);
}

// It is given its wait before the producer is given the write; in the race, the work follows that.
static void wait_first(bool fixed) {
    struct pair p = new_pair();
    waits(p.consumer, p.flag, 1);
    pass(p.consumer, p.data, p.copy);
    if (!fixed)
        writes(p.producer, p.flag, 1);
    fill(p.producer, p.data, 3);
    if (fixed)
        writes(p.producer, p.flag, 1);
    drain(p.producer);
    print_device("copy", p.consumer, p.copy, WORDS);
}

// Of a counter the write counts that first reached what is waited for.
static void counter(bool fixed) {
    struct pair p = new_pair();
    fill(p.producer, p.data, 1);
    writes(p.producer, p.flag, 1);
    fill(p.producer, p.data, 2);
    writes(p.producer, p.flag, 2);
    busy(p.producer, 1000);
    writes(p.producer, p.flag, 3);
    waits(p.consumer, p.flag, fixed ? 2 : 1);
    pass(p.consumer, p.data, p.copy);
    drain(p.producer);
    print_device("copy", p.consumer, p.copy, WORDS);
}

// Several values in one call, and in a node of a graph.
static void batch(bool fixed) {
    (void)fixed;
    struct pair p = new_pair();
    hipStreamBatchMemOpParams both[2] = {0};
    for (int i = 0; i < 2; i++)
        both[i].writeValue = (hipStreamMemOp){
            .operation = hipStreamMemOpWriteValue32, .address = p.flag + i, .value = 5};
    fill(p.producer, p.data, 3);
    OK(hipStreamBatchMemOp(p.producer, 2, both, 0));
    for (int i = 0; i < 2; i++)
        both[i].waitValue = (hipStreamMemOp){.operation = hipStreamMemOpWaitValue32,
                                             .address = p.flag + i,
                                             .value = 5,
                                             .flags = hipStreamWaitValueEq};
    OK(hipStreamBatchMemOp(p.consumer, 2, both, 0));
    pass(p.consumer, p.data, p.copy);
    print_device("copy", p.consumer, p.copy, WORDS);
}

static void stored(bool fixed) {
    struct pair p = new_pair();
    hipGraph_t graph;
    hipGraphExec_t exec;
    OK(hipStreamBeginCapture(p.consumer, hipStreamCaptureModeThreadLocal));
    if (fixed)
        waits(p.consumer, p.flag, 1);
    pass(p.consumer, p.data, p.copy);
    OK(hipStreamEndCapture(p.consumer, &graph));
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    fill(p.producer, p.data, 3);
    writes(p.producer, p.flag, 1);
    OK(hipGraphLaunch(exec, p.consumer));
    print_device("copy", p.consumer, p.copy, WORDS);
}

const struct scenario scenarios[] = {
    {"write-first", write_first}, {"wait-first", wait_first},
    {"counter", counter},         {"batch", batch},
    {"stored", stored},           {NULL, NULL},
};
