// HIP 5, whose structs and numbers of types are other ones: copies that the driver's structs
// describe, and a graph whose nodes are asked for.
#include "program.h"

enum { OLD_HOST, OLD_DEVICE };

static HIP_MEMCPY3D_of_5 box(const uint32_t *from, uint32_t *to) {
    // 16 bytes of each of 2 rows of 2 slices, from row 1 and slice 1 on. What counts is the type.
    return (HIP_MEMCPY3D_of_5){.srcXInBytes = 16,
                               .srcY = 1,
                               .srcZ = 1,
                               .srcMemoryType = (hipMemoryType)OLD_HOST,
                               .srcHost = from,
                               .srcDevice = to,
                               .srcPitch = 64,
                               .srcHeight = 4,
                               .dstMemoryType = (hipMemoryType)OLD_DEVICE,
                               .dstHost = (void *)from,
                               .dstDevice = to,
                               .dstPitch = 16,
                               .dstHeight = 2,
                               .WidthInBytes = 16,
                               .Height = 2,
                               .Depth = 2};
}

static void boxes(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *host = pinned_words(WORDS), *out = device_words(WORDS);
    (void)fixed;
    set_words(host, 1);
    HIP_MEMCPY3D_of_5 copy = box(host, out);
    OK(hipDrvMemcpy3D((const void *)&copy));
    copy.dstHeight = 0; // as high as the copy
    OK(hipDrvMemcpy3DAsync((const void *)&copy, stream));
    drain(stream);
    print_device("out", stream, out, 20);
}

static void rows(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *host = pinned_words(WORDS), *out = device_words(WORDS);
    (void)fixed;
    set_words(host, 1);
    hip_Memcpy2D copy = {.srcMemoryType = (hipMemoryType)OLD_HOST,
                         .srcHost = host,
                         .srcDevice = out,
                         .srcPitch = 64,
                         .dstMemoryType = (hipMemoryType)OLD_DEVICE,
                         .dstHost = host,
                         .dstDevice = out,
                         .dstPitch = 16,
                         .WidthInBytes = 16,
                         .Height = 4};
    OK(hipMemcpyParam2D(&copy));
    OK(hipMemcpyParam2DAsync(&copy, stream));
    drain(stream);
    print_device("out", stream, out, 20);
}

// Nodes of a capture are known by their order, if their types are those of what was captured.
static void asked(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *host = pinned_words(WORDS), *out = device_words(WORDS), *other = device_words(WORDS);
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t nodes[4];
    size_t count = 4;
    (void)fixed;
    set_words(host, 1);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    upload(stream, out, host);
    OK(hipMemsetAsync(other, 0, BYTES, stream));
    pass(stream, out, other);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphGetNodes(graph, nodes, &count));
    OK(hipGraphMemcpyNodeSetParams1D(nodes[0], other, host, BYTES, hipMemcpyHostToDevice));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, stream));
    drain(stream);
    print_device("other", stream, other, WORDS);
}

const struct scenario scenarios[] = {
    {"boxes", boxes}, {"rows", rows}, {"asked", asked}, {NULL, NULL}};
