// The few facts of ggml's binary interface that the recorder relies on, in its own words.
// Source: ggml/include/ggml.h and ggml/src/ggml-backend-impl.h of llama.cpp (MIT), the same text in
// every release from 0.9 to 0.25 except for the two slots named below.
#pragma once
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TENSOR_SOURCES = 10, TENSOR_NAME = 64, TENSOR_FLAG_INPUT = 1, TENSOR_FLAG_OUTPUT = 2 };

struct ggml_tensor {
    int32_t type;
    void *buffer;
    int64_t ne[4];
    size_t nb[4];
    int32_t op;
    int32_t op_params[16];
    int32_t flags;
    struct ggml_tensor *src[TENSOR_SOURCES];
    struct ggml_tensor *view_src;
    size_t view_offs;
    void *data;
    char name[TENSOR_NAME];
    void *extra;
    char padding[8];
};
// ggml_tensor_overhead() is this plus the header of an object; checked at run time. A build for
// names of 128 bytes (stable-diffusion.cpp asks for it) is the same up to the 64th byte of the
// name, and nothing behind it is looked at.
enum { TENSOR_OVERHEAD = 368, TENSOR_OVERHEAD_LONG_NAME = TENSOR_OVERHEAD + 64 };
static_assert(sizeof(struct ggml_tensor) + 32 == TENSOR_OVERHEAD, "ggml_tensor layout");

// A backend object starts with a pointer to its GUID; its interface follows, one pointer a slot.
// A release that exports ggml_backend_tensor_set_2d_async has two more slots before the copy, here
// and in the interface of buffers; slots behind them move by SLOT_2D. An empty slot: cannot do it.
struct ggml_backend {
    void *guid;
    void *slot[];
};
enum {
    SLOT_FREE = 1,
    SLOT_SET_ASYNC = 2,
    SLOT_GET_ASYNC = 3,
    SLOT_SET_2D_ASYNC = 4, // with 2d slots only
    SLOT_GET_2D_ASYNC = 5,
    SLOT_COPY_ASYNC = 4, // here and below: moves
    SLOT_2D = 2,
    SLOT_SYNCHRONIZE = 5,
    SLOT_COMPUTE = 10,
    SLOT_EVENT_RECORD = 11, // (backend, event), as the wait
    SLOT_EVENT_WAIT = 12,
    SLOTS_BACKEND = 13 // then perhaps graph_optimize, then the device
};

// The other objects start with their interface, one pointer a slot; their own fields follow. The
// same in all releases of this version of the plug-in interface, but for the 2d slots of buffers.
// Source: ggml/src/ggml-backend-impl.h, checked at 0.9.11, 0.25.1 and 0.25.3.
enum { PLUGIN_INTERFACE = 2 };
enum { // device
    SLOT_INIT_BACKEND = 5,
    SLOT_BUFFER_TYPE = 6,
    SLOT_HOST_BUFFER_TYPE = 7,
    SLOT_FROM_HOST_POINTER = 8,
    SLOT_EVENT_NEW = 12, // (device), the other two (device, event)
    SLOT_EVENT_FREE = 13,
    SLOT_EVENT_SYNCHRONIZE = 14,
    FIELD_REGISTRY = 15
};
enum { SLOT_ALLOC = 1, FIELD_DEVICE = 6 }; // buffer type
enum {                                     // buffer; each but free takes it first
    SLOT_BUFFER_FREE = 0,
    SLOT_MEMSET = 3,
    SLOT_SET = 4,
    SLOT_GET = 5,
    SLOT_SET_2D = 6, // with 2d slots only
    SLOT_GET_2D = 7,
    SLOT_COPY = 6, // here and below: moves
    SLOT_CLEAR = 7,
    FIELD_SIZE = 11
};

// What ggml_backend_init of a backend library returns: one backend and its devices.
struct ggml_registry {
    int version; // of the plug-in interface
    const char *(*name)(struct ggml_registry *);
    size_t (*devices)(struct ggml_registry *);
    void *(*device)(struct ggml_registry *, size_t);
    void *(*function)(struct ggml_registry *, const char *);
    void *context;
};

// llama_batch is passed by value and never read; the room behind it covers every release
// (56 bytes today), and passing more than the callee takes is harmless on x86-64 and aarch64.
struct llama_batch {
    int32_t n_tokens;
    char rest[124];
};

// Interposed. `size_t` counts bytes; offsets are within the tensor's data.
#define HOOK __attribute__((visibility("default")))
typedef struct ggml_backend *backend_t;
typedef struct ggml_tensor tensor_t;

HOOK void ggml_backend_tensor_set(tensor_t *tensor, const void *data, size_t offset, size_t size);
HOOK void ggml_backend_tensor_get(const tensor_t *tensor, void *data, size_t offset, size_t size);
HOOK void ggml_backend_tensor_set_2d(tensor_t *tensor, const void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data);
HOOK void ggml_backend_tensor_get_2d(const tensor_t *tensor, void *data, size_t offset, size_t size,
                                     size_t n_copies, size_t stride_tensor, size_t stride_data);
HOOK void ggml_backend_tensor_memset(tensor_t *tensor, uint8_t value, size_t offset, size_t size);
HOOK void ggml_backend_tensor_copy(const tensor_t *src, tensor_t *dst);
HOOK void ggml_backend_tensor_set_async(backend_t backend, tensor_t *tensor, const void *data,
                                        size_t offset, size_t size);
HOOK void ggml_backend_tensor_get_async(backend_t backend, const tensor_t *tensor, void *data,
                                        size_t offset, size_t size);
HOOK void ggml_backend_tensor_set_2d_async(backend_t backend, tensor_t *tensor, const void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data);
HOOK void ggml_backend_tensor_get_2d_async(backend_t backend, const tensor_t *tensor, void *data,
                                           size_t offset, size_t size, size_t n_copies,
                                           size_t stride_tensor, size_t stride_data);
HOOK void ggml_backend_tensor_copy_async(backend_t src_backend, backend_t dst_backend,
                                         const tensor_t *src, tensor_t *dst);
HOOK void *ggml_backend_buft_alloc_buffer(void *buffer_type, size_t size);
HOOK void *ggml_backend_cpu_buffer_from_ptr(void *data, size_t size);
HOOK void *ggml_backend_dev_buffer_from_host_ptr(void *device, void *data, size_t size,
                                                 size_t max_tensor_size);
HOOK void ggml_backend_buffer_free(void *buffer);
HOOK void ggml_backend_buffer_clear(void *buffer, uint8_t value);
HOOK void ggml_backend_buffer_set_usage(void *buffer, int usage);
HOOK backend_t ggml_backend_dev_init(void *device, const char *params);
HOOK void ggml_backend_free(backend_t backend);
HOOK void ggml_backend_synchronize(backend_t backend);
HOOK void *ggml_backend_event_new(void *device);
HOOK void ggml_backend_event_free(void *event);
HOOK void ggml_backend_event_record(void *event, backend_t backend);
HOOK void ggml_backend_event_wait(backend_t backend, void *event);
HOOK void ggml_backend_event_synchronize(void *event);
HOOK int ggml_backend_graph_compute(backend_t backend, void *graph);
HOOK int ggml_backend_graph_compute_async(backend_t backend, void *graph);
HOOK void *ggml_backend_sched_new(backend_t *backends, void **buffer_types, int n_backends,
                                  size_t graph_size, bool parallel, bool op_offload);
HOOK void ggml_backend_sched_free(void *sched);
HOOK void ggml_backend_sched_reset(void *sched);
HOOK bool ggml_backend_sched_alloc_graph(void *sched, void *graph);
HOOK int ggml_backend_sched_graph_compute_async(void *sched, void *graph);
HOOK void ggml_backend_sched_synchronize(void *sched);
HOOK bool ggml_gallocr_alloc_graph(void *allocator, void *graph);
HOOK int32_t llama_decode(void *context, struct llama_batch batch);
HOOK int32_t llama_encode(void *context, struct llama_batch batch);

// Exported for ggml's loader of backend libraries.
HOOK struct ggml_registry *ggml_backend_init(void);

// Only called, through resolve(): declared for their types.
void *ggml_backend_buffer_get_base(void *buffer);
size_t ggml_backend_buffer_get_size(void *buffer);
int ggml_backend_buffer_get_usage(void *buffer);
bool ggml_backend_buffer_is_host(void *buffer);
bool ggml_backend_buffer_is_multi_buffer(void *buffer);
const char *ggml_backend_buffer_name(void *buffer);
void *ggml_backend_buft_get_device(void *buffer_type);
void *ggml_backend_cpu_buffer_type(void);
struct ggml_registry *ggml_backend_dev_backend_reg(void *device);
size_t ggml_backend_dev_count(void);
void *ggml_backend_dev_get(size_t index);
void *ggml_backend_get_device(backend_t backend);
const char *ggml_backend_name(backend_t backend);
size_t ggml_backend_reg_count(void);
struct ggml_registry *ggml_backend_reg_get(size_t index);
int ggml_backend_sched_get_n_copies(void *sched);
const char *ggml_commit(void);
int ggml_graph_n_nodes(void *graph);
tensor_t *ggml_graph_node(void *graph, int i);
const char *ggml_get_name(const tensor_t *tensor);
bool ggml_is_contiguous(const tensor_t *tensor);
size_t ggml_nbytes(const tensor_t *tensor);
const char *ggml_op_name(int op);
size_t ggml_tensor_overhead(void);
const char *ggml_version(void);
