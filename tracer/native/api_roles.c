// What a function of a GPU API does on a stream, a device or an event: the words of X_roles.txt.
#include "api_roles.h"

// The same numbers in CUDA and HIP.
enum { API_STREAM_NONBLOCKING = 1, API_EVENT_EXTERNAL = 1 };

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
