// Ops on whole buffers: what is recorded before the call itself, and where needed after it.
// Inline as ggml_tensor_calls.h.
#pragma once
#include "from.h"
#include "ggml_buffer_slots.h"
#include "ggml_inputs.h"
#include "ggml_op.h"
#include "ggml_range.h"

static inline enum kind alloc_kind(const struct buffer *buffer) {
    return buffer && buffer->is_host ? KIND_ALLOC_PAGEABLE : KIND_ALLOC_DEVICE;
}

static inline void alloc_begin(struct op *op, struct from from) {
    if (enter(op, CALL_ggml_backend_buft_alloc_buffer, KIND_ALLOC_DEVICE, from))
        op_mute(op); // a buffer made of another one gets its type last
}

static inline void alloc_end(struct op *op, void *buffer, size_t size) {
    op_back(op);
    if (op->thread && buffer)
        op->record.kind = (uint8_t)alloc_kind(buffer_of(op->thread, buffer));
    else if (op->thread)
        op->record.flags |= FLAG_FAILED;
    if (size == 0)
        op_cancel(op);
    op_leave(op);
}

// A buffer over memory that the program already had.
static inline void over_host_begin(struct op *op, enum call call, struct from from) {
    enter(op, call, KIND_HOST_REGISTER, from);
}

static inline void over_host_end(struct op *op, void *buffer, void *data) {
    op_back(op);
    if (op->thread) {
        buffer_of_host_memory(op->thread, buffer, data);
        op->record.flags |= buffer ? 0 : FLAG_FAILED;
    }
    op_leave(op);
}

static inline void touch_storage(struct op *op, const struct buffer *buffer) {
    struct range range;
    access_of_storage(&range, buffer, MODE_WRITE);
    op_touches(op, &range);
}

// The free is a write of all its bytes. Memory that the program owns lives on.
static inline void free_storage(struct op *op, const struct buffer *buffer) {
    op_encloses(op); // a buffer of buffers frees those
    op->record.device = buffer->device;
    if (buffer->lent) {
        op->record.kind = KIND_HOST_UNREGISTER;
        return;
    }
    op->record.kind = buffer->is_host ? KIND_FREE_HOST : KIND_FREE;
    touch_storage(op, buffer);
}

// Not every buffer has a slot of ours for its free: then its name counts, if it is called by that.
static inline void free_begin(struct op *op, struct from from, void *key) {
    op->thread = NULL;
    if (from.by_name && buffer_free_slotted(key))
        return;
    if (op_enter(op, CALL_ggml_backend_buffer_free, KIND_FREE, from.caller, from.frame)) {
        const struct buffer *buffer = key ? buffer_of(op->thread, key) : NULL;
        if (buffer && buffer->size)
            free_storage(op, buffer);
        else
            op_cancel(op);
    }
    buffer_gone(key);
}

static inline void clear_begin(struct op *op, struct from from, void *key) {
    if (!enter(op, CALL_ggml_backend_buffer_clear, KIND_BUFFER_CLEAR, from))
        return;
    struct buffer *buffer = buffer_of(op->thread, key);
    if (buffer && buffer->size)
        touch_storage(op, buffer);
    else
        op->record.flags |= FLAG_NOOP;
    inputs_cleared(buffer);
    op_encloses(op);
}
