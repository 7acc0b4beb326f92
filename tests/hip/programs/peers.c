// Copies between devices order their own stream alone.
#include "program.h"

static hipStream_t stream_on(int device) {
    OK(hipSetDevice(device));
    return new_stream();
}
static uint32_t *words_on(int device) {
    OK(hipSetDevice(device));
    return device_words(WORDS);
}
static hipEvent_t event_on(int device) {
    OK(hipSetDevice(device));
    return new_event();
}

// Issued in a stream of the destination, it does not wait for the fill of the source.
static void both_devices(bool fixed) {
    hipStream_t first = stream_on(0), second = stream_on(1);
    hipEvent_t filled = event_on(0);
    uint32_t *a = words_on(0), *b = words_on(1);
    OK(hipSetDevice(0));
    busy(first, 4000);
    fill(first, a, 1);
    record(filled, first);
    OK(hipSetDevice(1));
    if (fixed)
        wait_for(second, filled);
    OK(hipMemcpyPeerAsync(b, 1, a, 0, BYTES, second));
    print_device("b", second, b, WORDS);
}

// Two virtual devices on one GPU: the consumer's stream does not know of the copy.
static void virtual_devices(bool fixed) {
    hipStream_t producer = new_stream(), consumer = new_stream();
    hipEvent_t copied = new_event();
    uint32_t *x0 = device_words(WORDS), *x1 = device_words(WORDS), *out = device_words(WORDS);
    busy(producer, 4000);
    fill(producer, x0, 1);
    OK(hipMemcpyAsync(x1, x0, BYTES, hipMemcpyDeviceToDevice, producer));
    if (fixed) {
        record(copied, producer);
        wait_for(consumer, copied);
    }
    pass(consumer, x1, out);
    print_device("out", consumer, out, WORDS);
}

const struct scenario scenarios[] = {
    {"hip-memcpypeer-both", both_devices},
    {"ggml-virtual-device-copy", virtual_devices},
    {NULL, NULL},
};
