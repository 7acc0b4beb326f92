// Rules of kernels, values and batches.
#include "rules.h"
#include <stdlib.h>
#include <string.h>

static const dim3 ONE = {1, 1, 1};
static void stub(void) {}
static void other_stub(void) {}

static void add(void **arguments, dim3 grid, dim3 block) { // to each byte, as many as threads
    char *bytes = *(char **)arguments[0], by = *(char *)arguments[1];
    for (unsigned i = 0; i < grid.x * block.x; i++)
        bytes[i] = (char)(bytes[i] + by);
}
static const size_t SIZES[] = {sizeof(char *), 1};

static void arguments_are_taken_at_the_call(void) {
    hipStream_t s = non_blocking();
    char *bytes = device_bytes(8, 1), by = 2;
    void *arguments[] = {&bytes, &by};
    standin_kernel((void *)stub, add, 2, SIZES);
    hold(s, 0);
    OK(hipLaunchKernel((void *)stub, (dim3){2, 1, 1}, (dim3){2, 1, 1}, arguments, 0, s));
    by = 9;
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(bytes[0] == 3 && bytes[3] == 3 && bytes[4] == 1);
}

static void every_way_to_launch(void) {
    char *bytes = device_bytes(1, 0), by = 1;
    void *arguments[] = {&bytes, &by};
    hipModule_t module;
    hipFunction_t named, of_stub;
    hipEvent_t start, stop;
    float ms;
    standin_kernel((void *)stub, add, 2, SIZES);
    standin_named_kernel("add", add, 2, SIZES);
    OK(hipLaunchKernel((void *)stub, ONE, ONE, arguments, 0, NULL));
    OK(hipLaunchCooperativeKernel((void *)stub, ONE, ONE, arguments, 0, NULL));
    OK(hipModuleLoadData(&module, "any image"));
    OK(hipModuleGetFunction(&named, module, "add"));
    OK(hipModuleLaunchKernel(named, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    struct {
        char *bytes, by;
    } buffer = {bytes, 1};
    size_t size = sizeof buffer;
    void *extra[] = {HIP_LAUNCH_PARAM_BUFFER_POINTER, &buffer, HIP_LAUNCH_PARAM_BUFFER_SIZE, &size,
                     HIP_LAUNCH_PARAM_END};
    OK(hipModuleLaunchKernel(named, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, extra));
    OK(hipGetFuncBySymbol(&of_stub, (void *)stub));
    OK(hipModuleLaunchKernel(of_stub, 1, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL));
    hipLaunchConfig_t config = {.gridDim = ONE, .blockDim = ONE};
    OK(hipLaunchKernelExC(&config, (void *)stub, arguments));
    OK(hipEventCreate(&start));
    OK(hipEventCreate(&stop));
    OK(hipExtLaunchKernel((void *)stub, ONE, ONE, arguments, 0, NULL, start, stop, 0));
    OK(hipEventSynchronize(stop));
    OK(hipEventElapsedTime(&ms, start, stop));
    CHECK(*bytes == 7);
}

static void the_compilers_calls(void) { // that stand behind <<<>>>
    char *bytes = device_bytes(4, 0), by = 1;
    dim3 grid, block;
    size_t shared;
    hipStream_t s = non_blocking(), back;
    void **module = __hipRegisterFatBinary("a fat binary");
    __hipRegisterFunction(module, (void *)other_stub, "named", "named", 0, NULL, NULL, NULL, NULL,
                          NULL);
    standin_named_kernel("named", add, 2, SIZES);
    OK(__hipPushCallConfiguration((dim3){4, 1, 1}, ONE, 16, s));
    OK(__hipPopCallConfiguration(&grid, &block, &shared, &back));
    CHECK(grid.x == 4 && block.x == 1 && shared == 16 && back == s);
    OK(hipLaunchKernel((void *)other_stub, grid, block, (void *[]){&bytes, &by}, shared, back));
    OK(hipStreamSynchronize(s));
    CHECK(!memcmp(bytes, "\1\1\1\1", 4));
    CHECK(!strcmp(hipKernelNameRefByPtr((void *)other_stub, s), "named"));
    __hipUnregisterFatBinary(module);
}

static void a_kernel_without_body_does_nothing(void) {
    char *bytes = device_bytes(4, 5);
    OK(hipLaunchKernel((void *)other_stub, ONE, ONE, (void *[]){&bytes}, 0, NULL));
    OK(hipDeviceSynchronize());
    CHECK(*bytes == 5);
}
static void launches_are_checked(void) {
    dim3 none = {0, 1, 1}, many = {2048, 1, 1};
    IS(hipLaunchKernel(NULL, ONE, ONE, NULL, 0, NULL), hipErrorInvalidDeviceFunction);
    IS(hipLaunchKernel((void *)stub, none, ONE, NULL, 0, NULL), hipErrorInvalidConfiguration);
    IS(hipLaunchKernel((void *)stub, ONE, many, NULL, 0, NULL), hipErrorInvalidConfiguration);
    IS(hipPeekAtLastError(), hipErrorInvalidConfiguration);
    IS(hipGetLastError(), hipErrorInvalidConfiguration);
    OK(hipGetLastError());
    CHECK(!strcmp(hipGetErrorName(hipErrorNotReady), "hipErrorNotReady"));
}

// --- Values ---

static void a_wait_is_for_the_value(void) {
    hipStream_t waiting = non_blocking(), writing = non_blocking();
    uint32_t *value = (uint32_t *)device_bytes(64, 0);
    OK(hipStreamWaitValue32(waiting, value, 5, hipStreamWaitValueGte, 0xff));
    int flag = raise_in(waiting);
    CHECK(is_held(flag));
    OK(hipStreamWriteValue32(writing, value, 4, 0));
    OK(hipStreamSynchronize(writing));
    CHECK(is_held(flag));
    OK(hipStreamWriteValue32(writing, value, 6, 0));
    runs(flag);
}
static void a_write_is_in_order(void) {
    hipStream_t s = non_blocking();
    uint64_t *value = (uint64_t *)device_bytes(64, 0);
    hold(s, 0);
    OK(hipStreamWriteValue64(s, value, 1ull << 40 | 1, 0));
    CHECK(stays((char *)value, 0));
    open_gate(0);
    OK(hipStreamSynchronize(s));
    CHECK(*value == (1ull << 40 | 1));
}
static void every_condition(void) {
    static const struct {
        unsigned flags;
        uint64_t seen, value, mask;
        bool met;
    } cases[] = {
        {hipStreamWaitValueGte, 5, 5, 255, true},
        {hipStreamWaitValueGte, 4, 5, 255, false},
        {hipStreamWaitValueEq, 0x105, 5, 255, true},
        {hipStreamWaitValueEq, 6, 5, 255, false},
        {hipStreamWaitValueAnd, 6, 4, 255, true},
        {hipStreamWaitValueAnd, 6, 1, 255, false},
        {hipStreamWaitValueNor, 1, 2, UINT32_MAX, true},
        {hipStreamWaitValueNor, 1, UINT32_MAX - 1, UINT32_MAX, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        hipStream_t s = non_blocking();
        uint32_t *value = (uint32_t *)device_bytes(64, 0);
        *value = (uint32_t)cases[i].seen;
        OK(hipStreamWaitValue32(s, value, (uint32_t)cases[i].value, cases[i].flags,
                                (uint32_t)cases[i].mask));
        int flag = raise_in(s);
        if (cases[i].met)
            runs(flag);
        else
            CHECK(is_held(flag));
    }
}
static void values_are_checked(void) {
    char *bytes = device_bytes(64, 0), here[8];
    IS(hipStreamWriteValue32(NULL, bytes + 1, 1, 0), hipErrorInvalidValue);
    IS(hipStreamWriteValue32(NULL, here, 1, 0), hipErrorInvalidValue);
    IS(hipStreamWaitValue32(NULL, bytes, 1, 9, 1), hipErrorInvalidValue);
    hipStreamBatchMemOpParams ops[] = {
        {.writeValue = {hipStreamMemOpWriteValue32, bytes, {.value = 3}, 0, NULL}},
        {.waitValue = {hipStreamMemOpWaitValue32, bytes, {.value = 3}, 0, NULL}},
    };
    OK(hipStreamBatchMemOp(NULL, 2, ops, 0));
    OK(hipStreamSynchronize(NULL));
    CHECK(*bytes == 3);
}

// --- Batches ---

enum { COPIES = 4 };
static void a_batch_is_in_order_as_a_whole(void) {
    hipStream_t s = non_blocking();
    char *to = device_bytes(COPIES, 0), *from = device_bytes(COPIES, 1);
    void *dsts[COPIES], *srcs[COPIES];
    size_t sizes[COPIES], failed = 0;
    for (int i = 0; i < COPIES; i++) {
        dsts[i] = to + i;
        srcs[i] = from + i;
        sizes[i] = 1;
    }
    hold(s, 0);
    OK(hipMemcpyBatchAsync(dsts, srcs, sizes, COPIES, NULL, NULL, 0, &failed, s));
    int flag = raise_in(s);
    CHECK(is_held(flag) && !to[0]);
    open_gate(0);
    runs(flag);
    CHECK(!memcmp(to, from, COPIES) && failed == SIZE_MAX);
    sizes[2] = 0;
    IS(hipMemcpyBatchAsync(dsts, srcs, sizes, COPIES, NULL, NULL, 0, &failed, s),
       hipErrorInvalidValue);
    CHECK(failed == 2);
    IS(hipMemcpyBatchAsync(dsts, srcs, sizes, COPIES, NULL, NULL, 0, &failed, NULL),
       hipErrorInvalidValue);
}

const struct rule kernel_rules[] = {
    RULE(arguments_are_taken_at_the_call),
    RULE(every_way_to_launch),
    RULE(the_compilers_calls),
    RULE(a_kernel_without_body_does_nothing),
    RULE(launches_are_checked),
    RULE(a_wait_is_for_the_value),
    RULE(a_write_is_in_order),
    RULE(every_condition),
    RULE(values_are_checked),
    RULE(a_batch_is_in_order_as_a_whole),
    {0},
};
