// HIP's copies and fills of rows and slices, and those with an array at an end.
#include "hip_blocks.h"
#include "hip_calls.h"

struct copy_3d { // hipMemcpy3DParms
    void *from_array;
    struct hip_position from_at;
    struct hip_pitched from;
    void *to_array;
    struct hip_position to_at;
    struct hip_pitched to;
    struct hip_extent extent;
    int kind;
};

struct hip_block hip_block_of(const struct hip_pitched *memory, struct hip_position at) {
    size_t slice = memory->pitch * memory->ysize;
    char *base = memory->ptr;
    return (struct hip_block){base ? base + at.z * slice + at.y * memory->pitch + at.x : NULL,
                              memory->pitch, slice};
}

static size_t span_of(struct hip_block block, struct hip_extent extent) {
    return (extent.depth - 1) * block.slice + (extent.height - 1) * block.pitch + extent.width;
}

// Slices that lie behind each other are rows like any; of others only where they end is told.
static void note_block(struct api_call *call, struct hip_block block, struct hip_extent extent,
                       uint32_t how) {
    struct memory *memory = memory_named((uintptr_t)block.start);
    struct api_rows rows = {block.pitch, extent.width, extent.height * extent.depth};
    if (extent.depth <= 1 || block.slice == block.pitch * extent.height) {
        api_note(call,
                 api_range_of_rows(call->op.thread, memory, (uintptr_t)block.start, rows, how));
        return;
    }
    enum mode mode = (enum mode)(how >> 16 & 255);
    api_note(call,
             api_range(call->op.thread, memory, (uintptr_t)block.start, span_of(block, extent),
                       API_HOW(mode, EXTENT_UPPER_BOUND, ORIGIN_ARGUMENT)));
}

static void note_end(struct api_call *call, struct hip_block block, struct hip_extent extent,
                     uint32_t how) {
    if (block.start)
        note_block(call, block, extent, how);
    else
        api_note(call, api_range_unknown(call->op.thread));
}

bool hip_note_blocks(struct api_call *call, struct hip_block to, struct hip_block from,
                     struct hip_extent extent, enum api_waits waits) {
    if (!extent.width || !extent.height || !extent.depth || (!to.start && !from.start)) {
        call->op.record.flags |= FLAG_NOOP;
        return false;
    }
    note_end(call, from, extent, API_READS);
    note_end(call, to, extent, API_WRITES);
    api_copy_sources(call, to.start, span_of(to, extent), from.start, span_of(from, extent), waits);
    return true;
}

void hip_copy_blocks(struct api_call *call, struct hip_block to, struct hip_block from,
                     struct hip_extent extent, enum api_waits waits) {
    api_copy_kind(call, to.start, from.start, waits);
    hip_note_blocks(call, to, from, extent, waits);
}

static void copy_blocks(struct api_call *call, struct hip_block to, struct hip_block from,
                        struct hip_extent extent, void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    hip_copy_blocks(call, to, from, extent, waits);
}

void hip_copy_3d(struct api_call *call, const void *parameters, void *stream,
                 enum api_waits waits) {
    const struct copy_3d *copy = parameters;
    if (!copy)
        return;
    struct hip_block none = {NULL, 0, 0};
    copy_blocks(call, copy->to_array ? none : hip_block_of(&copy->to, copy->to_at),
                copy->from_array ? none : hip_block_of(&copy->from, copy->from_at), copy->extent,
                stream, waits);
}

struct end_3d {
    size_t x, y, z, level;
    int type;
    void *host, *device, *array;
    size_t pitch, height;
};
struct copy_drv_3d { // HIP_MEMCPY3D since HIP 6
    struct end_3d from, to;
    struct hip_extent extent;
};

static struct hip_block block_of_end(const struct end_3d *end) {
    struct hip_pitched memory = {end->device ? end->device : end->host, end->pitch, 0, end->height};
    return end->array ? (struct hip_block){NULL, 0, 0}
                      : hip_block_of(&memory, (struct hip_position){end->x, end->y, end->z});
}

void hip_copy_drv_3d(struct api_call *call, const void *parameters, void *stream,
                     enum api_waits waits) {
    const struct copy_drv_3d *copy = parameters;
    if (copy)
        copy_blocks(call, block_of_end(&copy->to), block_of_end(&copy->from), copy->extent, stream,
                    waits);
}

void hip_copy_array(struct api_call *call, void *to, const void *from, size_t width, size_t pitch,
                    size_t height, void *stream, enum api_waits waits) {
    copy_blocks(call, (struct hip_block){to, pitch, 0}, (struct hip_block){(char *)from, pitch, 0},
                (struct hip_extent){width, height ? height : 1, 1}, stream, waits);
}

void hip_set_3d(struct api_call *call, struct hip_pitched to, struct hip_extent extent,
                void *stream, enum api_waits waits) {
    struct hip_block block = {to.ptr, to.pitch, to.pitch * to.ysize};
    api_on_stream(call, stream);
    if (!extent.width || !extent.height || !extent.depth) {
        call->op.record.flags |= FLAG_NOOP;
        return;
    }
    note_block(call, block, extent, API_WRITES);
    api_set_target(call, to.ptr, span_of(block, extent), waits);
}

struct copy_3d_peer { // hipMemcpy3DPeerParms
    void *from_array;
    struct hip_position from_at;
    struct hip_pitched from;
    int from_device;
    void *to_array;
    struct hip_position to_at;
    struct hip_pitched to;
    int to_device;
    struct hip_extent extent;
};

void hip_copy_3d_peer(struct api_call *call, const void *parameters, void *stream,
                      enum api_waits waits) {
    const struct copy_3d_peer *copy = parameters;
    api_on_stream(call, stream);
    if (!copy)
        return;
    struct hip_block none = {NULL, 0, 0};
    struct hip_block to = copy->to_array ? none : hip_block_of(&copy->to, copy->to_at);
    struct hip_block from = copy->from_array ? none : hip_block_of(&copy->from, copy->from_at);
    if (hip_note_blocks(call, to, from, copy->extent, waits))
        api_peers(call, to.start, copy->to_device, from.start, copy->from_device, waits);
}
