// The kernels of one code object by their names: where each one's map lies in the metadata.
#pragma once
#include "code_object.h"
#include "msgpack.h"

struct kernel_index {
    struct bytes metadata;
    uint64_t *slot; // by hash of the name: hash in the high, place in the metadata in the low half
    size_t slots;   // a power of two; 0: not made yet
};

enum code_state kernel_index_make(struct kernel_index *index, struct bytes metadata);
void kernel_index_free(struct kernel_index *index);
// True: `kernel` stands before its map.
bool kernel_index_find(const struct kernel_index *index, const char *name, struct msgpack *kernel);
