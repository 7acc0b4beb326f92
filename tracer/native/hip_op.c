// HIP's calls: their beginning and end, devices, streams, events.
#include "hip_calls.h"
#include <stdio.h>

enum {
    HIP_STREAM_NONBLOCKING = 1,
    HIP_EVENT_DISABLE_SYSTEM_FENCE = 0x20000000,
    HIP_EVENT_EXTERNAL = 1,
};

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
    api_ask_device = ask_device;
    api_ask_name = name_of_call;
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

static void record_behind(const struct api_call *launch, void *event) {
    API_CALL(call);
    if (!api_enter(&call, CALL_hipEventRecord, KIND_EVENT_RECORD, launch->caller, launch->frame))
        return;
    call.stream = launch->stream;
    call.op.record.actor = launch->op.record.actor;
    call.op.record.device = launch->op.record.device;
    api_on_event(&call, event);
    api_leave(&call, 0, false);
}

// A query that found work is no failure, but no order either.
void hip_leave(struct api_call *call, int rc) {
    if (rc != 0 && call->op.record.kind == KIND_CAPTURE_END)
        hip_capture_failed(call);
    api_leave(call, rc, rc != 0);
    if (rc == 0 && call->signals)
        executable_launched(call);
    for (unsigned i = 0; i < 2 && rc == 0; i++)
        if (call->also_records[i])
            record_behind(call, call->also_records[i]);
}

void hip_device_set(int rc, int device) {
    if (rc == 0)
        api_device_set(device);
}

void hip_on_device(struct api_call *call) { call->op.record.device = api_device(call); }

void hip_stream_made(struct api_call *call, void *stream, unsigned flags) {
    uint32_t kind = flags & HIP_STREAM_NONBLOCKING ? STREAM_FLAG_NONBLOCKING : STREAM_FLAG_BLOCKING;
    api_stream_made(call->op.thread, stream, api_device(call), kind);
    api_on_stream(call, stream);
}

void hip_waits_event(struct api_call *call, void *stream, void *event, unsigned flags) {
    api_on_stream(call, stream);
    api_on_event(call, event);
    if (flags & HIP_EVENT_EXTERNAL)
        call->op.record.flags |= FLAG_EXTERNAL;
}

void hip_event_made(struct api_call *call, void *event, unsigned flags) {
    api_event_made(call->op.thread, event, api_device(call),
                   flags & HIP_EVENT_DISABLE_SYSTEM_FENCE);
    api_on_event(call, event);
}

void hip_records_event(struct api_call *call, void *event, void *stream, unsigned flags) {
    api_on_stream(call, stream);
    api_on_event(call, event);
    if (flags & HIP_EVENT_EXTERNAL)
        call->op.record.flags |= FLAG_EXTERNAL;
}

void hip_proc_address(int rc, const char *name, void **address) {
    enum hip_function function = rc == 0 && name && address ? hip_named(name) : HIP_COUNT;
    if (function == HIP_COUNT || !*address || *address == hip_entries[function].wrapper)
        return;
    void *none = NULL;
    atomic_compare_exchange_strong(&hip_real[function], &none, *address);
    *address = hip_entries[function].wrapper;
}
