// Ops that move a tensor's data, split around the call itself.
#pragma once
#include "from.h"
#include "ggml_abi.h"

// `rows` of `size` bytes each, so many bytes apart in the tensor and in host memory.
struct rows {
    size_t offset, size, rows, tensor_pitch, data_pitch;
};

void set_begin(struct op *op, struct from from, tensor_t *tensor, const void *data, size_t offset,
               size_t size);
void set_2d_begin(struct op *op, struct from from, tensor_t *tensor, const void *data,
                  struct rows rows);
void memset_begin(struct op *op, struct from from, tensor_t *tensor, size_t offset, size_t size);
// Ends these three and set_2d_async.
void set_end(struct op *op, const tensor_t *tensor);

// These end with op_leave.
void get_begin(struct op *op, struct from from, const tensor_t *tensor, void *data, size_t offset,
               size_t size);
void get_2d_begin(struct op *op, struct from from, const tensor_t *tensor, void *data,
                  struct rows rows);
void get_async_begin(struct op *op, struct from from, backend_t backend, const tensor_t *tensor,
                     void *data, size_t offset, size_t size);
void get_2d_async_begin(struct op *op, struct from from, backend_t backend, const tensor_t *tensor,
                        void *data, struct rows rows);

void set_async_begin(struct op *op, struct from from, backend_t backend, tensor_t *tensor,
                     const void *data, size_t offset, size_t size);
void set_async_end(struct op *op, backend_t backend, const tensor_t *tensor, const void *data,
                   size_t size);
void set_2d_async_begin(struct op *op, struct from from, backend_t backend, tensor_t *tensor,
                        const void *data, struct rows rows);

// A blocking copy, by whatever calls: those are not recorded.
void copy_begin(struct op *op, struct from from, const tensor_t *src, const tensor_t *dst);
