// A slot of a pipeline is filled again while a later stage still uses it.
#include "program.h"
#include <unistd.h>

// The copy index did not advance: the second copy goes where the other stream still reads.
static void same_slot(bool fixed) {
    hipStream_t copies = new_stream(), compute = new_stream();
    hipEvent_t copied = new_event(), consumed = new_event();
    uint32_t *host = pinned_words(WORDS), *slot = device_words(WORDS);
    uint32_t *out = device_words(2 * WORDS);
    for (uint32_t i = 0; i < 2; i++) {
        if (i) // the host's own buffer is waited for in both
            host_waits(copied);
        set_words(host, 1 + i);
        if (i && fixed)
            wait_for(copies, consumed);
        upload(copies, slot, host);
        record(copied, copies);
        wait_for(compute, copied);
        busy(compute, 4000);
        pass(compute, slot, out + i * WORDS);
        record(consumed, compute);
    }
    print_device("out", compute, out, 2 * WORDS);
}

// The graph reads one slot, and waits for the event of the other.
static void two_slots(bool fixed, bool in_one) {
    hipStream_t copies = new_stream(), compute = new_stream();
    hipEvent_t copied[2] = {new_event(), new_event()};
    uint32_t *slots = in_one ? device_words(2 * WORDS) : NULL;
    uint32_t *host = pinned_words(2 * WORDS), *out = device_words(WORDS);
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t *slot = in_one ? slots + i * WORDS : device_words(WORDS);
        set_words(host + i * WORDS, 1 + i);
        upload(copies, slot, host + i * WORDS);
        record(copied[i], copies);
        if (i == 0 || fixed)
            wait_for(compute, copied[i]);
        pass(compute, slot, out);
        busy(copies, 4000);
    }
    print_device("out", compute, out, WORDS);
}

static void wrong_event(bool fixed) { two_slots(fixed, false); }
// How far a kernel reads in an allocation is not known: the other slot may be meant.
static void one_allocation(bool fixed) { two_slots(fixed, true); }

// One buffer for the results of all steps; the host reads it one step late.
static void one_target(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t arrived = new_event();
    uint32_t *data = device_words(WORDS), *host = pinned_words(WORDS);
    uint32_t *second = fixed ? pinned_words(WORDS) : host;
    fill(stream, data, 1);
    download(stream, host, data);
    record(arrived, stream);
    fill(stream, data, 2);
    download(stream, second, data);
    host_waits(arrived);
    usleep(20000); // the host is late
    synctrace_host_read(host, BYTES, "step");
    print_words("step", host, WORDS);
    drain(stream);
}

const struct scenario scenarios[] = {
    {"ggml-pipeline-graph-reuse", same_slot},
    {"ggml-cur-copy-advanced", wrong_event},
    {"lead-vllm-39568", one_target},
    {"one-allocation", one_allocation},
    {NULL, NULL},
};
