// Memory that the host may store into in flight and that is not looked at.
#include "program.h"

static void managed(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *device = device_words(WORDS);
    void *memory;
    (void)fixed;
    OK(hipMallocManaged(&memory, BYTES, hipMemAttachGlobal));
    pass(stream, memory, device);
    OK(hipMemcpyAsync(device, memory, BYTES / 2, hipMemcpyDefault, stream));
    drain(stream);
}

static void write_combined(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *device = device_words(WORDS);
    void *memory;
    (void)fixed;
    OK(hipHostMalloc(&memory, BYTES, hipHostMallocWriteCombined));
    pass(stream, memory, device);
    drain(stream);
}

// Of an address that HIP never heard of, a device that reads the host's pages takes it all the
// same.
static void unregistered(bool fixed) {
    static uint32_t host[WORDS];
    hipStream_t stream = new_stream();
    uint32_t *device = device_words(WORDS);
    (void)fixed;
    pass(stream, host, device);
    OK(hipMemcpyAsync(device, host, BYTES, hipMemcpyDefault, stream));
    OK(hipMemcpyAsync(host, device, BYTES, hipMemcpyDefault, stream));
    drain(stream);
}

const struct scenario scenarios[] = {
    {"managed", managed},
    {"write-combined", write_combined},
    {"unregistered", unregistered},
    {NULL, NULL},
};
