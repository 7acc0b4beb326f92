// HIP's calls: their beginning and end, devices, streams, events.
#include "api_runtime.h"
#include "hip_calls.h"

enum { HIP_EVENT_DISABLE_SYSTEM_FENCE = 0x20000000 };

static struct api_runtime hip_runtime = {
    .name = "HIP",
    .library = &hip_library,
    .first_call = CALL_HIP_FIRST,
    .device = "hipGetDevice",
    .version = "hipRuntimeGetVersion",
    .extent = "hipMemGetAddressRange",
    .major = 10000000,
    .minor = 100000,
};

void hip_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
               void *frame) {
    if (api_enter(call, function, kind, caller, frame))
        api_runtime_met(&hip_runtime, call->op.thread);
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
