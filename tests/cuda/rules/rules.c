// Where CUDA's order and waits differ from HIP's: each rule is a function that returns, or ends the
// program saying why.
//
//     rules RULE
//
// Nothing goes by time: what must wait is held by a gate, a host function that runs until the gate
// is opened. A call that must not wait is made while the gate is closed (if it waits, an alarm ends
// the program); one that must is made while a thread opens the gate a little later, and has to find
// it open when it returns.
#include "gates.h"

static CUstream new_stream(void) {
    CUstream stream;
    OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    return stream;
}
static CUdeviceptr on_device(void) {
    CUdeviceptr memory;
    OK(cuMemAlloc(&memory, SIZE));
    return memory;
}
static char *pinned(char value) {
    void *memory;
    OK(cuMemHostAlloc(&memory, SIZE, 0));
    return memset(memory, value, SIZE);
}
static void finish(void) {
    open_gate();
    OK(cuCtxSynchronize());
}

// --- Copies ---

static void pageable_source_is_read_at_once(void) {
    CUstream stream = new_stream();
    CUdeviceptr device = on_device();
    char source[64], result[64];
    memset(source, 1, sizeof source);
    hold(stream);
    GOES_ON(cuMemcpyHtoDAsync(device, source, sizeof source, stream));
    memset(source, 2, sizeof source);
    finish();
    OK(cuMemcpyDtoH(result, device, sizeof result));
    CHECK(result[0] == 1);
}
static void pinned_source_is_read_later(void) {
    CUstream stream = new_stream();
    CUdeviceptr device = on_device();
    char *source = pinned(1), result[64];
    hold(stream);
    GOES_ON(cuMemcpyHtoDAsync(device, source, SIZE, stream));
    memset(source, 2, SIZE);
    finish();
    OK(cuMemcpyDtoH(result, device, sizeof result));
    CHECK(result[0] == 2);
}
static void pageable_destination_is_waited_for(void) {
    CUstream stream = new_stream();
    CUdeviceptr device = on_device();
    char result[64];
    hold(stream);
    WAITS(cuMemcpyDtoHAsync(result, device, sizeof result, stream));
}
static void copies_between_host_memory_are_waited_for(void) {
    CUstream stream = new_stream();
    char *from = pinned(1), *to = pinned(2);
    hold(stream);
    WAITS(cuMemcpyAsync((CUdeviceptr)(uintptr_t)to, (CUdeviceptr)(uintptr_t)from, SIZE, stream));
    CHECK(to[0] == 1);
}
static void copies_on_a_device_are_not(void) {
    CUdeviceptr from = on_device(), to = on_device();
    hold(NULL);
    GOES_ON(cuMemcpyDtoD(to, from, SIZE));
    finish();
}
static void copies_between_devices_are_in_their_stream(void) {
    CUcontext first, second;
    CUdeviceptr from = on_device(), to;
    OK(cuCtxGetCurrent(&first));
    OK(cuDevicePrimaryCtxRetain(&second, 1));
    OK(cuCtxPushCurrent(second));
    to = on_device();
    CUstream other = new_stream();
    OK(cuCtxPopCurrent(&second));
    CUstream stream = new_stream();
    char *result = pinned(0);
    OK(cuMemsetD8(from, 3, SIZE));
    OK(cuCtxSynchronize());
    hold(other); // of the destination's device, which the copy does not wait for
    OK(cuMemcpyPeerAsync(to, second, from, first, SIZE, stream));
    OK(cuMemcpyDtoHAsync(result, to, SIZE, stream));
    GOES_ON(cuStreamSynchronize(stream));
    CHECK(result[0] == 3);
    finish();
}
static void the_synchronous_peer_copy_is_behind_both_devices(void) {
    CUcontext first, second;
    CUdeviceptr from = on_device(), to;
    OK(cuCtxGetCurrent(&first));
    OK(cuDevicePrimaryCtxRetain(&second, 1));
    OK(cuCtxPushCurrent(second));
    to = on_device();
    hold(new_stream());
    OK(cuCtxPopCurrent(&second));
    OK(cuMemsetD8(from, 3, SIZE));
    GOES_ON(cuMemcpyPeer(to, second, from, first, SIZE)); // the host goes on
    CUstream stream = new_stream();
    CUevent done;
    OK(cuEventCreate(&done, CU_EVENT_DISABLE_TIMING));
    OK(cuEventRecord(done, NULL));
    OK(cuStreamWaitEvent(stream, done, 0));
    CHECK(cuStreamQuery(stream) == CUDA_ERROR_NOT_READY);
    WAITS(cuStreamSynchronize(stream));
}

// --- Fills and frees ---

static void fills_of_device_memory_are_not_waited_for(void) {
    CUdeviceptr memory = on_device();
    hold(NULL);
    GOES_ON(cuMemsetD8(memory, 1, SIZE));
    GOES_ON(cuMemsetD8(memory + 16, 1, 16));
    finish();
}
static void fills_of_pinned_memory_are(void) {
    char *memory = pinned(1);
    hold(NULL);
    WAITS(cuMemsetD8((CUdeviceptr)(uintptr_t)memory, 2, SIZE));
    CHECK(memory[0] == 2);
}
static void frees_wait_for_all_streams(void) {
    CUdeviceptr memory = on_device();
    hold(new_stream());
    WAITS(cuMemFree(memory));
}
static void frees_of_pinned_memory_do_too(void) {
    char *memory = pinned(0);
    hold(new_stream());
    WAITS(cuMemFreeHost(memory));
}
static void frees_of_pool_memory_do_not(void) {
    CUstream stream = new_stream();
    CUdeviceptr memory;
    OK(cuMemAllocAsync(&memory, SIZE, stream));
    hold(stream);
    GOES_ON(cuMemFree(memory));
    finish();
}
static void streams_are_destroyed_at_once(void) {
    CUstream stream = new_stream();
    CUdeviceptr device = on_device();
    char *source = pinned(5), result[64];
    hold(stream);
    OK(cuMemcpyHtoDAsync(device, source, SIZE, stream));
    GOES_ON(cuStreamDestroy(stream));
    CHECK(cuStreamQuery(stream) != CUDA_SUCCESS); // its handle means nothing any more
    finish();                                     // its work is done all the same
    OK(cuMemcpyDtoH(result, device, sizeof result));
    CHECK(result[0] == 5);
}

// --- Graphs ---

static CUgraphExec captured_copy(CUdeviceptr dst, CUdeviceptr src) {
    CUstream stream = new_stream();
    CUgraph graph;
    CUgraphExec exec;
    OK(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuMemcpyAsync(dst, src, 64, stream));
    OK(cuStreamEndCapture(stream, &graph));
    OK(cuGraphInstantiate(&exec, graph, 0));
    return exec;
}
static void graphs_read_pageable_sources_at_launch(void) {
    CUstream stream = new_stream();
    CUdeviceptr device = on_device();
    char source[64], result[64];
    memset(source, 1, sizeof source);
    CUgraphExec exec = captured_copy(device, (CUdeviceptr)(uintptr_t)source);
    memset(source, 2, sizeof source);
    hold(stream);
    GOES_ON(cuGraphLaunch(exec, stream));
    memset(source, 3, sizeof source);
    finish();
    OK(cuMemcpyDtoH(result, device, sizeof result));
    CHECK(result[0] == 2);
}
static void launches_wait_for_pageable_destinations(void) {
    CUstream stream = new_stream();
    CUdeviceptr device = on_device();
    char result[64] = {0};
    OK(cuMemsetD8(device, 4, SIZE));
    OK(cuCtxSynchronize());
    CUgraphExec exec = captured_copy((CUdeviceptr)(uintptr_t)result, device);
    hold(stream);
    WAITS(cuGraphLaunch(exec, stream));
    CHECK(result[0] == 4);
}
static void launches_of_one_executable_follow_each_other(void) {
    CUstream first = new_stream(), second = new_stream();
    CUgraphExec exec = captured_copy(on_device(), on_device());
    hold(first);
    GOES_ON(cuGraphLaunch(exec, first));
    GOES_ON(cuGraphLaunch(exec, second));
    CHECK(cuStreamQuery(second) == CUDA_ERROR_NOT_READY);
    WAITS(cuStreamSynchronize(second));
}

// --- Contexts ---

static void contexts_choose_the_device(void) {
    CUcontext primary, made, was;
    CUdevice device;
    OK(cuCtxGetCurrent(&primary));
    OK(cuCtxCreate_v2(&made, 0, 1));
    OK(cuCtxGetDevice(&device));
    CHECK(device == 1);
    OK(cuCtxPushCurrent(primary));
    OK(cuCtxGetDevice(&device));
    CHECK(device == 0);
    OK(cuCtxPopCurrent(&was));
    CHECK(was == primary);
    OK(cuCtxDestroy(made));
    OK(cuCtxGetCurrent(&was));
    CHECK(was == primary && cuCtxSetCurrent(made) == CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxSetCurrent(NULL));
    OK(cuCtxGetCurrent(&was));
    CHECK(!was && cuCtxGetDevice(&device) == CUDA_ERROR_INVALID_CONTEXT);
}

#define RULE(name)                                                                                 \
    { #name, name }
static const struct {
    const char *name;
    void (*run)(void);
} rules[] = {
    RULE(pageable_source_is_read_at_once),
    RULE(pinned_source_is_read_later),
    RULE(pageable_destination_is_waited_for),
    RULE(copies_between_host_memory_are_waited_for),
    RULE(copies_on_a_device_are_not),
    RULE(copies_between_devices_are_in_their_stream),
    RULE(the_synchronous_peer_copy_is_behind_both_devices),
    RULE(fills_of_device_memory_are_not_waited_for),
    RULE(fills_of_pinned_memory_are),
    RULE(frees_wait_for_all_streams),
    RULE(frees_of_pinned_memory_do_too),
    RULE(frees_of_pool_memory_do_not),
    RULE(streams_are_destroyed_at_once),
    RULE(graphs_read_pageable_sources_at_launch),
    RULE(launches_wait_for_pageable_destinations),
    RULE(launches_of_one_executable_follow_each_other),
    RULE(contexts_choose_the_device),
};

int main(int count, char **arguments) {
    CUcontext context;
    alarm(LONGEST_S);
    OK(cuInit(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    OK(cuCtxSetCurrent(context));
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (count < 2)
            printf("%s\n", rules[i].name);
        else if (!strcmp(rules[i].name, arguments[1])) {
            rules[i].run();
            return 0;
        }
    return count < 2 ? 0 : 2;
}
