// Graphs: what they hold was fixed at the capture, what they read is read at each launch.
#include "program.h"
#include <stdio.h>

static void begin(hipStream_t stream) {
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
}
static hipGraphExec_t captured(hipStream_t stream) {
    hipGraph_t graph;
    hipGraphExec_t exec;
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphDestroy(graph));
    return exec;
}
static void launch(hipGraphExec_t exec, hipStream_t stream) { OK(hipGraphLaunch(exec, stream)); }
static void keep(hipStream_t stream, uint32_t *to, const uint32_t *from) {
    OK(hipMemcpyAsync(to, from, BYTES, hipMemcpyDeviceToDevice, stream));
}

static hipGraphExec_t of_pass(hipStream_t stream, const uint32_t *in, uint32_t *out) {
    begin(stream);
    pass(stream, in, out);
    return captured(stream);
}
static hipGraphExec_t of_add(hipStream_t stream, uint32_t *data) {
    begin(stream);
    add(stream, data, 1);
    return captured(stream);
}

// The host prepares the next inputs while copy and graph of the last ones are on their way.
static void prepared_inputs(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t copied = new_event();
    uint32_t *host = pinned_words(WORDS), *in = device_words(WORDS), *out = device_words(WORDS);
    uint32_t *kept = device_words(2 * WORDS);
    hipGraphExec_t step = of_pass(stream, in, out);
    for (uint32_t i = 0; i < 2; i++) {
        if (i && fixed)
            host_waits(copied);
        set_words(host, 1 + i);
        upload(stream, in, host);
        record(copied, stream);
        launch(step, stream);
        keep(stream, kept + i * WORDS, out);
    }
    print_device("steps", stream, kept, 2 * WORDS);
}

// No copy at all: the graph reads the host's memory in place.
static void input_in_place(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t done = new_event();
    uint32_t *input = pinned_words(WORDS), *out = device_words(WORDS);
    uint32_t *kept = device_words(2 * WORDS);
    hipGraphExec_t ubatch = of_pass(stream, input, out);
    for (uint32_t i = 0; i < 2; i++) {
        if (i && fixed)
            host_waits(done);
        set_words(input, 1 + i);
        launch(ubatch, stream);
        record(done, stream);
        keep(stream, kept + i * WORDS, out);
    }
    print_device("ubatches", stream, kept, 2 * WORDS);
}

// The captured copy keeps an address whose memory has another owner at the launch.
static void staging_given_back(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *staging = pinned_words(WORDS), *out = device_words(WORDS);
    set_words(staging, 1);
    begin(stream);
    upload(stream, out, staging);
    hipGraphExec_t exec = captured(stream);
    if (!fixed)
        OK(hipHostFree(staging));
    set_words(pinned_words(WORDS), 2); // of the next owner
    launch(exec, stream);
    print_device("out", stream, out, WORDS);
}

// A library frees its workspace of a stream, which a graph of that stream still names.
static void workspace_given_back(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *workspace = device_words(WORDS), *unrelated = device_words(WORDS);
    hipGraphExec_t exec = of_add(stream, workspace), other = of_add(stream, unrelated);
    OK(hipGraphExecDestroy(other));
    if (!fixed)
        OK(hipFree(workspace));
    uint32_t *owned = device_words(WORDS);
    fill(stream, owned, 5);
    launch(exec, stream);
    print_device("owned", stream, owned, WORDS);
}

// The same with a block of the stream's pool.
static void pool_block_given_back(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *block, *next;
    OK(hipMallocAsync((void **)&block, BYTES, stream));
    hipGraphExec_t exec = of_add(stream, block);
    if (!fixed)
        OK(hipFreeAsync(block, stream));
    OK(hipMallocAsync((void **)&next, BYTES, stream));
    fill(stream, next, 5);
    launch(exec, stream);
    print_device("next", stream, next, WORDS);
}

// One executable graph in two streams: ordered by CUDA, by no document of HIP.
static void two_launches(bool fixed) {
    hipStream_t first = new_stream(), second = fixed ? first : new_stream();
    hipEvent_t cleared = new_event();
    uint32_t *data = device_words(WORDS), *scratch = device_words(WORDS);
    fill(first, data, 0);
    record(cleared, first);
    begin(first);
    pass(first, data, scratch);
    add(first, scratch, 1);
    busy(first, 20000);
    pass(first, scratch, data);
    hipGraphExec_t exec = captured(first);
    launch(exec, first);
    if (!fixed) {
        wait_for(second, cleared);
        busy(second, 12000);
    }
    launch(exec, second);
    if (!fixed) {
        record(cleared, first);
        wait_for(second, cleared);
    }
    print_device("data", second, data, WORDS);
}

static void result_read_early(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *out = device_words(WORDS), *host = pinned_words(WORDS);
    begin(stream);
    fill(stream, out, 6);
    hipGraphExec_t exec = captured(stream);
    launch(exec, stream);
    download(stream, host, out);
    if (fixed)
        drain(stream);
    synctrace_host_read(host, BYTES, "outputs");
    printf("output: %u\n", host[0]);
}

// The next micro-batch writes what the send to the next stage still reads.
static void send_buffer(bool fixed) {
    hipStream_t compute = new_stream(), sends = new_stream();
    hipEvent_t forward = new_event(), sent = new_event();
    uint32_t *hidden = device_words(WORDS);
    OK(hipSetDevice(1));
    uint32_t *peer = device_words(WORDS);
    hipStream_t reader = new_stream();
    OK(hipSetDevice(0));
    fill(compute, hidden, 0);
    hipGraphExec_t batch = of_add(compute, hidden);
    launch(batch, compute);
    record(forward, compute);
    wait_for(sends, forward);
    busy(sends, 6000);
    OK(hipMemcpyPeerAsync(peer, 1, hidden, 0, BYTES, sends));
    record(sent, sends);
    if (fixed)
        wait_for(compute, sent);
    launch(batch, compute);
    OK(hipSetDevice(1));
    wait_for(reader, sent);
    print_device("peer", reader, peer, WORDS);
}

// Two branches of one graph, in no order.
static void branches(bool fixed) {
    hipStream_t trunk = new_stream(), branch = new_stream();
    hipEvent_t fork = new_event(), join = new_event();
    uint32_t *data = device_words(WORDS), *out = device_words(WORDS);
    begin(trunk);
    fill(trunk, data, 1);
    record(fork, trunk);
    wait_for(branch, fork);
    busy(branch, 6000);
    pass(branch, data, out);
    record(join, branch);
    if (fixed)
        wait_for(trunk, join);
    add(trunk, data, 1);
    if (!fixed)
        wait_for(trunk, join);
    hipGraphExec_t exec = captured(trunk);
    launch(exec, trunk);
    print_device("out", trunk, out, WORDS);
}

const struct scenario scenarios[] = {
    {"trtllm-prepare-inputs", prepared_inputs},
    {"ggml-ubatch-input-war", input_in_place},
    {"ort-captured-staging", staging_given_back},
    {"pytorch-cublas-workspace-graphs", workspace_given_back},
    {"pool-block-given-back", pool_block_given_back},
    {"graph-exec-self-order", two_launches},
    {"lead-llama-18310", result_read_early},
    {"vllm-pp-send-buffer", send_buffer},
    {"branches", branches},
    {NULL, NULL},
};
