// The default streams: the legacy one orders itself with blocking streams alone.
#include "program.h"

// A copy without a stream, between work in a stream that it does not order with.
static void null_copy(bool fixed) {
    hipStream_t user = new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *out = device_words(WORDS);
    busy(user, 4000);
    fill(user, a, 1);
    if (fixed)
        OK(hipMemcpyAsync(b, a, BYTES, hipMemcpyDeviceToDevice, user));
    else
        OK(hipMemcpy(b, a, BYTES, hipMemcpyDeviceToDevice));
    pass(user, b, out);
    print_device("out", user, out, WORDS);
}

static void forgotten_stream(bool fixed) {
    hipStream_t user = new_stream();
    uint32_t *x = device_words(WORDS), *y = device_words(WORDS), *out = device_words(WORDS);
    busy(user, 4000);
    fill(user, x, 1);
    pass(fixed ? user : NULL, x, y);
    pass(user, y, out);
    print_device("out", user, out, WORDS);
}

// The per-thread stream is a blocking one: ordered with the legacy stream, not with others.
static void per_thread(bool fixed) {
    hipStream_t user = fixed ? NULL : blocking_stream();
    uint32_t *x = device_words(WORDS), *out = device_words(WORDS);
    busy(hipStreamPerThread, 4000);
    fill(hipStreamPerThread, x, 1);
    pass(user, x, out);
    print_device("out", user, out, WORDS);
}

const struct scenario scenarios[] = {
    {"miopen-null-stream-copy", null_copy},
    {"fvdb-missing-stream-arg", forgotten_stream},
    {"per-thread-stream", per_thread},
    {NULL, NULL},
};
