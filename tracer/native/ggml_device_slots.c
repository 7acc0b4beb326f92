#include "ggml_device_slots.h"
#include "ggml_backend_calls.h"
#include "ggml_buffer_calls.h"
#include "resolve.h"
#include "slots.h"
#include "writable.h"

typedef backend_t (*init_slot)(void *device, const char *params);
typedef void *(*type_slot)(void *device);
typedef void *(*over_host_slot)(void *device, void *data, size_t size, size_t largest);
typedef void *(*event_new_slot)(void *device);
typedef void (*event_slot)(void *device, void *event);
typedef void *(*alloc_slot)(void *type, size_t size);

static void *alloc_hook(void *type, size_t size) {
    OP(op);
    alloc_begin(&op, BY_SLOT);
    void *buffer = CALL_SLOT(op, type, SLOT_ALLOC, alloc_slot)(type, size);
    alloc_end(&op, buffer, size);
    return buffer;
}

static void type_slots_take(void *type) {
    static const struct swap swap = {SLOT_ALLOC, (void *)alloc_hook};
    void **slots = type;
    if (!type || slots[SLOT_ALLOC] == (void *)alloc_hook || !REAL(ggml_backend_buft_get_device))
        return;
    if (slots[FIELD_DEVICE] == REAL(ggml_backend_buft_get_device)(type) &&
        is_writable(slots, sizeof *slots * FIELD_DEVICE))
        slots_swap(type, slots, &swap, 1);
}

static backend_t init_hook(void *device, const char *params) {
    OP(op);
    init_begin(&op, BY_SLOT);
    backend_t backend = CALL_SLOT(op, device, SLOT_INIT_BACKEND, init_slot)(device, params);
    init_end(&op, backend);
    return backend;
}

// Types are taken when the program asks for them: asking first may start a device it never uses.
static void *type_hook(void *device) {
    void *type = ((type_slot)slot_before(device, SLOT_BUFFER_TYPE))(device);
    type_slots_take(type);
    return type;
}

static void *host_type_hook(void *device) {
    void *type = ((type_slot)slot_before(device, SLOT_HOST_BUFFER_TYPE))(device);
    type_slots_take(type);
    return type;
}

static void *over_host_hook(void *device, void *data, size_t size, size_t largest) {
    OP(op);
    over_host_begin(&op, CALL_ggml_backend_dev_buffer_from_host_ptr, BY_SLOT);
    void *buffer =
        CALL_SLOT(op, device, SLOT_FROM_HOST_POINTER, over_host_slot)(device, data, size, largest);
    over_host_end(&op, buffer, data);
    return buffer;
}

static void *event_new_hook(void *device) {
    OP(op);
    event_new_begin(&op, BY_SLOT);
    void *event = CALL_SLOT(op, device, SLOT_EVENT_NEW, event_new_slot)(device);
    event_new_end(&op, event);
    return event;
}

static void event_free_hook(void *device, void *event) {
    OP(op);
    event_free_begin(&op, BY_SLOT, event);
    CALL_SLOT(op, device, SLOT_EVENT_FREE, event_slot)(device, event);
    op_leave(&op);
}

static void event_synchronize_hook(void *device, void *event) {
    OP(op);
    if (event_synchronize_begin(&op, BY_SLOT, event))
        CALL_SLOT(op, device, SLOT_EVENT_SYNCHRONIZE, event_slot)(device, event);
    event_synchronize_end(&op, BY_SLOT);
}

bool device_slots_take(void *device) {
    static const struct swap swaps[] = {
        {SLOT_INIT_BACKEND, (void *)init_hook},
        {SLOT_BUFFER_TYPE, (void *)type_hook},
        {SLOT_HOST_BUFFER_TYPE, (void *)host_type_hook},
        {SLOT_FROM_HOST_POINTER, (void *)over_host_hook},
        {SLOT_EVENT_NEW, (void *)event_new_hook},
        {SLOT_EVENT_FREE, (void *)event_free_hook},
        {SLOT_EVENT_SYNCHRONIZE, (void *)event_synchronize_hook},
    };
    __typeof__(&ggml_backend_dev_backend_reg) registry_of = REAL(ggml_backend_dev_backend_reg);
    void **slots = device;
    bool taken = device && registry_of && slots[FIELD_REGISTRY] == (void *)registry_of(device) &&
                 is_writable(slots, sizeof *slots * FIELD_REGISTRY) &&
                 slots_swap(device, slots, swaps, sizeof swaps / sizeof *swaps);
    if (!taken)
        atomic_fetch_add(&slots_missed, 1);
    return taken;
}

void host_type_slots_take(void) {
    if (REAL(ggml_backend_cpu_buffer_type))
        type_slots_take(REAL(ggml_backend_cpu_buffer_type)());
}
