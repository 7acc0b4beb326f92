// Events that do not order what they seem to.
#include "program.h"
#include <unistd.h>

// The wait is refused, and nobody looks at what it returned.
static void refused_wait(bool fixed) {
    hipStream_t a = new_stream(), b = new_stream();
    hipEvent_t event = new_event();
    uint32_t *data = device_words(WORDS), *out = device_words(WORDS);
    busy(a, 4000);
    fill(a, data, 1);
    record(event, a);
    (void)hipStreamWaitEvent(b, event, fixed ? 0 : 0x40);
    pass(b, data, out);
    print_device("out", b, out, WORDS);
}

// An event of one device cannot be recorded in a stream of another; the slab goes to its next user.
static void other_device(bool fixed) {
    hipEvent_t event = fixed ? NULL : new_event();
    OK(hipSetDevice(1));
    if (fixed)
        event = new_event();
    hipStream_t stream = new_stream();
    uint32_t *slab = pinned_words(WORDS), *data = device_words(WORDS);
    set_words(slab, 1);
    upload(stream, data, slab);
    (void)hipEventRecord(event, stream);
    host_waits(event);
    set_words(slab, 2);
    print_device("data", stream, data, WORDS);
}

static void wait_first(bool fixed) {
    hipStream_t a = new_stream(), b = new_stream();
    hipEvent_t event = new_event();
    uint32_t *data = device_words(WORDS), *out = device_words(WORDS);
    if (!fixed)
        wait_for(a, event);
    busy(b, 4000);
    fill(b, data, 1);
    record(event, b);
    if (fixed)
        wait_for(a, event);
    pass(a, data, out);
    print_device("out", a, out, WORDS);
}

// Recorded on two streams: it stands for the last record alone.
static void two_streams(bool fixed) {
    hipStream_t a = new_stream(), b = new_stream(), c = new_stream();
    hipEvent_t event = new_event(), second = fixed ? new_event() : event;
    uint32_t *left = device_words(WORDS), *right = device_words(WORDS);
    uint32_t *out = device_words(2 * WORDS);
    busy(a, 6000);
    fill(a, left, 1);
    record(event, a);
    fill(b, right, 2);
    record(second, b);
    wait_for(c, second);
    if (fixed)
        wait_for(c, event);
    pass(c, left, out);
    pass(c, right, out + WORDS);
    print_device("out", c, out, 2 * WORDS);
}

// Recorded again behind the wait, which stays with the record of before.
static void recorded_again(bool fixed) {
    hipStream_t a = new_stream(), b = new_stream();
    hipEvent_t event = new_event();
    uint32_t *data = device_words(WORDS), *late = device_words(WORDS);
    uint32_t *out = device_words(WORDS);
    fill(a, data, 1);
    record(event, a);
    if (!fixed)
        wait_for(b, event);
    busy(a, 6000);
    fill(a, late, 2);
    record(event, a);
    if (fixed)
        wait_for(b, event);
    pass(b, late, out);
    print_device("out", b, out, WORDS);
}

// A query that says "not yet" is no wait; one that succeeds is.
static void query(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t copied = new_event();
    uint32_t *staging = pinned_words(WORDS), *data = device_words(WORDS);
    busy(stream, 4000);
    set_words(staging, 1);
    upload(stream, data, staging);
    record(copied, stream);
    while (hipEventQuery(copied) == hipErrorNotReady && fixed)
        usleep(500);
    set_words(staging, 2);
    print_device("data", stream, data, WORDS);
}

const struct scenario scenarios[] = {
    {"vulkan-events-not-submitted", refused_wait},
    {"cucascade-cross-device-event", other_device},
    {"wait-before-record", wait_first},
    {"one-event-two-streams", two_streams},
    {"recorded-again", recorded_again},
    {"query", query},
    {NULL, NULL},
};
