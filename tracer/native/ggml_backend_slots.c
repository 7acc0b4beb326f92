#include "ggml_backend_slots.h"
#include "ggml_backend_calls.h"
#include "ggml_layout.h"
#include "ggml_tensor_calls.h"
#include "process.h"
#include "resolve.h"
#include "slots.h"

typedef void (*backend_slot)(backend_t);
typedef void (*set_slot)(backend_t, tensor_t *, const void *, size_t, size_t);
typedef void (*get_slot)(backend_t, const tensor_t *, void *, size_t, size_t);
typedef void (*set_2d_slot)(backend_t, tensor_t *, const void *, size_t, size_t, size_t, size_t,
                            size_t);
typedef void (*get_2d_slot)(backend_t, const tensor_t *, void *, size_t, size_t, size_t, size_t,
                            size_t);
typedef int (*compute_slot)(backend_t, void *);
typedef void (*event_slot)(backend_t, void *);

static int moved(int slot) { return slot + ggml_layout()->moved; }

static void free_hook(backend_t backend) {
    OP(op);
    backend_slot real = (backend_slot)slot_before(backend, SLOT_FREE);
    end_begin(&op, BY_SLOT, backend);
    slots_gone(backend);
    op_out(&op);
    real(backend);
    op_leave(&op);
}

static void set_hook(backend_t backend, tensor_t *tensor, const void *data, size_t offset,
                     size_t size) {
    OP(op);
    struct in_flight source;
    set_async_begin(&op, BY_SLOT, &source, backend, tensor, data, offset, size);
    CALL_SLOT(op, backend, SLOT_SET_ASYNC, set_slot)(backend, tensor, data, offset, size);
    async_end(&op, &source, data, false);
}

static void get_hook(backend_t backend, const tensor_t *tensor, void *data, size_t offset,
                     size_t size) {
    OP(op);
    struct in_flight destination;
    get_async_begin(&op, BY_SLOT, &destination, backend, tensor, data, offset, size);
    CALL_SLOT(op, backend, SLOT_GET_ASYNC, get_slot)(backend, tensor, data, offset, size);
    async_end(&op, &destination, data, true);
}

static void set_2d_hook(backend_t backend, tensor_t *tensor, const void *data, size_t offset,
                        size_t size, size_t rows, size_t tensor_pitch, size_t data_pitch) {
    OP(op);
    struct in_flight source;
    set_2d_async_begin(&op, BY_SLOT, &source, backend, tensor, data,
                       (struct rows){offset, size, rows, tensor_pitch, data_pitch});
    CALL_SLOT(op, backend, SLOT_SET_2D_ASYNC, set_2d_slot)
    (backend, tensor, data, offset, size, rows, tensor_pitch, data_pitch);
    async_end(&op, &source, data, false);
}

static void get_2d_hook(backend_t backend, const tensor_t *tensor, void *data, size_t offset,
                        size_t size, size_t rows, size_t tensor_pitch, size_t data_pitch) {
    OP(op);
    struct in_flight destination;
    get_2d_async_begin(&op, BY_SLOT, &destination, backend, tensor, data,
                       (struct rows){offset, size, rows, tensor_pitch, data_pitch});
    CALL_SLOT(op, backend, SLOT_GET_2D_ASYNC, get_2d_slot)
    (backend, tensor, data, offset, size, rows, tensor_pitch, data_pitch);
    async_end(&op, &destination, data, true);
}

static void synchronize_hook(backend_t backend) {
    OP(op);
    if (synchronize_begin(&op, BY_SLOT, backend))
        CALL_SLOT(op, backend, moved(SLOT_SYNCHRONIZE), backend_slot)(backend);
    synchronize_end(&op, BY_SLOT);
}

static int compute_hook(backend_t backend, void *graph) {
    OP(op);
    compute_begin(&op, BY_SLOT, backend, graph);
    int status = CALL_SLOT(op, backend, moved(SLOT_COMPUTE), compute_slot)(backend, graph);
    compute_end(&op, backend, status);
    return status;
}

static void event_record_hook(backend_t backend, void *event) {
    OP(op);
    event_record_begin(&op, BY_SLOT, event, backend);
    CALL_SLOT(op, backend, moved(SLOT_EVENT_RECORD), event_slot)(backend, event);
    op_leave(&op);
}

static void event_wait_hook(backend_t backend, void *event) {
    OP(op);
    if (event_wait_begin(&op, BY_SLOT, backend, event))
        CALL_SLOT(op, backend, moved(SLOT_EVENT_WAIT), event_slot)(backend, event);
    op_leave(&op);
}

// Its device lies behind the interface, which ends with a slot that the older layout has or not.
static bool has_known_layout(backend_t backend) {
    __typeof__(&ggml_backend_get_device) device_of = REAL(ggml_backend_get_device);
    if (!device_of)
        return false;
    const void *device = device_of(backend);
    int end = moved(SLOTS_BACKEND);
    return device && (backend->slot[end] == device || backend->slot[end + 1] == device);
}

void backend_slots_take(backend_t backend) {
    if (!has_known_layout(backend)) {
        atomic_fetch_add(&process.control->untracked, 1);
        return;
    }
    struct swap swaps[9] = {
        {SLOT_FREE, (void *)free_hook},
        {SLOT_SET_ASYNC, (void *)set_hook},
        {SLOT_GET_ASYNC, (void *)get_hook},
        {moved(SLOT_SYNCHRONIZE), (void *)synchronize_hook},
        {moved(SLOT_COMPUTE), (void *)compute_hook},
        {moved(SLOT_EVENT_RECORD), (void *)event_record_hook},
        {moved(SLOT_EVENT_WAIT), (void *)event_wait_hook},
    };
    size_t count = 7;
    if (ggml_layout()->moved) {
        swaps[count++] = (struct swap){SLOT_SET_2D_ASYNC, (void *)set_2d_hook};
        swaps[count++] = (struct swap){SLOT_GET_2D_ASYNC, (void *)get_2d_hook};
    }
    slots_swap(backend, backend->slot, swaps, count);
}
