// HIP's copies and fills of rows and slices, and those with an array at an end.
#include "api_blocks.h"
#include "hip_calls.h"
#include "hip_version.h"

struct copy_3d { // hipMemcpy3DParms
    void *from_array;
    struct api_position from_at;
    struct api_pitched from;
    void *to_array;
    struct api_position to_at;
    struct api_pitched to;
    struct api_extent extent;
    int kind;
};

void hip_copy_3d(struct api_call *call, const void *parameters, void *stream,
                 enum api_waits waits) {
    const struct copy_3d *copy = parameters;
    if (!copy)
        return;
    struct api_block none = {NULL, 0, 0};
    api_copy_blocks_on(
        call, copy->to_array ? none : api_block_of(&copy->to, copy->to_at, copy->extent),
        copy->from_array ? none : api_block_of(&copy->from, copy->from_at, copy->extent),
        copy->extent, stream, waits);
}

struct end_3d {
    size_t x, y, z, level;
    int type;
    void *host, *device, *array;
    size_t pitch, height;
};
struct copy_drv_3d { // HIP_MEMCPY3D since HIP 6
    struct end_3d from, to;
    struct api_extent extent;
};

struct old_end_3d {
    unsigned x, y, z, level;
    int type;
    void *host, *device, *array;
    unsigned pitch, height;
};
struct old_copy_drv_3d { // HIP_MEMCPY3D of HIP 5
    struct old_end_3d from, to;
    unsigned width, height, depth;
};

static struct end_3d newer_end(const struct old_end_3d *end) {
    return (struct end_3d){end->x,    end->y,      end->z,     end->level, end->type,
                           end->host, end->device, end->array, end->pitch, end->height};
}

static struct copy_drv_3d newer_copy(const struct old_copy_drv_3d *copy) {
    return (struct copy_drv_3d){
        newer_end(&copy->from), newer_end(&copy->to), {copy->width, copy->height, copy->depth}};
}

static struct api_block block_of_end(const struct end_3d *end, struct api_extent extent) {
    void *base = hip_end_base(end->type, end->host, end->device, end->array);
    struct api_pitched memory = {base, end->pitch, 0, end->height};
    return api_block_of(&memory, (struct api_position){end->x, end->y, end->z}, extent);
}

void hip_copy_drv_3d(struct api_call *call, const void *parameters, void *stream,
                     enum api_waits waits) {
    if (!parameters)
        return;
    struct copy_drv_3d copy =
        hip_major() <= 5 ? newer_copy(parameters) : *(const struct copy_drv_3d *)parameters;
    api_copy_blocks_on(call, block_of_end(&copy.to, copy.extent),
                       block_of_end(&copy.from, copy.extent), copy.extent, stream, waits);
}

void hip_set_3d(struct api_call *call, struct api_pitched to, struct api_extent extent,
                void *stream, enum api_waits waits) {
    struct api_block block = api_block_of(&to, (struct api_position){0, 0, 0}, extent);
    api_on_stream(call, stream);
    if (!extent.width || !extent.height || !extent.depth) {
        call->op.record.flags |= FLAG_NOOP;
        return;
    }
    api_note_block(call, block, extent, API_WRITES);
    api_set_target(call, to.ptr, api_block_span(block, extent), waits);
}

struct copy_3d_peer { // hipMemcpy3DPeerParms
    void *from_array;
    struct api_position from_at;
    struct api_pitched from;
    int from_device;
    void *to_array;
    struct api_position to_at;
    struct api_pitched to;
    int to_device;
    struct api_extent extent;
};

void hip_copy_3d_peer(struct api_call *call, const void *parameters, void *stream,
                      enum api_waits waits) {
    const struct copy_3d_peer *copy = parameters;
    api_on_stream(call, stream);
    if (!copy)
        return;
    struct api_block none = {NULL, 0, 0};
    struct api_block to =
        copy->to_array ? none : api_block_of(&copy->to, copy->to_at, copy->extent);
    struct api_block from =
        copy->from_array ? none : api_block_of(&copy->from, copy->from_at, copy->extent);
    if (api_note_blocks(call, to, from, copy->extent, waits))
        api_peers(call, to.start, copy->to_device, from.start, copy->from_device, waits);
}
