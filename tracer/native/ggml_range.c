#include "ggml_range.h"
#include "api_memory.h"
#include "ggml_layout.h"
#include "resolve.h"
#include <string.h>

const tensor_t *tensor_root(const tensor_t *tensor) {
    return tensor->view_src ? tensor->view_src : tensor;
}

void *tensor_buffer(const tensor_t *tensor) {
    const tensor_t *root = tensor_root(tensor);
    return root->buffer ? root->buffer : tensor->buffer;
}

bool tensor_is_weight(struct thread *thread, const tensor_t *tensor) {
    struct buffer *buffer = buffer_of(thread, tensor_buffer(tensor));
    return buffer && atomic_load_explicit(&buffer->usage, memory_order_relaxed) == USAGE_WEIGHTS;
}

static enum usage usage_of(const struct buffer *buffer, const tensor_t *root) {
    if (root->flags & TENSOR_FLAG_INPUT)
        return USAGE_INPUT;
    if (root->flags & TENSOR_FLAG_OUTPUT)
        return USAGE_OUTPUT;
    return (enum usage)buffer->usage;
}

static void count_unread(void) { atomic_fetch_add(&process.control->unread, 1); }

bool tensor_inside(const struct buffer *buffer, const tensor_t *tensor, uint64_t offset,
                   uint64_t size) {
    uint64_t at = (uintptr_t)tensor->data - buffer->base + offset;
    if (at <= buffer->size && size <= buffer->size - at)
        return true;
    count_unread();
    return false;
}

bool access_of_tensor(struct thread *thread, struct range *access, const tensor_t *tensor,
                      uint64_t offset, uint64_t size, enum mode mode) {
    if (!ggml_layout()->tensor || !tensor || !tensor->data || size == 0) {
        if (!ggml_layout()->tensor)
            count_unread();
        return false;
    }
    const tensor_t *root = tensor_root(tensor);
    const struct buffer *buffer = buffer_of(thread, tensor_buffer(tensor));
    if (!buffer) { // memory of a ggml context: plain host memory
        access_of_host(thread, access, (const char *)tensor->data + offset, size, mode);
    } else if (!tensor_inside(buffer, tensor, offset, size)) {
        return false;
    } else {
        uint64_t at = (uintptr_t)tensor->data - buffer->base + offset;
        *access = (struct range){
            .storage = buffer->handle.id,
            .mode = (uint8_t)mode,
            .extent = EXTENT_EXACT,
            .usage = (uint8_t)usage_of(buffer, root),
            .lo = at + (uint64_t)buffer->shift,
            .hi = at + (uint64_t)buffer->shift + size,
        };
        access->name_lo = (uintptr_t)root->data - buffer->base + (uint64_t)buffer->shift;
        access->name_hi = access->name_lo + REAL(ggml_nbytes)(root);
    }
    access->origin = ORIGIN_GGML;
    memcpy(access->name, root->name, sizeof access->name);
    access->name[sizeof access->name - 1] = 0;
    return true;
}

bool access_of_whole(struct thread *thread, struct range *access, const tensor_t *tensor,
                     enum mode mode) {
    uint64_t size = ggml_layout()->tensor && tensor ? REAL(ggml_nbytes)(tensor) : 0;
    if (!access_of_tensor(thread, access, tensor, 0, size, mode))
        return false;
    __typeof__(&ggml_is_contiguous) contiguous = REAL(ggml_is_contiguous);
    if (contiguous && !contiguous(tensor))
        access->extent = EXTENT_UPPER_BOUND;
    return true;
}

void access_of_host(struct thread *thread, struct range *access, const void *data, uint64_t size,
                    enum mode mode) {
    uint64_t lo;
    uint32_t storage = memory_around(thread, (uintptr_t)data, size, &lo);
    if (!storage)
        storage = memory_of_host(thread, (uintptr_t)data, size, &lo);
    *access = (struct range){
        .storage = storage,
        .mode = (uint8_t)mode,
        .extent = EXTENT_EXACT,
        .origin = ORIGIN_ARGUMENT,
        .lo = lo,
        .hi = lo + size,
        .name_lo = lo,
        .name_hi = lo + size,
    };
}

void access_of_storage(struct range *access, const struct buffer *buffer, enum mode mode) {
    *access = (struct range){
        .storage = buffer->handle.id,
        .mode = (uint8_t)mode,
        .extent = EXTENT_EXACT,
        .origin = ORIGIN_GGML,
        .usage = (uint8_t)buffer->usage,
        .lo = (uint64_t)buffer->shift,
        .hi = (uint64_t)buffer->shift + buffer->size,
        .name_lo = (uint64_t)buffer->shift,
        .name_hi = (uint64_t)buffer->shift + buffer->size,
    };
}

void access_in_rows(struct range *access, uint64_t width, uint64_t rows, uint64_t pitch) {
    access->hi = access->lo + rows_span(width, rows, pitch);
    if (rows <= 1 || pitch == width)
        return;
    access->pitch = pitch;
    access->width = width;
    access->height = rows;
}
