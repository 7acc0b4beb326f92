// CUDA's calls: their beginning, contexts as devices, events.
#include "address_table.h"
#include "api_runtime.h"
#include "cuda_calls.h"

static void driver_begins(void) {
    cuda_times_begin(0);
    cuda_times_tell();
}

// Without a context there is no device: the first is what a program that says nothing uses.
static struct api_runtime cuda_driver = {
    .name = "CUDA",
    .library = &cuda_library,
    .first_call = CALL_CUDA_FIRST,
    .device = "cuCtxGetDevice",
    .version = "cuDriverGetVersion",
    .extent = "cuMemGetAddressRange_v2",
    .major = 1000,
    .minor = 10,
    .begins = driver_begins,
};

void cuda_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
                void *frame) {
    if (api_enter(call, function, kind, caller, frame))
        api_runtime_met(&cuda_driver, call->op.thread);
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
    int (*ask)(int *) =
        rc == 0 && context && device < 0 ? (int (*)(int *))cuda_unrecorded("cuCtxGetDevice") : NULL;
    if (ask && ask(&device) == 0)
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
