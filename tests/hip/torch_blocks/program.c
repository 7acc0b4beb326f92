// Two blocks of one allocation, each written on a stream of its own. race: the allocator tells of
// blocks of the host, which are no business of a GPU's.
#include "program.h"
#include <dlfcn.h>
#include <stdlib.h>

static void neighbours(bool fixed) {
    void *library = dlopen(getenv("C10_CUDA"), RTLD_NOW | RTLD_LOCAL); // as Python does
    void *(*hand_out)(void *, size_t, int) =
        (void *(*)(void *, size_t, int))dlsym(library, "hand_out");
    void (*take_back)(void *, size_t) = (void (*)(void *, size_t))dlsym(library, "take_back");
    uint32_t *chunk = device_words(2 * WORDS);
    hipStream_t first = new_stream(), second = new_stream();
    for (int turn = 0; turn < 2; turn++) {
        uint32_t *one = hand_out(chunk, BYTES, fixed), *two = hand_out(chunk + WORDS, BYTES, fixed);
        fill(first, one, 1);
        fill(second, two, 2);
        drain(first);
        drain(second);
        take_back(one, BYTES);
        take_back(two, BYTES);
    }
}

const struct scenario scenarios[] = {{"neighbours", neighbours}, {NULL, NULL}};
