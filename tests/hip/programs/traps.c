// Programs that are right as they are, each a trap for a checker that is not careful. Their `race`
// is what the same shape would be without the order that makes it right.
#include "program.h"
#include <stdlib.h>
#include <unistd.h>

// The next launch writes what the copy before it reads: in one stream that is an order.
static void same_stream(bool fixed) {
    hipStream_t stream = new_stream(), other = fixed ? stream : new_stream();
    hipGraph_t graph;
    hipGraphExec_t exec;
    uint32_t *logits = device_words(WORDS), *host = pinned_words(WORDS);
    fill(stream, logits, 0);
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    add(stream, logits, 1);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, stream));
    busy(stream, 8000);
    download(stream, host, logits);
    OK(hipGraphLaunch(exec, other));
    drain(stream);
    print_words("logits", host, WORDS);
}

// Between work in a blocking stream and work in the legacy one there is order, both ways.
static void legacy(bool fixed) {
    hipStream_t stream = fixed ? blocking_stream() : new_stream();
    uint32_t *x = device_words(WORDS), *y = device_words(WORDS);
    busy(stream, 4000);
    fill(stream, x, 1);
    pass(NULL, x, y);
    pass(stream, y, x);
    print_device("x", stream, x, WORDS);
}

static uint32_t *source(bool pageable) { return pageable ? malloc(BYTES) : pinned_words(WORDS); }

// A pageable source is read within the call.
static void pageable(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *host = source(fixed), *in = device_words(WORDS), *out = device_words(2 * WORDS);
    for (uint32_t i = 0; i < 2; i++) {
        set_words(host, 1 + i);
        upload(stream, in, host);
        pass(stream, in, out + i * WORDS);
    }
    print_device("out", stream, out, 2 * WORDS);
}

static void pageable_freed(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *host = source(fixed), *in = device_words(WORDS), *out = device_words(WORDS);
    set_words(host, 1);
    busy(stream, 4000);
    upload(stream, in, host);
    if (fixed)
        free(host);
    else // a block of the program's own that the next one writes
        set_words(host, 2);
    pass(stream, in, out);
    print_device("out", stream, out, WORDS);
}

static uint32_t *from_pool(hipStream_t stream) {
    void *block;
    OK(hipMallocAsync(&block, BYTES, stream));
    return block;
}

// A pool's block freed and taken again in one stream.
static void pool_same_stream(bool fixed) {
    hipStream_t stream = new_stream(), other = fixed ? stream : new_stream();
    uint32_t *block = from_pool(stream);
    busy(stream, 4000);
    fill(stream, block, 1);
    OK(hipFreeAsync(block, other));
    uint32_t *again = from_pool(other);
    fill(other, again, 2);
    if (!fixed)
        usleep(20000);
    print_device("again", other, again, WORDS);
}

// Freed in one stream and taken in another that has waited for the free.
static void pool_event(bool fixed) {
    hipStream_t first = new_stream(), second = new_stream();
    hipEvent_t freed = new_event();
    uint32_t *block = from_pool(first);
    busy(first, fixed ? 0 : 4000);
    fill(first, block, 1);
    if (fixed) {
        OK(hipFreeAsync(block, first));
        record(freed, first);
        wait_for(second, freed);
    } else {
        OK(hipFreeAsync(block, second));
    }
    uint32_t *again = from_pool(second);
    fill(second, again, 2);
    if (!fixed)
        usleep(20000);
    print_device("again", second, again, WORDS);
}

// A program's pinned blocks go to their next user when an event says that the copy is done.
static void pinned_cache(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t copied = new_event();
    uint32_t *block = pinned_words(WORDS), *in = device_words(WORDS);
    set_words(block, 1);
    busy(stream, 4000);
    upload(stream, in, block);
    record(copied, stream);
    while (fixed && hipEventQuery(copied) == hipErrorNotReady)
        ;
    set_words(block, 2);
    print_device("in", stream, in, WORDS);
}

// The first lap of a ring waits for events that were never recorded: nothing is missing.
static void first_lap(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t slot[2] = {new_event(), new_event()};
    uint32_t *ring = pinned_words(2 * WORDS), *in = device_words(3 * WORDS);
    for (uint32_t i = 0; i < 3; i++) {
        if (fixed || i < 2)
            host_waits(slot[i % 2]);
        set_words(ring + i % 2 * WORDS, 1 + i);
        upload(stream, in + i * WORDS, ring + i % 2 * WORDS);
        record(slot[i % 2], stream);
    }
    print_device("in", stream, in, 3 * WORDS);
}

// One half of a block is written while the other is copied.
static void halves(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *block = pinned_words(2 * WORDS), *in = device_words(2 * WORDS);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t *part = block + (fixed ? i * WORDS : 0);
        set_words(part, 1 + i);
        upload(stream, in + i * WORDS, part);
    }
    print_device("in", stream, in, 2 * WORDS);
}

// The consumer is in the stream of the copy.
static void same_stream_consumer(bool fixed) {
    hipStream_t stream = new_stream(), other = fixed ? stream : new_stream();
    uint32_t *a = device_words(WORDS), *b = device_words(WORDS), *out = device_words(WORDS);
    busy(stream, 4000);
    fill(stream, a, 1);
    OK(hipMemcpyAsync(b, a, BYTES, hipMemcpyDeviceToDevice, stream));
    pass(other, b, out);
    print_device("out", other, out, WORDS);
    if (!fixed)
        drain(stream);
}

const struct scenario scenarios[] = {
    {"same-stream-d2h-then-reuse", same_stream},
    {"legacy-default-implicit", legacy},
    {"pageable-staged", pageable},
    {"pageable-local-freed", pageable_freed},
    {"mallocasync-same-stream-reuse", pool_same_stream},
    {"mallocasync-event-reuse", pool_event},
    {"pinned-cache-events", pinned_cache},
    {"unrecorded-event-first-lap", first_lap},
    {"disjoint-slices", halves},
    {"nonblocking-same-stream-consumer", same_stream_consumer},
    {NULL, NULL},
};
