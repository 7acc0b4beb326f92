// Boxes of rows and slices in a GPU API's memory, and copies between them.
#pragma once
#include "api_call.h"

struct api_position {
    size_t x, y, z;
};
struct api_extent {
    size_t width, height, depth;
};
struct api_pitched {
    void *ptr;
    size_t pitch, xsize, ysize;
};
struct api_block {
    char *start; // null: an array, which is opaque
    size_t pitch, slice;
};

// What has no pitch or no height of its own is as wide or high as the copy.
struct api_block api_block_of(const struct api_pitched *memory, struct api_position at,
                              struct api_extent extent);
// Bytes from its start to its end.
size_t api_block_span(struct api_block block, struct api_extent extent);
// On the call's stream.
void api_copy_blocks(struct api_call *call, struct api_block to, struct api_block from,
                     struct api_extent extent, enum api_waits waits);
void api_copy_blocks_on(struct api_call *call, struct api_block to, struct api_block from,
                        struct api_extent extent, void *stream, enum api_waits waits);
// Its ranges alone, where its kind is known; whether there is anything to copy.
bool api_note_blocks(struct api_call *call, struct api_block to, struct api_block from,
                     struct api_extent extent, enum api_waits waits);
// What is done (API_READS, API_WRITES) with one of them.
void api_note_block(struct api_call *call, struct api_block block, struct api_extent extent,
                    uint64_t how);
// A null end is the array's.
void api_copy_array_on(struct api_call *call, void *to, const void *from, size_t width,
                       size_t pitch, size_t height, void *stream, enum api_waits waits);
