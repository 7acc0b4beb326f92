// An allocator of the program's own hands out blocks of one allocation. race: it does not say so.
#include "program.h"

static uint32_t *block(uint32_t *from, bool told) {
    if (told)
        synctrace_block(from, BYTES);
    return from;
}

// Each stream writes a block of its own: no race, told or not.
static void neighbours(bool fixed) {
    uint32_t *chunk = device_words(2 * WORDS);
    uint32_t *one = block(chunk, fixed), *two = block(chunk + WORDS, fixed);
    hipStream_t first = new_stream(), second = new_stream();
    fill(first, one, 1);
    fill(second, two, 2);
    drain(first);
    drain(second);
}

// Two blocks handed out where one was, and a pointer into the middle of one.
static void split(bool fixed) {
    uint32_t *chunk = device_words(3 * WORDS);
    if (fixed)
        synctrace_block(chunk, 3 * BYTES);
    hipStream_t first = new_stream(), second = new_stream();
    fill(first, chunk, 1);
    drain(first);
    uint32_t *one = block(chunk, fixed), *two = chunk + WORDS;
    if (fixed)
        synctrace_block(two, 2 * BYTES);
    fill(first, one, 2);
    add(second, two + WORDS / 2, 0);
    drain(first);
    drain(second);
}

// The chunk is freed, and other memory takes its place: what it has is not known.
static void stale(bool fixed) {
    uint32_t *chunk = device_words(2 * WORDS);
    block(chunk, fixed);
    block(chunk + WORDS, fixed);
    OK(hipFree(chunk));
    uint32_t *next = device_words(2 * WORDS);
    if (next != chunk)
        OK(hipErrorUnknown);
    hipStream_t first = new_stream(), second = new_stream();
    fill(first, next, 1);
    fill(second, next + WORDS, 2);
    drain(first);
    drain(second);
}

// Told of plain memory, of nothing and too large: nothing happens, or as much as there is.
static void odd(bool fixed) {
    (void)fixed;
    static uint32_t plain[WORDS];
    uint32_t *chunk = device_words(2 * WORDS);
    synctrace_block(plain, BYTES);
    synctrace_block(NULL, BYTES);
    synctrace_block(chunk, 0);
    synctrace_block(chunk, SIZE_MAX);
    synctrace_block(chunk + WORDS, SIZE_MAX / 4);
    hipStream_t stream = new_stream();
    fill(stream, chunk, 1);
    add(stream, chunk + WORDS, 1);
    drain(stream);
}

const struct scenario scenarios[] = {
    {"neighbours", neighbours}, {"split", split}, {"stale", stale}, {"odd", odd}, {NULL, NULL}};
