// Two streams touch the same bytes, and no event orders them.
#include "program.h"

static void handed_over(hipEvent_t event, hipStream_t from, hipStream_t to) {
    record(event, from);
    wait_for(to, event);
}

// Correct only where both streams happen to be the same one.
static void decoder(bool fixed) {
    hipStream_t decode = new_stream(), convert = new_stream();
    uint32_t *frame = device_words(WORDS), *picture = device_words(WORDS);
    busy(decode, 4000);
    fill(decode, frame, 3);
    if (fixed)
        handed_over(new_event(), decode, convert);
    pass(convert, frame, picture);
    print_device("picture", convert, picture, WORDS);
}

// The default stream does not know of a non-blocking one.
static void transfer(bool fixed) {
    hipStream_t side = new_stream();
    uint32_t *host = pinned_words(WORDS), *weights = device_words(WORDS);
    uint32_t *out = device_words(WORDS);
    set_words(host, 4);
    busy(side, 4000);
    upload(side, weights, host);
    if (fixed)
        handed_over(new_event(), side, NULL);
    pass(NULL, weights, out);
    print_device("out", NULL, out, WORDS);
}

static void modified_in_place(bool fixed) {
    hipStream_t first = new_stream(), second = new_stream();
    uint32_t *data = device_words(WORDS);
    busy(first, 4000);
    fill(first, data, 1);
    if (fixed)
        handed_over(new_event(), first, second);
    add(second, data, 10);
    if (!fixed)
        handed_over(new_event(), first, second);
    print_device("data", second, data, WORDS);
}

static void three_streams(bool fixed) {
    hipStream_t stream[3] = {new_stream(), new_stream(), new_stream()};
    uint32_t *t0 = device_words(WORDS), *t1 = device_words(WORDS), *out = device_words(WORDS);
    busy(stream[0], 4000);
    fill(stream[0], t0, 6);
    if (fixed)
        handed_over(new_event(), stream[0], stream[1]);
    pass(stream[1], t0, t1);
    if (fixed)
        handed_over(new_event(), stream[1], stream[2]);
    pass(stream[2], t1, out);
    print_device("out", stream[2], out, WORDS);
}

static void overlapped_schedules(bool fixed) {
    hipStream_t first = new_stream(), second = new_stream();
    uint32_t *data = device_words(WORDS), *out = device_words(WORDS);
    busy(first, 4000);
    fill(first, data, 2);
    if (fixed)
        handed_over(new_event(), first, second);
    pass(second, data, out);
    print_device("out", second, out, WORDS);
}

const struct scenario scenarios[] = {
    {"torchcodec-nvdec-npp", decoder},           {"rocm-default-vs-transfer", transfer},
    {"csan-basic", modified_in_place},           {"cvcuda-tests", three_streams},
    {"lead-trtllm-10610", overlapped_schedules}, {NULL, NULL},
};
