// Boxes of rows and slices in HIP's memory, and copies between them.
#pragma once
#include "api_call.h"
#include "hip.h"

struct hip_position {
    size_t x, y, z;
};
struct hip_block {
    char *start; // null: an array, which is opaque
    size_t pitch, slice;
};

// What has no pitch or no height of its own is as wide or high as the copy.
struct hip_block hip_block_of(const struct hip_pitched *memory, struct hip_position at,
                              struct hip_extent extent);
// On the call's stream.
void hip_copy_blocks(struct api_call *call, struct hip_block to, struct hip_block from,
                     struct hip_extent extent, enum api_waits waits);
// Its ranges alone, where its kind is known; whether there is anything to copy.
bool hip_note_blocks(struct api_call *call, struct hip_block to, struct hip_block from,
                     struct hip_extent extent, enum api_waits waits);
