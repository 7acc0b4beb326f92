// A kernel reads the first half of pinned memory in place, while the host writes somewhere in it:
//
//     halves WHERE race|fixed
#include "program.h"

static void rewritten(bool fixed, size_t word) {
    uint32_t *halves = pinned_words(2 * WORDS), *out = device_words(WORDS);
    hipStream_t stream = new_stream();
    set_words(halves, 1);
    set_words(halves + WORDS, 2);
    pass(stream, halves, out);
    if (fixed)
        drain(stream);
    *(volatile uint32_t *)(halves + word) = 7;
    drain(stream);
    OK(hipHostFree(halves));
}

static void first_word(bool fixed) { rewritten(fixed, 0); }
static void first_half(bool fixed) { rewritten(fixed, 100); }
// Right without any wait: but that the kernel reads no further, its arguments do not say.
static void second_half(bool fixed) { rewritten(fixed, WORDS); }

const struct scenario scenarios[] = {
    {"first_word", first_word}, {"first_half", first_half}, {"second_half", second_half}, {0}};
