// The device itself writes memory that an earlier copy in the same stream reads: no store of the
// host.
#include "program.h"
#include <unistd.h>

// Both are long done when the host looks at the source, before it waits.
static void filled(void (*fill)(hipStream_t stream, uint32_t *host)) {
    hipStream_t stream = new_stream();
    uint32_t *host = pinned_words(WORDS), *device = device_words(WORDS);
    set_words(host, 1);
    upload(stream, device, host);
    fill(stream, host);
    usleep(50000);
    drain(stream);
    print_device("device", stream, device, WORDS);
    print_words("host", host, WORDS);
}

static void linear(hipStream_t stream, uint32_t *host) {
    OK(hipMemsetAsync(host, 3, BYTES, stream));
}
static void rows(hipStream_t stream, uint32_t *host) {
    OK(hipMemset2DAsync(host, 256, 3, 128, BYTES / 256, stream));
}
static void slices(hipStream_t stream, uint32_t *host) {
    hipPitchedPtr block = {host, 256, 256, 4};
    OK(hipMemset3DAsync(block, 3, (hipExtent){128, 4, 4}, stream));
}

static void by_fill(bool fixed) {
    (void)fixed;
    filled(linear);
}
static void by_rows(bool fixed) {
    (void)fixed;
    filled(rows);
}
static void by_slices(bool fixed) {
    (void)fixed;
    filled(slices);
}

static void copied(hipStream_t stream, uint32_t *host) {
    uint32_t *other = pinned_words(WORDS);
    set_words(other, 3);
    OK(hipMemcpyAsync(host, other, BYTES, hipMemcpyHostToHost, stream));
}
static void by_copy(bool fixed) {
    (void)fixed;
    filled(copied);
}

// The second launch reads what the first one leaves there.
static void by_graph(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *host = pinned_words(WORDS), *device = device_words(WORDS);
    hipGraph_t graph;
    hipGraphExec_t exec;
    set_words(host, 1);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeGlobal));
    upload(stream, device, host);
    linear(stream, host);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, stream));
    usleep(20000);
    OK(hipGraphLaunch(exec, stream));
    drain(stream);
    print_device("device", stream, device, WORDS);
}

const struct scenario scenarios[] = {
    {"fill", by_fill},   {"rows", by_rows}, {"slices", by_slices},
    {"graph", by_graph}, {"copy", by_copy}, {NULL, NULL},
};
