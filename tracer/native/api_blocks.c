// Boxes of rows and slices, and copies between them, also of arrays.
#include "api_blocks.h"

struct api_block api_block_of(const struct api_pitched *memory, struct api_position at,
                              struct api_extent extent) {
    size_t pitch = memory->pitch ? memory->pitch : extent.width;
    size_t slice = pitch * (memory->ysize ? memory->ysize : extent.height);
    char *base = memory->ptr;
    return (struct api_block){base ? base + at.z * slice + at.y * pitch + at.x : NULL, pitch,
                              slice};
}

size_t api_block_span(struct api_block block, struct api_extent extent) {
    return (extent.depth - 1) * block.slice + (extent.height - 1) * block.pitch + extent.width;
}

// Slices that lie behind each other are rows like any; of others only where they end is told.
void api_note_block(struct api_call *call, struct api_block block, struct api_extent extent,
                    uint64_t how) {
    struct memory *memory = memory_named((uintptr_t)block.start);
    struct api_rows rows = {block.pitch, extent.width, extent.height * extent.depth};
    if (extent.depth <= 1 || block.slice == block.pitch * extent.height) {
        api_note(call,
                 api_range_of_rows(call->op.thread, memory, (uintptr_t)block.start, rows, how));
        return;
    }
    enum mode mode = (enum mode)(how >> 16 & 255);
    api_note(call, api_range(call->op.thread, memory, (uintptr_t)block.start,
                             api_block_span(block, extent),
                             API_HOW(mode, EXTENT_UPPER_BOUND, ORIGIN_ARGUMENT)));
}

static void note_end(struct api_call *call, struct api_block block, struct api_extent extent,
                     uint64_t how) {
    if (block.start)
        api_note_block(call, block, extent, how);
    else
        api_note(call, api_range_unknown(call->op.thread));
}

bool api_note_blocks(struct api_call *call, struct api_block to, struct api_block from,
                     struct api_extent extent, enum api_waits waits) {
    if (!extent.width || !extent.height || !extent.depth) {
        call->op.record.flags |= FLAG_NOOP;
        return false;
    }
    note_end(call, from, extent, API_READS);
    note_end(call, to, extent, API_WRITES);
    api_copy_sources(call, to.start, api_block_span(to, extent), from.start,
                     api_block_span(from, extent), waits);
    return true;
}

void api_copy_blocks(struct api_call *call, struct api_block to, struct api_block from,
                     struct api_extent extent, enum api_waits waits) {
    api_copy_kind(call, to.start, from.start, waits);
    api_note_blocks(call, to, from, extent, waits);
}

void api_copy_blocks_on(struct api_call *call, struct api_block to, struct api_block from,
                        struct api_extent extent, void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    api_copy_blocks(call, to, from, extent, waits);
}

void api_copy_array_on(struct api_call *call, void *to, const void *from, size_t width,
                       size_t pitch, size_t height, void *stream, enum api_waits waits) {
    api_copy_blocks_on(call, (struct api_block){to, pitch, 0},
                       (struct api_block){(char *)from, pitch, 0},
                       (struct api_extent){width, height ? height : 1, 1}, stream, waits);
}
