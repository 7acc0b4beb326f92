// The host reads the destination of an asynchronous copy that may not have arrived. A load is no
// call of HIP: these programs tell it by synctrace.h, but for the variant that shows what is not
// told.
#include "program.h"
#include <stdio.h>

static uint32_t first_of(const uint32_t *host, size_t bytes) {
    synctrace_host_read(host, bytes, "result");
    return host[0];
}

static void early(bool fixed, size_t bytes) {
    hipStream_t stream = new_stream();
    uint32_t *device = device_words(WORDS), *host = pinned_words(WORDS);
    fill(stream, device, 5);
    OK(hipMemcpyAsync(host, device, bytes, hipMemcpyDeviceToHost, stream));
    if (fixed)
        drain(stream);
    printf("read: %u\n", first_of(host, bytes));
}

static void non_blocking(bool fixed) { early(fixed, BYTES); }
static void scalar(bool fixed) { early(fixed, 8); }
static void returned_variable(bool fixed) { early(fixed, 4); }

// The ids decide which work follows.
static void router_ids(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *ids = device_words(WORDS), *host = pinned_words(128), *out = device_words(WORDS);
    fill(stream, ids, 3);
    OK(hipMemcpyAsync(host, ids, 512, hipMemcpyDeviceToHost, stream));
    if (fixed)
        drain(stream);
    fill(stream, out, first_of(host, 512));
    print_device("expert", stream, out, WORDS);
}

// Set-up code that opens what an address names.
static void address(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *device = device_words(WORDS), *host = pinned_words(2);
    fill(stream, device, 17);
    OK(hipMemcpyAsync(host, device, 8, hipMemcpyDeviceToHost, stream));
    if (fixed)
        drain(stream);
    printf("address: %u\n", first_of(host, 8));
}

// A model moved to the host, used there at once; its device memory is freed behind that.
static void moved_model(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *weights = device_words(WORDS), *host = pinned_words(WORDS);
    fill(stream, weights, 9);
    download(stream, host, weights);
    if (fixed)
        drain(stream);
    printf("weight: %u\n", first_of(host, BYTES));
    OK(hipFree(weights));
}

// The same early read, of which the trace knows nothing.
static void untold(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *device = device_words(WORDS), *host = pinned_words(WORDS);
    fill(stream, device, 5);
    download(stream, host, device);
    if (fixed)
        drain(stream);
    printf("read: %u\n", host[0]);
}

const struct scenario scenarios[] = {
    {"pytorch-d2h-early", non_blocking},
    {"cudf-stack-target", returned_variable},
    {"ik-llama-d2h", router_ids},
    {"rccl-behaviour-change", address},
    {"inductor-d2h-item", scalar},
    {"invokeai-nonblocking-revert", moved_model},
    {"untold-read", untold},
    {NULL, NULL},
};
