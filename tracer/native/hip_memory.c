// HIP's allocations, copies and fills.
#include "hip_calls.h"
#include "hip_version.h"

enum { HIP_HOST_MAPPED = 2, HIP_HOST_WRITE_COMBINED = 4 };

void hip_allocated_host(struct api_call *call, void *memory, size_t size, unsigned flags) {
    api_allocated(call, memory, size,
                  flags & HIP_HOST_WRITE_COMBINED ? MEMORY_KIND_WRITE_COMBINED
                  : flags & HIP_HOST_MAPPED       ? MEMORY_KIND_MAPPED
                                                  : MEMORY_KIND_PINNED);
}

void hip_allocated_3d(struct api_call *call, const void *pitched, struct hip_extent extent) {
    const struct hip_pitched *made = pitched;
    api_allocated(call, made->ptr, made->pitch * extent.height * extent.depth, MEMORY_KIND_DEVICE);
}

void hip_device_pointer(int rc, void **device, const void *host) {
    const struct memory *memory = rc ? NULL : memory_alive((uintptr_t)host);
    if (memory && *device != host && !memory_alive((uintptr_t)*device))
        memory_alias(memory, (uintptr_t)host, (uintptr_t)*device);
}

void hip_copy(struct api_call *call, void *to, const void *from, size_t size, void *stream,
              enum api_waits waits) {
    api_on_stream(call, stream);
    api_copy(call, to, size, from, size, size, 1, waits);
}

void hip_copy_peer(struct api_call *call, void *to, int to_device, const void *from,
                   int from_device, size_t size, void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    api_copy_peer(call, to, to_device, from, from_device, size, waits);
}

void hip_copy_2d(struct api_call *call, void *to, size_t to_pitch, const void *from,
                 size_t from_pitch, size_t width, size_t height, void *stream,
                 enum api_waits waits) {
    api_on_stream(call, stream);
    api_copy(call, to, to_pitch, from, from_pitch, width, height, waits);
}

struct end_2d { // of hip_Memcpy2D
    size_t x, y;
    int type;
    void *host, *device, *array;
    size_t pitch;
};
struct copy_2d {
    struct end_2d from, to;
    size_t width, height;
};

static void *start_2d(const struct end_2d *end) {
    char *base = hip_end_base(end->type, end->host, end->device, end->array);
    return base ? base + end->y * end->pitch + end->x : NULL;
}

void hip_copy_param_2d(struct api_call *call, const void *parameters, void *stream,
                       enum api_waits waits) {
    const struct copy_2d *copy = parameters;
    if (!copy)
        return;
    void *to = start_2d(&copy->to), *from = start_2d(&copy->from);
    if (to && from)
        hip_copy_2d(call, to, copy->to.pitch, from, copy->from.pitch, copy->width, copy->height,
                    stream, waits);
    else
        hip_copy_array(call, to, from, copy->width, to ? copy->to.pitch : copy->from.pitch,
                       copy->height, stream, waits);
}

void hip_copy_to_symbol(struct api_call *call, const void *symbol, size_t offset, const void *from,
                        size_t size, void *stream, enum api_waits waits) {
    char *to = hip_symbol_address(call, symbol);
    if (to)
        hip_copy(call, to + offset, from, size, stream, waits);
    else
        hip_copy_array(call, NULL, from, size, size, 1, stream, waits);
}

void hip_copy_from_symbol(struct api_call *call, void *to, const void *symbol, size_t offset,
                          size_t size, void *stream, enum api_waits waits) {
    const char *from = hip_symbol_address(call, symbol);
    if (from)
        hip_copy(call, to, from + offset, size, stream, waits);
    else
        hip_copy_array(call, to, NULL, size, size, 1, stream, waits);
}

void hip_set(struct api_call *call, void *to, size_t size, void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    api_set(call, to, size, size, 1, waits);
}

void hip_set_2d(struct api_call *call, void *to, size_t pitch, size_t width, size_t height,
                void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    api_set(call, to, pitch, width, height, waits);
}
