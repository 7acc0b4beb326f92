// What bytes a tensor or a host pointer stands for, as an access of the trace.
#pragma once
#include "ggml_handles.h"
#include "kinds.h"

// False: the tensor has no memory, or its layout is unknown.
bool access_of_tensor(struct thread *thread, struct range *access, const tensor_t *tensor,
                      uint64_t offset, uint64_t size, enum mode mode);
// The whole tensor: exact if it is contiguous, else an upper bound.
bool access_of_whole(struct thread *thread, struct range *access, const tensor_t *tensor,
                     enum mode mode);
void access_of_host(struct thread *thread, struct range *access, const void *data, uint64_t size,
                    enum mode mode);
void access_of_storage(struct range *access, const struct buffer *buffer, enum mode mode);
// `rows` rows of `width` bytes, `pitch` bytes apart, from the access's first byte on.
void access_in_rows(struct range *access, uint64_t width, uint64_t rows, uint64_t pitch);

// Bytes from the first to the last of `rows` (at least one).
static inline uint64_t rows_span(uint64_t width, uint64_t rows, uint64_t pitch) {
    return (rows - 1) * pitch + width;
}

// False, and counted: these bytes of it lie outside of its buffer.
bool tensor_inside(const struct buffer *buffer, const tensor_t *tensor, uint64_t offset,
                   uint64_t size);
void *tensor_buffer(const tensor_t *tensor);
const tensor_t *tensor_root(const tensor_t *tensor);
bool tensor_is_weight(struct thread *thread, const tensor_t *tensor);
