// HIP's allocations, copies and fills.
#include "hip_calls.h"

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
    const struct memory *memory = rc ? NULL : memory_at((uintptr_t)host);
    if (memory && *device != host && !memory_at((uintptr_t)*device))
        memory_alias(memory, (uintptr_t)host, (uintptr_t)*device);
}

// Its size is the exporter's to know; the runtime tells it.
void hip_opened(struct api_call *call, void *memory) {
    void *base = memory;
    size_t size = 0;
    int (*ask)(void **, size_t *, void *) =
        (int (*)(void **, size_t *, void *))hip_unrecorded("hipMemGetAddressRange");
    if (!ask || ask(&base, &size, memory) != 0 || !size)
        size = 1;
    call->op.record.flags |= FLAG_FOREIGN;
    api_allocated(call, memory, size, MEMORY_KIND_DEVICE);
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

enum memory_type { TYPE_HOST_OLD = 0, TYPE_HOST = 1, TYPE_DEVICE = 2, TYPE_ARRAY = 3 };

// One end of hip_Memcpy2D. Which of the three pointers counts is known by who is not null: the
// numbers of hipMemoryType changed between versions.
struct end_2d {
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
    char *base = end->device ? end->device : end->host;
    return end->array || !base ? NULL : base + end->y * end->pitch + end->x;
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

struct position {
    size_t x, y, z;
};
struct copy_3d { // hipMemcpy3DParms
    void *from_array;
    struct position from_at;
    struct hip_pitched from;
    void *to_array;
    struct position to_at;
    struct hip_pitched to;
    struct hip_extent extent;
    int kind;
};

struct block { // a box of rows and slices in linear memory
    char *start;
    size_t pitch, slice;
};

static struct block block_of(const struct hip_pitched *memory, struct position at) {
    size_t slice = memory->pitch * memory->ysize;
    char *base = memory->ptr;
    return (struct block){base ? base + at.z * slice + at.y * memory->pitch + at.x : NULL,
                          memory->pitch, slice};
}

// Slices that lie behind each other are rows like any; of others only where they end is told.
static void note_block(struct api_call *call, struct block block, struct hip_extent extent,
                       uint32_t how) {
    struct memory *memory = memory_at((uintptr_t)block.start);
    struct api_rows rows = {block.pitch, extent.width, extent.height * extent.depth};
    if (extent.depth <= 1 || block.slice == block.pitch * extent.height) {
        api_note(call,
                 api_range_of_rows(call->op.thread, memory, (uintptr_t)block.start, rows, how));
        return;
    }
    size_t span =
        (extent.depth - 1) * block.slice + (extent.height - 1) * block.pitch + extent.width;
    enum mode mode = (enum mode)(how >> 16 & 255);
    api_note(call, api_range(call->op.thread, memory, (uintptr_t)block.start, span,
                             API_HOW(mode, EXTENT_UPPER_BOUND, ORIGIN_ARGUMENT)));
}

static void copy_blocks(struct api_call *call, struct block to, struct block from,
                        struct hip_extent extent, void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    if (!extent.width || !extent.height || !extent.depth || (!to.start && !from.start)) {
        call->op.record.flags |= FLAG_NOOP;
        return;
    }
    api_copy_kind(call, to.start, from.start, waits);
    if (from.start)
        note_block(call, from, extent, API_READS);
    else
        api_note(call, api_range_unknown(call->op.thread));
    if (to.start)
        note_block(call, to, extent, API_WRITES);
    else
        api_note(call, api_range_unknown(call->op.thread));
}

void hip_copy_3d(struct api_call *call, const void *parameters, void *stream,
                 enum api_waits waits) {
    const struct copy_3d *copy = parameters;
    if (!copy)
        return;
    struct block none = {NULL, 0, 0};
    copy_blocks(call, copy->to_array ? none : block_of(&copy->to, copy->to_at),
                copy->from_array ? none : block_of(&copy->from, copy->from_at), copy->extent,
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

static struct block block_of_end(const struct end_3d *end) {
    struct hip_pitched memory = {end->device ? end->device : end->host, end->pitch, 0, end->height};
    return end->array ? (struct block){NULL, 0, 0}
                      : block_of(&memory, (struct position){end->x, end->y, end->z});
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
    copy_blocks(call, (struct block){to, pitch, 0}, (struct block){(char *)from, pitch, 0},
                (struct hip_extent){width, height ? height : 1, 1}, stream, waits);
}

static char *symbol_address(const void *symbol) {
    void *address = NULL;
    int (*ask)(void **, const void *) =
        (int (*)(void **, const void *))hip_function(HIP_hipGetSymbolAddress);
    if (ask(&address, symbol) != 0)
        return NULL;
    hip_symbol(0, &address, symbol);
    return address;
}

void hip_copy_to_symbol(struct api_call *call, const void *symbol, size_t offset, const void *from,
                        size_t size, void *stream, enum api_waits waits) {
    char *to = symbol_address(symbol);
    if (to)
        hip_copy(call, to + offset, from, size, stream, waits);
    else
        hip_copy_array(call, NULL, from, size, size, 1, stream, waits);
}

void hip_copy_from_symbol(struct api_call *call, void *to, const void *symbol, size_t offset,
                          size_t size, void *stream, enum api_waits waits) {
    const char *from = symbol_address(symbol);
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

void hip_set_3d(struct api_call *call, struct hip_pitched to, struct hip_extent extent,
                void *stream, enum api_waits waits) {
    (void)waits;
    api_on_stream(call, stream);
    if (extent.width && extent.height && extent.depth)
        note_block(call, (struct block){to.ptr, to.pitch, to.pitch * to.ysize}, extent, API_WRITES);
    else
        call->op.record.flags |= FLAG_NOOP;
}
