// Waits that order nothing new, or more than is needed. `fixed` makes only those that are needed.
#include "program.h"
#include <pthread.h>
#include <stdio.h>

// A wait before and after each of several copies, as schedulers of llama.cpp made them.
static void around_each_copy(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *host[2] = {pinned_words(WORDS), pinned_words(WORDS)};
    uint32_t *in = device_words(2 * WORDS), *out = device_words(2 * WORDS);
    hipGraph_t graph;
    hipGraphExec_t exec;
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    pass(stream, in, out);
    pass(stream, in + WORDS, out + WORDS);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    for (uint32_t token = 0; token < 2; token++) {
        for (uint32_t i = 0; i < 2; i++)
            set_words(host[i], 10 * token + i);
        for (uint32_t i = 0; i < 2; i++) {
            if (!fixed)
                drain(stream);
            upload(stream, in + i * WORDS, host[i]);
            if (!fixed)
                drain(stream);
        }
        OK(hipGraphLaunch(exec, stream));
        drain(stream);
    }
    print_device("out", stream, out, 2 * WORDS);
}

static void drained_already(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *data = device_words(WORDS), *host = pinned_words(WORDS);
    fill(stream, data, 2);
    download(stream, host, data);
    drain(stream);
    print_words("data", host, WORDS);
    for (int i = 0; i < 2 && !fixed; i++)
        drain(stream);
}

static void before_the_copy_too(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *data = device_words(WORDS), *host = pinned_words(1);
    fill(stream, data, 2);
    if (!fixed)
        drain(stream);
    OK(hipMemcpyAsync(host, data, 4, hipMemcpyDeviceToHost, stream));
    drain(stream);
    print_words("data", host, 1);
}

static void one_after_the_other(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *query = device_words(WORDS), *out = device_words(WORDS), *sum = device_words(WORDS);
    fill(stream, query, 2);
    pass(stream, query, out);
    if (!fixed) {
        drain(stream);
        OK(hipDeviceSynchronize());
    }
    pass(stream, out, sum);
    print_device("sum", stream, sum, WORDS);
}

static void consumer_on_the_stream(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *out = device_words(WORDS);
    fill(stream, a, 2);
    OK(hipMemcpyAsync(b, a, BYTES, hipMemcpyDeviceToDevice, stream));
    if (!fixed)
        drain(stream);
    pass(stream, b, out);
    print_device("out", stream, out, WORDS);
}

static void after_each_operator(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *data = device_words(WORDS);
    fill(stream, data, 2);
    for (uint32_t i = 0; i < 2; i++) {
        if (!fixed)
            drain(stream);
        add(stream, data, 1);
    }
    print_device("data", stream, data, WORDS);
}

// The host needs one small result; behind it the stream has other work.
static void whole_stream(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t read_back = new_event();
    uint32_t *token = device_words(WORDS), *cache = device_words(WORDS), *host = pinned_words(16);
    fill(stream, token, 7);
    OK(hipMemcpyAsync(host, token, 64, hipMemcpyDeviceToHost, stream));
    record(read_back, stream);
    busy(stream, 4000);
    fill(stream, cache, 1);
    if (fixed)
        host_waits(read_back);
    else
        drain(stream);
    print_words("token", host, 16);
}

// The whole device, where another thread's stream is not needed.
static uint32_t *others;
static void *other_thread(void *stream) {
    busy(stream, 4000);
    fill(stream, others, 1);
    return NULL;
}
static void whole_device(bool fixed) {
    pthread_t other;
    hipStream_t own = new_stream(), theirs = new_stream();
    hipEvent_t read_back = new_event();
    uint32_t *data = device_words(WORDS), *host = pinned_words(WORDS);
    others = device_words(WORDS);
    pthread_create(&other, NULL, other_thread, theirs);
    pthread_join(other, NULL);
    fill(own, data, 5);
    download(own, host, data);
    record(read_back, own);
    if (fixed)
        host_waits(read_back);
    else
        OK(hipDeviceSynchronize());
    print_words("data", host, WORDS);
}

// Read back each step, though the host knows a bound that would do.
static void read_back(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *lengths = device_words(WORDS), *host = pinned_words(WORDS);
    uint32_t *out = device_words(WORDS);
    for (uint32_t step = 0; step < 3; step++) {
        fill(stream, lengths, 2 + step);
        if (!fixed) {
            download(stream, host, lengths);
            drain(stream);
        }
        pass(stream, lengths, out);
    }
    print_device("out", stream, out, WORDS);
}

// A source that plain stores refill behind the wait for its copy: no call tells them, and the wait
// is for them. A second wait right behind the first one is for nothing.
static void refilled_by_stores(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t copied = new_event();
    uint32_t *staging = pinned_words(WORDS), *result = pinned_words(WORDS);
    uint32_t *in = device_words(WORDS);
    for (uint32_t step = 0; step < 3; step++) {
        set_words(staging, 1 + step);
        upload(stream, in, staging);
        record(copied, stream);
        host_waits(copied);
        if (!fixed)
            drain(stream);
        set_words(staging, 9);
        download(stream, result, in);
        OK(hipStreamSynchronize(stream));
        print_words("in", result, WORDS);
    }
}

// The same, read in place by a kernel, and with the stores told: each wait but the last of a step
// stands before no store.
static void stores_told(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t read = new_event();
    uint32_t *staging = pinned_words(WORDS), *out = device_words(WORDS);
    for (uint32_t step = 0; step < 3; step++) {
        synctrace_host_write(staging, BYTES, "staging");
        set_words(staging, 1 + step);
        pass(stream, staging, out);
        if (!fixed)
            drain(stream);
        pass(stream, staging, out);
        record(read, stream);
        host_waits(read);
    }
    print_device("out", stream, out, WORDS);
}

const struct scenario scenarios[] = {
    {"ggml-sassassasg", around_each_copy},
    {"tornado-drained-stream", drained_already},
    {"thrust-double-sync", before_the_copy_too},
    {"tk-consecutive-syncs", one_after_the_other},
    {"luminal-d2d-sync", consumer_on_the_stream},
    {"paddle-per-op-sync", after_each_operator},
    {"vllm-tolist-stream-sync", whole_stream},
    {"thrust-device-sync", whole_device},
    {"sglang-seqlens-sync", read_back},
    {"refilled-by-stores", refilled_by_stores},
    {"stores-told", stores_told},
    {NULL, NULL},
};
