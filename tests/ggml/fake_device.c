// The devices of the stand-in: backends that do nothing late, buffers, events.
#define _GNU_SOURCE
#include "fake.h"
#include <stdio.h>
#include <sys/mman.h>

static char *bytes_of(const tensor_t *tensor) {
    const struct fake_buffer *buffer = tensor->buffer;
    bool host = fake_is_cpu(buffer->type->device);
    return host ? tensor->data : (char *)buffer->context + ((uintptr_t)tensor->data - FAKE_BASE);
}

static const char *device_name(struct fake_device *device) { return device->name; }
static const char *type_name(struct fake_type *type) { return type->device->name; }
static const char *backend_name(struct fake_backend *backend) { return backend->device->name; }

static void free_cpu_memory(struct fake_buffer *buffer) { (void)buffer; }
static void free_device_memory(struct fake_buffer *buffer) { (void)buffer; }
bool fake_is_device_buffer(const struct fake_buffer *buffer) {
    return buffer->slot[SLOT_BUFFER_FREE] == (void *)free_device_memory;
}

static void *base_of(struct fake_buffer *buffer) {
    return fake_is_cpu(buffer->type->device) ? buffer->context : (void *)FAKE_BASE;
}
static void set_memory(struct fake_buffer *buffer, tensor_t *tensor, uint8_t value, size_t offset,
                       size_t size) {
    (void)buffer;
    memset(bytes_of(tensor) + offset, value, size);
}
static void set(struct fake_buffer *buffer, tensor_t *tensor, const void *data, size_t offset,
                size_t size) {
    (void)buffer;
    memcpy(bytes_of(tensor) + offset, data, size);
}
static void get(struct fake_buffer *buffer, const tensor_t *tensor, void *data, size_t offset,
                size_t size) {
    (void)buffer;
    memcpy(data, bytes_of(tensor) + offset, size);
}
#ifdef LAYOUT_2D
static void set_2d(struct fake_buffer *buffer, tensor_t *tensor, const void *data, size_t offset,
                   size_t size, size_t rows, size_t tensor_pitch, size_t data_pitch) {
    for (size_t i = 0; i < rows; i++)
        set(buffer, tensor, (const char *)data + i * data_pitch, offset + i * tensor_pitch, size);
}
#endif
// Between its own buffers only, which it knows by what frees them.
static bool copy(struct fake_buffer *buffer, const tensor_t *src, tensor_t *dst) {
    if (!fake_is_device_buffer(buffer) || !fake_is_device_buffer(src->buffer))
        return false;
    memcpy(bytes_of(dst), bytes_of(src), ggml_nbytes(src));
    return true;
}
static void clear(struct fake_buffer *buffer, uint8_t value) {
    memset(buffer->context, value, buffer->size);
}

struct fake_buffer *fake_buffer_over(struct fake_device *device, void *memory, size_t size) {
    struct fake_buffer *buffer = calloc(1, sizeof *buffer);
    bool cpu = fake_is_cpu(device);
    buffer->type = &device->type;
    buffer->context = memory;
    buffer->size = size;
    buffer->slot[SLOT_BUFFER_FREE] = cpu ? (void *)free_cpu_memory : (void *)free_device_memory;
    buffer->slot[1] = (void *)base_of;
    buffer->slot[SLOT_MEMSET] = (void *)set_memory;
    buffer->slot[SLOT_SET] = (void *)set;
    buffer->slot[SLOT_GET] = (void *)get;
#ifdef LAYOUT_2D
    buffer->slot[SLOT_SET_2D] = cpu ? NULL : (void *)set_2d;
#endif
    buffer->slot[SLOT_COPY + SKIP] = (void *)copy;
    buffer->slot[SLOT_CLEAR + SKIP] = (void *)clear;
    return buffer;
}

static void *alloc(struct fake_type *type, size_t size) {
    return fake_buffer_over(type->device, calloc(1, size + 1), size);
}
static void *over_host_memory(struct fake_device *device, void *data, size_t size, size_t largest) {
    (void)largest;
    return fake_buffer_over(device, data, size);
}

static void free_backend(struct fake_backend *backend) { free(backend); }
static void synchronize(backend_t backend) { (void)backend; }
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
// Accepts host sources, as a device with pinned memory does; FAKE_REFUSE refuses all.
static bool copy_async(backend_t src_backend, backend_t dst_backend, const tensor_t *src,
                       tensor_t *dst) {
    (void)src_backend, (void)dst_backend;
    const struct fake_buffer *from = src->buffer;
    if (getenv("FAKE_REFUSE") || !fake_is_cpu(from->type->device))
        return false;
    memcpy(bytes_of(dst), bytes_of(src), ggml_nbytes(src));
    return true;
}
static int compute(backend_t backend, struct fake_graph *graph) {
    (void)backend;
    return graph->count ? 0 : -1; // an empty graph fails
}
static void event_record(backend_t backend, struct fake_event *event) {
    (void)backend;
    event->records++;
}
static void event_wait(backend_t backend, struct fake_event *event) { (void)backend, (void)event; }

static backend_t init(struct fake_device *device, const char *params) {
    struct fake_backend *backend = calloc(1, sizeof *backend);
    (void)params;
    backend->device = device;
    backend->slot[0] = (void *)backend_name;
    backend->slot[SLOT_FREE] = (void *)free_backend;
    backend->slot[SLOT_COMPUTE + SKIP] = (void *)compute;
    if (!fake_is_cpu(device)) {
        backend->slot[SLOT_SET_ASYNC] = (void *)set_async;
        backend->slot[SLOT_GET_ASYNC] = (void *)get_async;
        backend->slot[SLOT_COPY_ASYNC + SKIP] = (void *)copy_async;
        backend->slot[SLOT_SYNCHRONIZE + SKIP] = (void *)synchronize;
        backend->slot[SLOT_EVENT_RECORD + SKIP] = (void *)event_record;
        backend->slot[SLOT_EVENT_WAIT + SKIP] = (void *)event_wait;
    }
    return (backend_t)backend;
}

static void *type_of(struct fake_device *device) { return &device->type; }
static void *event_new(struct fake_device *device) {
    struct fake_event *event = calloc(1, sizeof *event);
    event->device = device;
    return event;
}
static void event_free(struct fake_device *device, struct fake_event *event) {
    (void)device;
    free(event);
}
static void event_synchronize(struct fake_device *device, struct fake_event *event) {
    (void)device, (void)event;
}

static void make(struct fake_device *device, int number) {
    const char *family = getenv("FAKE_FAMILY") ? getenv("FAKE_FAMILY") : "Fake";
    if (number == 0)
        strcpy(device->name, "CPU");
    else
        snprintf(device->name, sizeof device->name, "%.8s%d", family, (number - 1) % 10);
    device->registry = fake_registry();
    device->type.device = device;
    device->type.slot[0] = (void *)type_name;
    device->type.slot[SLOT_ALLOC] = (void *)alloc;
    device->slot[0] = (void *)device_name;
    device->slot[SLOT_INIT_BACKEND] = (void *)init;
    device->slot[SLOT_BUFFER_TYPE] = (void *)type_of;
    device->slot[SLOT_FROM_HOST_POINTER] = (void *)over_host_memory;
    if (number) {
        device->slot[SLOT_EVENT_NEW] = (void *)event_new;
        device->slot[SLOT_EVENT_FREE] = (void *)event_free;
        device->slot[SLOT_EVENT_SYNCHRONIZE] = (void *)event_synchronize;
    }
}

static struct fake_device *all;
bool fake_is_cpu(const struct fake_device *device) { return device == all; }
struct fake_device *fake_devices(void) {
    return all;
}

// FAKE_CONSTANT: as devices that a backend keeps in constant memory.
__attribute__((constructor)) static void make_all(void) {
    enum { BYTES = 4096 };
    all = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    for (int i = 0; i < FAKE_DEVICES; i++)
        make(&all[i], i);
    if (getenv("FAKE_CONSTANT"))
        mprotect(all, BYTES, PROT_READ);
}

// What every registry of these devices answers.
size_t fake_count(struct ggml_registry *registry) {
    (void)registry;
    return FAKE_DEVICES;
}
void *fake_device_at(struct ggml_registry *registry, size_t index) {
    (void)registry;
    return &fake_devices()[index];
}
void *fake_function(struct ggml_registry *registry, const char *wanted) {
    (void)registry, (void)wanted;
    return NULL;
}
