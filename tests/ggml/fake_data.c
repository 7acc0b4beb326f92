// The stand-in's functions that move data or run graphs, and its scheduler.
#include "fake.h"

typedef void (*set_slot)(void *, tensor_t *, const void *, size_t, size_t);
typedef void (*get_slot)(void *, const tensor_t *, void *, size_t, size_t);
typedef void (*set_2d_slot)(void *, tensor_t *, const void *, size_t, size_t, size_t, size_t,
                            size_t);

void ggml_backend_tensor_set(tensor_t *tensor, const void *data, size_t offset, size_t size) {
    SLOT(tensor->buffer, SLOT_SET, set_slot)(tensor->buffer, tensor, data, offset, size);
}
void ggml_backend_tensor_get(const tensor_t *tensor, void *data, size_t offset, size_t size) {
    SLOT(tensor->buffer, SLOT_GET, get_slot)(tensor->buffer, tensor, data, offset, size);
}
void ggml_backend_tensor_memset(tensor_t *tensor, uint8_t value, size_t offset, size_t size) {
    SLOT(tensor->buffer, SLOT_MEMSET, void (*)(void *, tensor_t *, uint8_t, size_t, size_t))
    (tensor->buffer, tensor, value, offset, size);
}
void ggml_backend_tensor_copy(const tensor_t *src, tensor_t *dst) {
    if (ggml_backend_buffer_is_host(src->buffer)) {
        ggml_backend_tensor_set(dst, src->data, 0, ggml_nbytes(src));
    } else if (ggml_backend_buffer_is_host(dst->buffer)) {
        ggml_backend_tensor_get(src, dst->data, 0, ggml_nbytes(src));
    } else if (!SLOT(dst->buffer, SLOT_COPY + SKIP,
                     bool (*)(void *, const tensor_t *, tensor_t *))(dst->buffer, src, dst)) {
        char data[4096];
        ggml_backend_tensor_get(src, data, 0, ggml_nbytes(src));
        ggml_backend_tensor_set(dst, data, 0, ggml_nbytes(src));
    }
}
void ggml_backend_tensor_set_async(backend_t backend, tensor_t *tensor, const void *data,
                                   size_t offset, size_t size) {
    if (backend->slot[SLOT_SET_ASYNC]) {
        ((set_slot)backend->slot[SLOT_SET_ASYNC])(backend, tensor, data, offset, size);
        return;
    }
    ggml_backend_synchronize(backend);
    ggml_backend_tensor_set(tensor, data, offset, size);
}
void ggml_backend_tensor_get_async(backend_t backend, const tensor_t *tensor, void *data,
                                   size_t offset, size_t size) {
    if (backend->slot[SLOT_GET_ASYNC]) {
        ((get_slot)backend->slot[SLOT_GET_ASYNC])(backend, tensor, data, offset, size);
        return;
    }
    ggml_backend_synchronize(backend);
    ggml_backend_tensor_get(tensor, data, offset, size);
}
#ifdef LAYOUT_2D
void ggml_backend_tensor_set_2d(tensor_t *tensor, const void *data, size_t offset, size_t size,
                                size_t rows, size_t tensor_pitch, size_t data_pitch) {
    set_2d_slot set = SLOT(tensor->buffer, SLOT_SET_2D, set_2d_slot);
    if (set) {
        set(tensor->buffer, tensor, data, offset, size, rows, tensor_pitch, data_pitch);
        return;
    }
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
    return SLOT(backend->slot, SLOT_COMPUTE + SKIP, int (*)(backend_t, void *))(backend, graph);
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
