// The host writes the source of an asynchronous copy that the device has not reached yet.
#include "program.h"

// One staging buffer, a step behind another; what the fix waits for is the copy of the step before.
enum guard { EVENT, OWN_BUFFER };
static void steps(bool fixed, enum guard guard, int count) {
    hipStream_t stream = new_stream();
    hipEvent_t copied = new_event();
    uint32_t *staging[3] = {pinned_words(WORDS)};
    for (int i = 1; i < count; i++)
        staging[i] = fixed && guard == OWN_BUFFER ? pinned_words(WORDS) : staging[0];
    uint32_t *in = device_words(WORDS), *out = device_words((size_t)count * WORDS);
    for (int i = 0; i < count; i++) {
        if (fixed && guard == EVENT)
            host_waits(copied);
        set_words(staging[i], 1 + (uint32_t)i);
        upload(stream, in, staging[i]);
        record(copied, stream);
        pass(stream, in, out + i * WORDS);
    }
    print_device("out", stream, out, (size_t)count * WORDS);
}

static void input_overwritten(bool fixed) { steps(fixed, EVENT, 2); }
static void batch_queue(bool fixed) { steps(fixed, EVENT, 3); }
static void no_implicit_sync(bool fixed) { steps(fixed, EVENT, 2); }
static void sampling_buffer(bool fixed) { steps(fixed, OWN_BUFFER, 2); }
static void second_runner(bool fixed) { steps(fixed, EVENT, 3); }

// The source changes its meaning right behind the copy that ships the old one.
static void host_mutation(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *length = pinned_words(WORDS), *other = pinned_words(WORDS);
    uint32_t *in = device_words(WORDS), *out = device_words(WORDS);
    set_words(length, 4);
    upload(stream, in, length);
    set_words(fixed ? other : length, 1);
    pass(stream, in, out);
    print_device("out", stream, out, WORDS);
}

// One buffer of page numbers for all submissions: the kernel clears the wrong pages.
static void page_numbers(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *numbers = pinned_words(WORDS), *second = fixed ? pinned_words(WORDS) : numbers;
    uint32_t *in = device_words(WORDS), *memory = device_words(4 * WORDS);
    for (uint32_t page = 0; page < 4; page++)
        fill(stream, memory + page * WORDS, 7);
    set_words(numbers, 1);
    upload(stream, in, numbers);
    clear_pages(stream, in, memory);
    set_words(second, 2);
    upload(stream, in, second);
    clear_pages(stream, in, memory);
    print_device("pages", stream, memory, 4 * WORDS);
}

// Stream order holds copy behind copy, not the host behind the first.
static void staging_refilled(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *staging = pinned_words(2 * WORDS), *half = fixed ? staging + WORDS : staging;
    uint32_t *keys = device_words(WORDS), *values = device_words(WORDS);
    set_words(staging, 1);
    upload(stream, keys, staging);
    set_words(half, 2);
    upload(stream, values, half);
    print_device("keys", stream, keys, WORDS);
    print_device("values", stream, values, WORDS);
}

// Written while the copy is pending, and not copied again: told by synctrace.h, to the byte.
static void overlap(bool fixed) {
    hipStream_t stream = new_stream();
    uint32_t *source = pinned_words(WORDS), *in = device_words(WORDS), *out = device_words(WORDS);
    set_words(source, 1);
    upload(stream, in, source);
    pass(stream, in, out);
    if (fixed)
        drain(stream);
    synctrace_host_write(source, BYTES, "source");
    set_words(source, 2);
    print_device("out", stream, out, WORDS);
}

const struct scenario scenarios[] = {
    {"ggml-cpu-input-overwrite", input_overwritten},
    {"vllm-pp-batch-queue", batch_queue},
    {"vllm-pooling-no-implicit-sync", no_implicit_sync},
    {"trtllm-eagle-host-mutation", host_mutation},
    {"tokenspeed-sampling-buffer", sampling_buffer},
    {"kvblockzeroer-ids", page_numbers},
    {"hip-kv-staging-refill", staging_refilled},
    {"vllm-v2-runner-deadlock", second_runner},
    {"sycl-lead-mini-sglang", overlap},
    {NULL, NULL},
};
