// Calls of several operations: batches of copies, launches on several devices, kernels of
// libraries.
#include "kernels_code.h"
#include "program.h"

// The copies of a batch are in no order among themselves.
static void batch(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *host = pinned_words(2 * WORDS), *a = device_words(WORDS), *b = device_words(WORDS);
    set_words(host, 1);
    set_words(host + WORDS, 2);
    OK(hipMemset(a, 0, BYTES));
    OK(hipMemset(b, 0, BYTES));
    OK(hipDeviceSynchronize());
    void *to[] = {a, b, b}, *from[] = {host, host + WORDS, a};
    size_t sizes[] = {BYTES, BYTES / 2, BYTES / 2}, failed;
    hipMemcpyAttributes attributes = {.srcAccessOrder = hipMemcpySrcAccessOrderStream};
    to[2] = b + WORDS / 2;
    size_t first = 0, together = fixed ? 2 : 3;
    OK(hipMemcpyBatchAsync(to, from, sizes, together, &attributes, &first, 1, &failed, stream));
    if (fixed) // the third reads what the first writes
        OK(hipMemcpyBatchAsync(to + 2, from + 2, sizes + 2, 1, &attributes, &first, 1, &failed,
                               stream));
    print_device("b", stream, b, WORDS);
}

// One that is refused has no elements.
static void refused(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    void *to[] = {device_words(WORDS), NULL}, *from[] = {device_words(WORDS), NULL};
    size_t sizes[] = {BYTES, BYTES}, failed, first = 0;
    hipMemcpyAttributes attributes = {.srcAccessOrder = hipMemcpySrcAccessOrderStream};
    hipError_t error =
        hipMemcpyBatchAsync(to, from, sizes, 2, &attributes, &first, 1, &failed, stream);
    if (error == hipSuccess)
        succeeded(hipErrorUnknown, "a batch without addresses");
    drain(stream);
}

static hipMemcpy3DOperand plain(void *memory, size_t row, size_t layer) {
    hipMemcpy3DOperand made = {.type = 1};
    made.op.ptr.ptr = memory;
    made.op.ptr.rowLength = row;
    made.op.ptr.layerHeight = layer;
    return made;
}

static void boxes(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *c = device_words(WORDS);
    fill(stream, a, 4);
    hipMemcpy3DBatchOp ops[] = {
        {plain(a, 256, 2), plain(b, 64, 0), {64, 2, 2}, hipMemcpySrcAccessOrderStream, 0},
        {plain(a, 0, 0), plain(c, 0, 0), {BYTES, 1, 1}, hipMemcpySrcAccessOrderStream, 0},
    };
    size_t failed;
    OK(hipMemcpy3DBatchAsync(2, ops, &failed, 0, stream));
    hipMemcpy3DPeerParms peer = {.srcPtr = {a, 256, 256, 4},
                                 .dstPtr = {b, 256, 256, 4},
                                 .srcDevice = 0,
                                 .dstDevice = 0,
                                 .extent = {16, 4, 1}};
    OK(hipMemcpy3DPeerAsync(&peer, stream));
    print_device("c", stream, c, WORDS);
}

static void know(hipFunction_t *function, hipKernel_t *kernel) {
    hipLibrary_t library;
    OK(hipLibraryLoadData(&library, code_object, NULL, NULL, 0, NULL, NULL, 0));
    OK(hipLibraryGetKernel(kernel, library, "fill"));
    OK(hipKernelGetFunction(function, *kernel));
}

// One op a launch; kernels by the handles of a library.
static void several(bool fixed) {
    (void)fixed;
    hipStream_t first = new_stream(), second = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), one = 1, two = 2;
    hipFunction_t function;
    hipKernel_t kernel;
    know(&function, &kernel);
    void *of_a[] = {&a, &one}, *of_b[] = {&b, &two};
    hipFunctionLaunchParams launches[] = {{.function = function,
                                           .gridDimX = 1,
                                           .gridDimY = 1,
                                           .gridDimZ = 1,
                                           .blockDimX = 1,
                                           .blockDimY = 1,
                                           .blockDimZ = 1,
                                           .hStream = first,
                                           .kernelParams = of_a},
                                          {.function = (hipFunction_t)kernel,
                                           .gridDimX = 1,
                                           .gridDimY = 1,
                                           .gridDimZ = 1,
                                           .blockDimX = 1,
                                           .blockDimY = 1,
                                           .blockDimZ = 1,
                                           .hStream = second,
                                           .kernelParams = of_b}};
    OK(hipModuleLaunchCooperativeKernelMultiDevice(launches, 2, 0));
    print_device("a", first, a, WORDS);
    print_device("b", second, b, WORDS);
}

// A kernel that may touch more than is kept of a call: by itself, and as a node of a graph.
static void crowded(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *memory = device_words(WORDS), *out = device_words(WORDS);
    struct parts parts = {.of = {NULL}};
    hipGraph_t graph;
    hipGraphExec_t exec;
    for (unsigned i = 0; i < (fixed ? 63 : PARTS); i++)
        parts.of[i] = memory + i;
    OK(hipMemset(memory, 0, BYTES));
    gather(stream, &parts, out);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    gather(stream, &parts, out);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, stream));
    print_device("out", stream, out, PARTS);
}

const struct scenario scenarios[] = {
    {"batch", batch},     {"refused", refused}, {"boxes", boxes},
    {"several", several}, {"crowded", crowded}, {NULL, NULL},
};
