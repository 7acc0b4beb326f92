// HIP's calls: their beginning and end, devices, streams, events.
#include "hip_calls.h"
#include <stdio.h>

enum { HIP_EVENT_DISABLE_SYSTEM_FENCE = 0x20000000 };

static int asked(const char *name, int *value) {
    int (*ask)(int *) = (int (*)(int *))hip_unrecorded(name);
    return ask ? ask(value) : HIP_ERROR_NOT_FOUND;
}

static int ask_device(void) {
    int device = 0;
    return asked("hipGetDevice", &device) == 0 ? device : 0;
}

static const char *name_of_call(uint32_t function) {
    uint32_t at = function - CALL_HIP_FIRST;
    return at < HIP_COUNT ? hip_entries[at].name : NULL;
}

static void tell_runtime(struct thread *thread) {
    int version = 0;
    char text[32] = "unknown";
    if (asked("hipRuntimeGetVersion", &version) == 0 && version > 0)
        snprintf(text, sizeof text, "%d.%d", version / 10000000, version / 100000 % 100);
    process_tell_version("HIP", text);
    for (unsigned i = 0; i < HIP_COUNT; i++)
        op_tell_call(thread, CALL_HIP_FIRST + i, hip_entries[i].name);
    api_runtime = "HIP";
    api_ask_device = ask_device;
    api_ask_name = name_of_call;
    api_ask_extent = (int (*)(void **, size_t *, void *))hip_unrecorded("hipMemGetAddressRange");
}

void hip_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
               void *frame) {
    static _Atomic uint32_t told;
    if (!api_enter(call, function, kind, caller, frame))
        return;
    uint32_t epoch = process_epoch();
    if (atomic_load_explicit(&told, memory_order_relaxed) != epoch &&
        atomic_exchange(&told, epoch) != epoch)
        tell_runtime(call->op.thread);
}

void hip_event_made(struct api_call *call, void *event, unsigned flags) {
    api_event_made(call->op.thread, event, api_device(call),
                   flags & HIP_EVENT_DISABLE_SYSTEM_FENCE);
    api_on_event(call, event);
}

void hip_proc_address(int rc, const char *name, void **address) {
    unsigned function = rc == 0 && name && address ? library_named(&hip_library, name) : HIP_COUNT;
    if (function == HIP_COUNT || !*address || *address == hip_entries[function].wrapper)
        return;
    if (library_recorded(&hip_library, function, *address))
        *address = hip_entries[function].wrapper;
}
