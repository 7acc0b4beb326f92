// Ops that move a tensor's data: what is recorded before the call itself, and where needed after
// it.
#pragma once
#include "from.h"
#include "ggml_handles.h"

// `count` rows of `size` bytes each, so many bytes apart in the tensor and in host memory.
struct rows {
    size_t offset, size, count, tensor_pitch, data_pitch;
};

void set_begin(struct op *op, struct from from, tensor_t *tensor, const void *data, size_t offset,
               size_t size);
void get_begin(struct op *op, struct from from, const tensor_t *tensor, void *data, size_t offset,
               size_t size);
void set_2d_begin(struct op *op, struct from from, tensor_t *tensor, const void *data,
                  struct rows rows);
void get_2d_begin(struct op *op, struct from from, const tensor_t *tensor, void *data,
                  struct rows rows);
void memset_begin(struct op *op, struct from from, tensor_t *tensor, size_t offset, size_t size);
// A blocking copy, by whatever calls: those are not recorded.
void copy_begin(struct op *op, struct from from, const tensor_t *src, tensor_t *dst);

// What an asynchronous set may read until its backend was waited for.
struct sending {
    const struct backend *backend;
    struct range source;
};
void set_async_begin(struct op *op, struct from from, struct sending *sending, backend_t backend,
                     tensor_t *tensor, const void *data, size_t offset, size_t size);
void set_async_end(struct op *op, const struct sending *sending, const void *data, size_t size);
void get_async_begin(struct op *op, struct from from, backend_t backend, const tensor_t *tensor,
                     void *data, size_t offset, size_t size);
void set_2d_async_begin(struct op *op, struct from from, backend_t backend, tensor_t *tensor,
                        const void *data, struct rows rows);
void get_2d_async_begin(struct op *op, struct from from, backend_t backend, const tensor_t *tensor,
                        void *data, struct rows rows);
