// Rules of stream-ordered memory.
#include "rules.h"

enum { SIZE = 4096 };

static char *allocate(hipStream_t stream) {
    void *bytes;
    OK(hipMallocAsync(&bytes, SIZE, stream));
    return bytes;
}

static void a_stream_uses_again_what_it_freed(void) {
    hipStream_t s = non_blocking();
    char *bytes = allocate(s);
    hold(s, 0);
    OK(hipFreeAsync(bytes, s));
    CHECK(allocate(s) == bytes); // while the free is still to come
}
static void another_stream_waits_for_the_free(void) {
    hipStream_t s = non_blocking(), other = non_blocking();
    char *bytes = allocate(s);
    hold(s, 0);
    OK(hipFreeAsync(bytes, s));
    CHECK(allocate(other) != bytes);
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(allocate(other) == bytes);
}
static void a_free_is_in_order(void) {
    hipStream_t s = non_blocking();
    char *bytes = allocate(s);
    OK(hipMemsetAsync(bytes, 1, SIZE, s));
    OK(hipStreamSynchronize(s));
    hold(s, 0);
    OK(hipFreeAsync(bytes, s));
    CHECK(stays(bytes, 1));
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(*bytes != 1);
    IS(hipFreeAsync(bytes, s), hipErrorInvalidValue);
    IS(hipFreeAsync(NULL, s), hipErrorInvalidValue);
}
static void an_allocation_puts_nothing_in_order(void) {
    hipStream_t s = blocking();
    hold(NULL, 0);
    allocate(s);
    OK(hipStreamSynchronize(s));
}

static void free_device(void *bytes) { OK(hipFree(bytes)); }
static void free_async(void *bytes) { OK(hipFreeAsync(bytes, NULL)); }
static void a_plain_free_of_it_waits(void) {
    hipStream_t s = non_blocking();
    char *bytes = allocate(s);
    hold(s, 0);
    must_block(free_device, bytes);
    CHECK(allocate(s) == bytes);
}
static void an_async_free_of_plain_memory_waits(void) {
    char *bytes = device_bytes(SIZE, 0);
    hold(non_blocking(), 0);
    must_block(free_async, bytes);
}

static void pools_are_counted(void) {
    hipMemPool_t own, usual, current;
    hipMemPoolProps props = {.allocType = 1, .location = {hipMemLocationTypeDevice, 1}};
    uint64_t used = 9, reserved = 9, threshold = 7;
    void *bytes;
    OK(hipMemPoolCreate(&own, &props));
    OK(hipDeviceGetDefaultMemPool(&usual, 1));
    OK(hipDeviceGetMemPool(&current, 1));
    CHECK(own != usual && current == usual);
    OK(hipMallocFromPoolAsync(&bytes, SIZE, own, NULL));
    hipPointerAttribute_t what;
    OK(hipPointerGetAttributes(&what, bytes));
    CHECK(what.type == hipMemoryTypeDevice && what.device == 1);
    OK(hipMemPoolGetAttribute(own, hipMemPoolAttrUsedMemCurrent, &used));
    CHECK(used == SIZE);
    OK(hipFreeAsync(bytes, NULL));
    OK(hipStreamSynchronize(NULL));
    OK(hipMemPoolGetAttribute(own, hipMemPoolAttrUsedMemCurrent, &used));
    OK(hipMemPoolGetAttribute(own, hipMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(!used && reserved == SIZE);
    OK(hipMemPoolTrimTo(own, 0));
    OK(hipMemPoolGetAttribute(own, hipMemPoolAttrReservedMemCurrent, &reserved));
    CHECK(!reserved);
    OK(hipMemPoolSetAttribute(own, hipMemPoolAttrReleaseThreshold, &threshold));
    OK(hipMemPoolGetAttribute(own, hipMemPoolAttrReleaseThreshold, &used));
    CHECK(used == 7);
    IS(hipDeviceSetMemPool(0, own), hipErrorInvalidValue);
    OK(hipDeviceSetMemPool(1, own));
    OK(hipDeviceGetMemPool(&current, 1));
    CHECK(current == own);
    OK(hipMemPoolDestroy(own));
    IS(hipMemPoolDestroy(usual), hipErrorInvalidValue);
    OK(hipDeviceGetMemPool(&current, 1));
    CHECK(current == usual);
}

static void captured_allocations_live_with_the_graph(void) {
    hipStream_t s = non_blocking();
    hipGraph_t graph;
    hipGraphExec_t exec;
    OK(hipStreamBeginCapture(s, hipStreamCaptureModeGlobal));
    char *bytes = allocate(s);
    OK(hipMemsetAsync(bytes, 1, SIZE, s));
    OK(hipFreeAsync(bytes, s));
    OK(hipStreamEndCapture(s, &graph));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, s));
    OK(hipStreamSynchronize(s));
    CHECK(*bytes == 1);
    OK(hipGraphDestroy(graph));
    CHECK(*bytes != 1);
}

const struct rule pool_rules[] = {
    RULE(a_stream_uses_again_what_it_freed),
    RULE(another_stream_waits_for_the_free),
    RULE(a_free_is_in_order),
    RULE(an_allocation_puts_nothing_in_order),
    RULE(a_plain_free_of_it_waits),
    RULE(an_async_free_of_plain_memory_waits),
    RULE(pools_are_counted),
    RULE(captured_allocations_live_with_the_graph),
    {0},
};
