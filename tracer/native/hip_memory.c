// HIP's allocations, copies and fills.
#include "hip_calls.h"
#include "hip_version.h"

void hip_allocated_3d(struct api_call *call, const void *pitched, struct api_extent extent) {
    const struct api_pitched *made = pitched;
    api_allocated(call, made->ptr, made->pitch * extent.height * extent.depth, MEMORY_KIND_DEVICE);
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
        api_copy_rows_on(call, to, copy->to.pitch, from, copy->from.pitch, copy->width,
                         copy->height, stream, waits);
    else
        api_copy_array_on(call, to, from, copy->width, to ? copy->to.pitch : copy->from.pitch,
                          copy->height, stream, waits);
}

void hip_copy_to_symbol(struct api_call *call, const void *symbol, size_t offset, const void *from,
                        size_t size, void *stream, enum api_waits waits) {
    char *to = hip_symbol_address(call, symbol);
    if (to)
        api_copy_on(call, to + offset, from, size, stream, waits);
    else
        api_copy_array_on(call, NULL, from, size, size, 1, stream, waits);
}

void hip_copy_from_symbol(struct api_call *call, void *to, const void *symbol, size_t offset,
                          size_t size, void *stream, enum api_waits waits) {
    const char *from = hip_symbol_address(call, symbol);
    if (from)
        api_copy_on(call, to, from + offset, size, stream, waits);
    else
        api_copy_array_on(call, to, NULL, size, size, 1, stream, waits);
}
