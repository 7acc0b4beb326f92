// The public functions of the stand-in that the recorder stands in for or asks, over fake_device.c.
#include "fake.h"

const char *ggml_version(void) { return "0.0.1-fake"; }
const char *ggml_commit(void) { return "fake"; }

size_t ggml_tensor_overhead(void) {
    const char *other = getenv("FAKE_OTHER_TENSOR"); // by how many bytes it is larger
    return TENSOR_OVERHEAD + (other ? (size_t)atoi(other) : 0);
}

// FAKE_OTHER_NAME: not where it is in the layouts that are known.
const char *ggml_get_name(const tensor_t *tensor) {
    return tensor->name + (getenv("FAKE_OTHER_NAME") ? 8 : 0);
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
    return SLOT(buffer, 1, void *(*)(void *))(buffer);
}
size_t ggml_backend_buffer_get_size(void *buffer) { return ((struct fake_buffer *)buffer)->size; }
int ggml_backend_buffer_get_usage(void *buffer) { return ((struct fake_buffer *)buffer)->usage; }
bool ggml_backend_buffer_is_host(void *buffer) {
    return fake_is_cpu(((struct fake_buffer *)buffer)->type->device);
}
bool ggml_backend_buffer_is_multi_buffer(void *buffer) { return buffer == NULL; }
const char *ggml_backend_buffer_name(void *buffer) {
    struct fake_type *type = ((struct fake_buffer *)buffer)->type;
    return SLOT(type, 0, const char *(*)(void *))(type);
}

// What would be the program's own call of a type is one of a device number here.
void *ggml_backend_buft_alloc_buffer(void *number, size_t size) {
    struct fake_device *device = fake_device_of(number);
    void *type = SLOT(device, SLOT_BUFFER_TYPE, void *(*)(void *))(device);
    return SLOT(type, SLOT_ALLOC, void *(*)(void *, size_t))(type, size);
}
void *ggml_backend_cpu_buffer_from_ptr(void *data, size_t size) {
    return fake_buffer_over(fake_devices(), data, size);
}
void *ggml_backend_dev_buffer_from_host_ptr(void *device, void *data, size_t size, size_t largest) {
    return SLOT(fake_device_of(device), SLOT_FROM_HOST_POINTER,
                void *(*)(void *, void *, size_t, size_t))(fake_device_of(device), data, size,
                                                           largest);
}
void ggml_backend_buffer_free(void *buffer) {
    SLOT(buffer, SLOT_BUFFER_FREE, void (*)(void *))(buffer);
    free(buffer);
}
void ggml_backend_buffer_clear(void *buffer, uint8_t value) {
    SLOT(buffer, SLOT_CLEAR + SKIP, void (*)(void *, uint8_t))(buffer, value);
}
void ggml_backend_buffer_set_usage(void *buffer, int usage) {
    ((struct fake_buffer *)buffer)->usage = usage;
}

const char *ggml_backend_name(backend_t backend) {
    return ((const char *(*)(backend_t))backend->slot[0])(backend);
}
// FAKE_OTHER_BACKEND: as if backends had another field there.
void *ggml_backend_get_device(backend_t backend) {
    return getenv("FAKE_OTHER_BACKEND") ? NULL : ((struct fake_backend *)backend)->device;
}
backend_t ggml_backend_dev_init(void *device, const char *params) {
    struct fake_device *d = fake_device_of(device);
    return SLOT(d, SLOT_INIT_BACKEND, backend_t(*)(void *, const char *))(d, params);
}
void ggml_backend_free(backend_t backend) {
    ((void (*)(backend_t))backend->slot[SLOT_FREE])(backend);
}
void ggml_backend_synchronize(backend_t backend) {
    void (*wait)(backend_t) = (void (*)(backend_t))backend->slot[SLOT_SYNCHRONIZE + SKIP];
    if (wait)
        wait(backend);
}

void *ggml_backend_event_new(void *device) {
    struct fake_device *d = fake_device_of(device);
    void *(*make)(void *) = SLOT(d, SLOT_EVENT_NEW, void *(*)(void *));
    return make ? make(d) : NULL;
}
void ggml_backend_event_free(void *event) {
    if (!event)
        return;
    struct fake_device *d = ((struct fake_event *)event)->device;
    SLOT(d, SLOT_EVENT_FREE, void (*)(void *, void *))(d, event);
}
void ggml_backend_event_record(void *event, backend_t backend) {
    SLOT(backend->slot, SLOT_EVENT_RECORD + SKIP, void (*)(backend_t, void *))(backend, event);
}
void ggml_backend_event_wait(backend_t backend, void *event) {
    SLOT(backend->slot, SLOT_EVENT_WAIT + SKIP, void (*)(backend_t, void *))(backend, event);
}
void ggml_backend_event_synchronize(void *event) {
    struct fake_device *d = ((struct fake_event *)event)->device;
    SLOT(d, SLOT_EVENT_SYNCHRONIZE, void (*)(void *, void *))(d, event);
}
