// A stand-in for libggml-base.so: the functions that the recorder stands in for, with backends that
// do nothing late. Built twice: with LAYOUT_2D for the newer backend interface, without for the
// older. A device number stands for a device: 0 is the CPU, others have a queue, events and fake
// addresses.
#include "ggml_abi.h"
#include <stdlib.h>
#include <string.h>

#ifdef LAYOUT_2D
enum { SKIP = SLOT_2D };
#else
enum { SKIP = 0 };
#endif
enum { SLOTS = 20, FAKE_BASE = 0x1000 };

struct fake_backend {
    void *guid;
    void *slot[SLOTS];
    char name[16];
    bool synchronous;
};
struct fake_buffer {
    char *memory;
    size_t size;
    bool host;
    int usage;
};
struct fake_graph {
    int count;
    tensor_t *nodes[64];
};
struct fake_sched {
    backend_t backends[8];
    int count;
    struct fake_graph *graph;
};
struct fake_event {
    int records;
};

static char *bytes_of(const tensor_t *tensor) {
    struct fake_buffer *buffer = tensor->buffer;
    return buffer->host ? tensor->data : buffer->memory + ((uintptr_t)tensor->data - FAKE_BASE);
}

static void synchronize(backend_t backend) { (void)backend; }

// Accepts host sources, as a device with pinned memory does; FAKE_REFUSE refuses all.
static bool copy_async(backend_t src_backend, backend_t dst_backend, const tensor_t *src,
                       tensor_t *dst) {
    (void)src_backend, (void)dst_backend;
    if (getenv("FAKE_REFUSE") || !((struct fake_buffer *)src->buffer)->host)
        return false;
    memcpy(bytes_of(dst), bytes_of(src), ggml_nbytes(src));
    return true;
}

static void set_async(backend_t backend, tensor_t *tensor, const void *data, size_t offset,
                      size_t size) {
    (void)backend;
    memcpy(bytes_of(tensor) + offset, data, size);
}

static void get_async(backend_t backend, const tensor_t *tensor, void *data, size_t offset,
                      size_t size) {
    (void)backend;
    memcpy(data, bytes_of(tensor) + offset, size);
}

const char *ggml_version(void) { return "0.0.1-fake"; }
const char *ggml_commit(void) { return "fake"; }

size_t ggml_tensor_overhead(void) {
    return getenv("FAKE_OTHER_TENSOR") ? TENSOR_OVERHEAD + 16 : TENSOR_OVERHEAD;
}

const char *ggml_op_name(int op) {
    static const char *const names[] = {"NONE", "ADD", "VIEW", "SET_ROWS", "GET_ROWS"};
    return names[op];
}

size_t ggml_nbytes(const tensor_t *tensor) {
    return tensor->ne[1] ? (size_t)(tensor->ne[1] - 1) * tensor->nb[1] + (size_t)tensor->ne[0]
                         : (size_t)tensor->ne[0];
}

bool ggml_is_contiguous(const tensor_t *tensor) {
    return tensor->ne[1] <= 1 || tensor->nb[1] == (size_t)tensor->ne[0];
}

int ggml_graph_n_nodes(void *graph) { return ((struct fake_graph *)graph)->count; }
tensor_t *ggml_graph_node(void *graph, int i) { return ((struct fake_graph *)graph)->nodes[i]; }

void *ggml_backend_buffer_get_base(void *buffer) {
    struct fake_buffer *b = buffer;
    return b->host ? (void *)b->memory : (void *)FAKE_BASE;
}
size_t ggml_backend_buffer_get_size(void *buffer) { return ((struct fake_buffer *)buffer)->size; }
int ggml_backend_buffer_get_usage(void *buffer) { return ((struct fake_buffer *)buffer)->usage; }
bool ggml_backend_buffer_is_host(void *buffer) { return ((struct fake_buffer *)buffer)->host; }
bool ggml_backend_buffer_is_multi_buffer(void *buffer) { return buffer == NULL; }
const char *ggml_backend_buffer_name(void *buffer) {
    return ((struct fake_buffer *)buffer)->host ? "CPU" : "Fake0";
}

void *ggml_backend_buft_alloc_buffer(void *device, size_t size) {
    struct fake_buffer *buffer = calloc(1, sizeof *buffer);
    buffer->memory = calloc(1, size + 1);
    buffer->size = size;
    buffer->host = device == NULL;
    return buffer;
}
void *ggml_backend_cpu_buffer_from_ptr(void *data, size_t size) {
    struct fake_buffer *buffer = calloc(1, sizeof *buffer);
    *buffer = (struct fake_buffer){.memory = data, .size = size, .host = true};
    return buffer;
}
void *ggml_backend_dev_buffer_from_host_ptr(void *device, void *data, size_t size, size_t largest) {
    (void)device, (void)largest;
    return ggml_backend_cpu_buffer_from_ptr(data, size);
}
void ggml_backend_buffer_free(void *buffer) { free(buffer); }
void ggml_backend_buffer_clear(void *buffer, uint8_t value) {
    struct fake_buffer *b = buffer;
    memset(b->memory, value, b->size);
}
void ggml_backend_buffer_set_usage(void *buffer, int usage) {
    ((struct fake_buffer *)buffer)->usage = usage;
}

const char *ggml_backend_name(backend_t backend) { return ((struct fake_backend *)backend)->name; }

backend_t ggml_backend_dev_init(void *device, const char *params) {
    struct fake_backend *backend = calloc(1, sizeof *backend);
    uintptr_t number = (uintptr_t)device;
    (void)params;
    backend->synchronous = number == 0;
    strcpy(backend->name, number ? "Fake0" : "CPU");
    if (number) {
        backend->name[4] = (char)('0' + number - 1);
        backend->slot[SLOT_SET_ASYNC] = (void *)set_async;
        backend->slot[SLOT_GET_ASYNC] = (void *)get_async;
        backend->slot[SLOT_COPY_ASYNC + SKIP] = (void *)copy_async;
        backend->slot[SLOT_SYNCHRONIZE + SKIP] = (void *)synchronize;
    }
    return (backend_t)backend;
}
void ggml_backend_free(backend_t backend) { free(backend); }

void ggml_backend_synchronize(backend_t backend) {
    void (*wait)(backend_t) = (void (*)(backend_t))backend->slot[SLOT_SYNCHRONIZE + SKIP];
    if (wait)
        wait(backend);
}

void *ggml_backend_event_new(void *device) {
    return device ? calloc(1, sizeof(struct fake_event)) : NULL;
}
void ggml_backend_event_free(void *event) { free(event); }
void ggml_backend_event_record(void *event, backend_t backend) {
    (void)backend;
    ((struct fake_event *)event)->records++;
}
void ggml_backend_event_wait(backend_t backend, void *event) { (void)backend, (void)event; }
void ggml_backend_event_synchronize(void *event) { (void)event; }

void ggml_backend_tensor_set(tensor_t *tensor, const void *data, size_t offset, size_t size) {
    memcpy(bytes_of(tensor) + offset, data, size);
}
void ggml_backend_tensor_get(const tensor_t *tensor, void *data, size_t offset, size_t size) {
    memcpy(data, bytes_of(tensor) + offset, size);
}
void ggml_backend_tensor_memset(tensor_t *tensor, uint8_t value, size_t offset, size_t size) {
    memset(bytes_of(tensor) + offset, value, size);
}
void ggml_backend_tensor_copy(const tensor_t *src, tensor_t *dst) {
    if (((struct fake_buffer *)src->buffer)->host)
        ggml_backend_tensor_set(dst, src->data, 0, ggml_nbytes(src));
    else
        memcpy(bytes_of(dst), bytes_of(src), ggml_nbytes(src));
}
void ggml_backend_tensor_set_async(backend_t backend, tensor_t *tensor, const void *data,
                                   size_t offset, size_t size) {
    if (backend->slot[SLOT_SET_ASYNC]) {
        set_async(backend, tensor, data, offset, size);
        return;
    }
    ggml_backend_synchronize(backend);
    ggml_backend_tensor_set(tensor, data, offset, size);
}
void ggml_backend_tensor_get_async(backend_t backend, const tensor_t *tensor, void *data,
                                   size_t offset, size_t size) {
    if (backend->slot[SLOT_GET_ASYNC]) {
        get_async(backend, tensor, data, offset, size);
        return;
    }
    ggml_backend_synchronize(backend);
    ggml_backend_tensor_get(tensor, data, offset, size);
}
#ifdef LAYOUT_2D
void ggml_backend_tensor_set_2d(tensor_t *tensor, const void *data, size_t offset, size_t size,
                                size_t rows, size_t tensor_pitch, size_t data_pitch) {
    for (size_t i = 0; i < rows; i++)
        ggml_backend_tensor_set(tensor, (const char *)data + i * data_pitch,
                                offset + i * tensor_pitch, size);
}
void ggml_backend_tensor_set_2d_async(backend_t backend, tensor_t *tensor, const void *data,
                                      size_t offset, size_t size, size_t rows, size_t tensor_pitch,
                                      size_t data_pitch) {
    for (size_t i = 0; i < rows; i++)
        ggml_backend_tensor_set_async(backend, tensor, (const char *)data + i * data_pitch,
                                      offset + i * tensor_pitch, size);
}
#endif

void ggml_backend_tensor_copy_async(backend_t src_backend, backend_t dst_backend,
                                    const tensor_t *src, tensor_t *dst) {
    bool (*copy)(backend_t, backend_t, const tensor_t *, tensor_t *) =
        (bool (*)(backend_t, backend_t, const tensor_t *,
                  tensor_t *))dst_backend->slot[SLOT_COPY_ASYNC + SKIP];
    if (copy && copy(src_backend, dst_backend, src, dst))
        return;
    ggml_backend_synchronize(src_backend);
    ggml_backend_synchronize(dst_backend);
    ggml_backend_tensor_copy(src, dst);
}

int ggml_backend_graph_compute_async(backend_t backend, void *graph) {
    (void)backend;
    return ((struct fake_graph *)graph)->count ? 0 : -1; // an empty graph fails
}
int ggml_backend_graph_compute(backend_t backend, void *graph) {
    int status = ggml_backend_graph_compute_async(backend, graph);
    ggml_backend_synchronize(backend);
    return status;
}
bool ggml_gallocr_alloc_graph(void *allocator, void *graph) {
    (void)allocator, (void)graph;
    return true;
}

void ggml_backend_sched_reset(void *sched) { ((struct fake_sched *)sched)->graph = NULL; }
void *ggml_backend_sched_new(backend_t *backends, void **types, int count, size_t size,
                             bool parallel, bool offload) {
    (void)types, (void)size, (void)parallel, (void)offload;
    struct fake_sched *sched = calloc(1, sizeof *sched);
    memcpy(sched->backends, backends, (size_t)count * sizeof *backends);
    sched->count = count;
    return sched;
}
void ggml_backend_sched_free(void *sched) { free(sched); }
bool ggml_backend_sched_alloc_graph(void *sched, void *graph) {
    ((struct fake_sched *)sched)->graph = graph;
    return true;
}
// One split on each backend but the last (the CPU); the device waits before each split.
int ggml_backend_sched_graph_compute_async(void *key, void *graph) {
    struct fake_sched *sched = key;
    if (!sched->graph)
        ggml_backend_sched_alloc_graph(sched, graph);
    for (int i = 0; i + 1 < sched->count; i++) {
        ggml_backend_synchronize(sched->backends[i]);
        int status = ggml_backend_graph_compute_async(sched->backends[i], sched->graph);
        if (status)
            return status;
    }
    return 0;
}
void ggml_backend_sched_synchronize(void *key) {
    struct fake_sched *sched = key;
    for (int i = 0; i < sched->count; i++)
        ggml_backend_synchronize(sched->backends[i]);
}
