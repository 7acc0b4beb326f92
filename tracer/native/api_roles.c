// What a function of a GPU API does on a stream, a device or an event: the words of X_roles.txt.
#include "api_roles.h"
#include "api_graph_calls.h"

// The same numbers in CUDA and HIP.
enum { API_STREAM_NONBLOCKING = 1, API_EVENT_EXTERNAL = 1 };
enum { API_HOST_MAPPED = 2, API_HOST_WRITE_COMBINED = 4 };

static void record_behind(const struct api_call *launch, uint32_t function,
                          struct api_record also) {
    API_CALL(call);
    if (also.flags & FLAG_IMPLIED
            ? !api_enter_more(&call, launch, KIND_EVENT_RECORD)
            : !api_enter(&call, function, KIND_EVENT_RECORD, launch->caller, launch->frame))
        return;
    call.op.record.flags |= also.flags;
    call.stream = launch->stream;
    call.op.record.actor = launch->op.record.actor;
    call.op.record.device = launch->op.record.device;
    api_on_event(&call, also.event);
    api_leave(&call, 0, false);
}

void api_leave_call(struct api_call *call, int rc, uint32_t event_record) {
    if (rc != 0 && call->op.record.kind == KIND_CAPTURE_END)
        api_capture_failed(call);
    api_leave(call, rc, rc != 0);
    if (rc == 0 && call->signals)
        executable_launched(call);
    for (unsigned i = 0; i < 2 && rc == 0; i++)
        if (call->also_records[i].event)
            record_behind(call, event_record, call->also_records[i]);
}

void api_device_was_set(int rc, int device) {
    if (rc == 0)
        api_device_set(device);
}

void api_on_device(struct api_call *call) { call->op.record.device = api_device(call); }

void api_stream_created(struct api_call *call, void *stream, unsigned flags) {
    uint32_t kind = flags & API_STREAM_NONBLOCKING ? STREAM_FLAG_NONBLOCKING : STREAM_FLAG_BLOCKING;
    api_stream_made(call->op.thread, stream, api_device(call), kind);
    api_on_stream(call, stream);
}

void api_waits_event(struct api_call *call, void *stream, void *event, unsigned flags) {
    api_on_stream(call, stream);
    api_on_event(call, event);
    if (flags & API_EVENT_EXTERNAL)
        call->op.record.flags |= FLAG_EXTERNAL;
}

void api_records_event(struct api_call *call, void *event, void *stream, unsigned flags) {
    api_on_stream(call, stream);
    api_on_event(call, event);
    if (flags & API_EVENT_EXTERNAL)
        call->op.record.flags |= FLAG_EXTERNAL;
}

void api_copy_on(struct api_call *call, void *to, const void *from, size_t size, void *stream,
                 enum api_waits waits) {
    api_on_stream(call, stream);
    api_copy(call, to, size, from, size, size, 1, waits);
}

void api_copy_peer_on(struct api_call *call, void *to, int to_device, const void *from,
                      int from_device, size_t size, void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    api_copy_peer(call, to, to_device, from, from_device, size, waits);
}

void api_copy_rows_on(struct api_call *call, void *to, size_t to_pitch, const void *from,
                      size_t from_pitch, size_t width, size_t height, void *stream,
                      enum api_waits waits) {
    api_on_stream(call, stream);
    api_copy(call, to, to_pitch, from, from_pitch, width, height, waits);
}

void api_set_on(struct api_call *call, void *to, size_t size, void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    api_set(call, to, size, size, 1, waits);
}

void api_set_rows_on(struct api_call *call, void *to, size_t pitch, size_t width, size_t height,
                     void *stream, enum api_waits waits) {
    api_on_stream(call, stream);
    api_set(call, to, pitch, width, height, waits);
}

void api_allocated_host(struct api_call *call, void *memory, size_t size, unsigned flags) {
    api_allocated(call, memory, size,
                  flags & API_HOST_WRITE_COMBINED ? MEMORY_KIND_WRITE_COMBINED
                  : flags & API_HOST_MAPPED       ? MEMORY_KIND_MAPPED
                                                  : MEMORY_KIND_PINNED);
}

void api_device_pointer(int rc, void **device, const void *host) {
    const struct memory *memory = rc ? NULL : memory_alive((uintptr_t)host);
    if (memory && *device != host && !memory_alive((uintptr_t)*device))
        memory_alias(memory, (uintptr_t)host, (uintptr_t)*device);
}

void api_found(struct api_call *call, void *address, size_t size, bool foreign) {
    if (address && !memory_alive((uintptr_t)address))
        memory_add(call->op.thread, (struct memory){.base = (uintptr_t)address,
                                                    .size = size ? size : 1,
                                                    .kind = MEMORY_KIND_DEVICE,
                                                    .foreign = foreign});
}

void api_global(void *address, size_t size, bool foreign) {
    struct thread *thread = thread_self();
    struct api_call call = {.op.thread = thread};
    if (!thread)
        return;
    thread->busy = true;
    api_found(&call, address, size, foreign);
    thread->busy = false;
}
