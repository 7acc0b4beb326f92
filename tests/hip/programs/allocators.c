// A program's own caching allocator hands out a block again in the order of the block's own stream,
// while another stream still uses it. To HIP, and to the trace, it is one allocation all the time.
#include "program.h"

static uint32_t *kept;
static uint32_t *take(void) {
    uint32_t *block = kept ? kept : device_words(WORDS);
    kept = NULL;
    return block;
}
static void give_back(uint32_t *block) { kept = block; }

static void handed_over(hipStream_t from, hipStream_t to) {
    hipEvent_t event = new_event();
    record(event, from);
    wait_for(to, event);
}

// Stashed by a copy in a side stream; the next activation gets the block at once.
static void stash(bool fixed) {
    hipStream_t main_stream = new_stream(), side = new_stream();
    uint32_t *host = pinned_words(WORDS), *block = take();
    fill(main_stream, block, 1);
    handed_over(main_stream, side);
    busy(side, 8000);
    download(side, host, block);
    if (fixed)
        handed_over(side, main_stream);
    give_back(block);
    fill(main_stream, take(), 2);
    drain(side);
    print_words("stash", host, WORDS);
}

// A gradient is reduced in place in the stream of the collectives when its block is used again.
static void reduced(bool fixed) {
    hipStream_t worker = new_stream(), collective = new_stream();
    uint32_t *flat = take();
    fill(worker, flat, 1);
    handed_over(worker, collective);
    busy(collective, 8000);
    add(collective, flat, 10);
    if (fixed)
        handed_over(collective, worker);
    give_back(flat);
    uint32_t *next = take();
    fill(worker, next, 2);
    if (!fixed)
        handed_over(collective, worker);
    print_device("next", worker, next, WORDS);
}

// The wait orders the work; what frees the block does not ask for it.
static void indices(bool fixed) {
    hipStream_t schedule = new_stream(), forward = new_stream();
    uint32_t *index = take(), *out = device_words(WORDS);
    fill(schedule, index, 1);
    handed_over(schedule, forward);
    busy(forward, 8000);
    pass(forward, index, out);
    if (fixed)
        handed_over(forward, schedule);
    give_back(index);
    fill(schedule, take(), 2);
    print_device("out", forward, out, WORDS);
}

const struct scenario scenarios[] = {
    {"torchrec-ems-record-stream", stash},
    {"pytorch-ddp-nccl-flatten", reduced},
    {"sglang-mix-indices", indices},
    {NULL, NULL},
};
