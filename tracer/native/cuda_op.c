// CUDA's calls: their beginning, contexts as devices, events.
#include "address_table.h"
#include "cuda_calls.h"
#include <stdio.h>

static int driver_says(const char *name, int *value) {
    int (*ask)(int *) = (int (*)(int *))cuda_unrecorded(name);
    return ask ? ask(value) : CUDA_ERROR_NOT_FOUND;
}

// Without a context there is none: the first is what a program that says nothing uses.
static int ask_device_of_context(void) {
    int device = 0;
    return driver_says("cuCtxGetDevice", &device) == 0 ? device : 0;
}

static const char *name_of_driver_call(uint32_t function) {
    uint32_t at = function - CALL_CUDA_FIRST;
    return at < CUDA_COUNT ? cuda_entries[at].name : NULL;
}

static void tell_driver(struct thread *thread) {
    int version = 0;
    char text[32] = "unknown";
    if (driver_says("cuDriverGetVersion", &version) == 0 && version > 0)
        snprintf(text, sizeof text, "%d.%d", version / 1000, version % 1000 / 10);
    process_tell_version("CUDA", text);
    cuda_times_begin(0);
    cuda_times_tell();
    for (unsigned i = 0; i < CUDA_COUNT; i++)
        op_tell_call(thread, CALL_CUDA_FIRST + i, cuda_entries[i].name);
    api_runtime = "CUDA";
    api_ask_device = ask_device_of_context;
    api_ask_name = name_of_driver_call;
    api_ask_extent = (int (*)(void **, size_t *, void *))cuda_unrecorded("cuMemGetAddressRange_v2");
}

void cuda_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
                void *frame) {
    static _Atomic uint32_t told;
    if (!api_enter(call, function, kind, caller, frame))
        return;
    uint32_t epoch = process_epoch();
    if (atomic_load_explicit(&told, memory_order_relaxed) != epoch &&
        atomic_exchange(&told, epoch) != epoch)
        tell_driver(call->op.thread);
}

// Context -> its device, so that nobody is asked again. Under the lock of handles.
static struct address_table contexts;
#define DEVICE_PLUS_ONE(device) ((void *)(uintptr_t)((device) + 1))

static int known_device(const void *context) {
    uintptr_t known = (uintptr_t)address_find(&contexts, context);
    return known ? (int)known - 1 : DEVICE_UNKNOWN;
}

static void remember(const void *context, void *device_plus_one) {
    handles_lock();
    address_put(&contexts, context, device_plus_one);
    handles_unlock();
}

void cuda_context_set(int rc, const void *context) {
    int device = rc == 0 && context ? known_device(context) : DEVICE_UNKNOWN;
    if (rc == 0 && context && device < 0 && driver_says("cuCtxGetDevice", &device) == 0)
        remember(context, DEVICE_PLUS_ONE(device));
    api_device_set(device < 0 ? DEVICE_UNKNOWN : device);
}

int cuda_device_of(struct api_call *call, const void *context) {
    int device = context ? known_device(context) : DEVICE_UNKNOWN;
    int (*ask)(int *, const void *) =
        device < 0 && context ? (int (*)(int *, const void *))cuda_unrecorded("cuCtxGetDevice_v2")
                              : NULL;
    if (ask && ask(&device, context) == 0)
        remember(context, DEVICE_PLUS_ONE(device));
    return device < 0 ? api_device(call) : device;
}

void cuda_on_context(struct api_call *call, const void *context) {
    call->op.record.device = cuda_device_of(call, context);
}

void cuda_on_device(struct api_call *call, int device) { call->op.record.device = device; }

// Another context may have its handle afterwards.
void cuda_context_goes(struct api_call *call, const void *context) {
    cuda_on_context(call, context);
    remember(context, NULL);
}

void cuda_event_made(struct api_call *call, void *event) {
    api_event_made(call->op.thread, event, api_device(call), false);
    api_on_event(call, event);
}
