// CUDA's copies of rows and slices and between devices.
#include "cuda_calls.h"

// Numbers of CUmemorytype: of the three pointers of an end, which counts.
enum memory_type { TYPE_HOST = 1, TYPE_DEVICE = 2, TYPE_ARRAY = 3, TYPE_UNIFIED = 4 };

static void *base_of(int type, void *host, void *device) {
    return type == TYPE_HOST ? host : type == TYPE_ARRAY ? NULL : device;
}

struct end_2d {
    size_t x, y;
    int type;
    void *host, *device, *array;
    size_t pitch;
};
struct copy_2d { // CUDA_MEMCPY2D
    struct end_2d from, to;
    size_t width, height;
};
static_assert(sizeof(struct copy_2d) == 128, "CUDA_MEMCPY2D");

static struct api_block block_of_2d(const struct end_2d *end) {
    char *base = base_of(end->type, end->host, end->device);
    return (struct api_block){base ? base + end->y * end->pitch + end->x : NULL, end->pitch, 0};
}

void cuda_copy_2d(struct api_call *call, const void *parameters, void *stream,
                  enum api_waits waits) {
    const struct copy_2d *copy = parameters;
    api_on_stream(call, stream);
    if (copy)
        api_copy_blocks(call, block_of_2d(&copy->to), block_of_2d(&copy->from),
                        (struct api_extent){copy->width, copy->height, 1}, waits);
}

struct end_3d {
    size_t x, y, z, level;
    int type;
    void *host, *device, *array;
    void *context; // reserved where both ends are of the current one
    size_t pitch, height;
};
struct copy_3d { // CUDA_MEMCPY3D, CUDA_MEMCPY3D_PEER
    struct end_3d from, to;
    struct api_extent extent;
};
static_assert(sizeof(struct copy_3d) == 200, "CUDA_MEMCPY3D");

static struct api_block block_of_3d(const struct end_3d *end, struct api_extent extent) {
    struct api_pitched memory = {base_of(end->type, end->host, end->device), end->pitch, 0,
                                 end->height};
    return api_block_of(&memory, (struct api_position){end->x, end->y, end->z}, extent);
}

void cuda_copy_3d(struct api_call *call, const void *parameters, void *stream,
                  enum api_waits waits) {
    const struct copy_3d *copy = parameters;
    api_on_stream(call, stream);
    if (copy)
        api_copy_blocks(call, block_of_3d(&copy->to, copy->extent),
                        block_of_3d(&copy->from, copy->extent), copy->extent, waits);
}

void cuda_copy_3d_peer(struct api_call *call, const void *parameters, void *stream,
                       enum api_waits waits) {
    const struct copy_3d *copy = parameters;
    api_on_stream(call, stream);
    if (!copy)
        return;
    struct api_block to = block_of_3d(&copy->to, copy->extent),
                     from = block_of_3d(&copy->from, copy->extent);
    if (api_note_blocks(call, to, from, copy->extent, waits))
        api_peers(call, to.start, cuda_device_of(call, copy->to.context), from.start,
                  cuda_device_of(call, copy->from.context), waits);
}

void cuda_copy_peer(struct api_call *call, void *to, const void *to_context, const void *from,
                    const void *from_context, size_t size, void *stream, enum api_waits waits) {
    api_copy_peer_on(call, to, cuda_device_of(call, to_context), from,
                     cuda_device_of(call, from_context), size, stream, waits);
}
