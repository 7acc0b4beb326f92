// Events: a cell that holds the command of its last record, so that a wait binds to that record.
#include "standin.h"
#include <stdlib.h>

#define KNOWN_FLAGS                                                                                \
    (hipEventBlockingSync | hipEventDisableTiming | hipEventInterprocess |                         \
     hipEventDisableSystemFence | hipEventReleaseToDevice | hipEventReleaseToSystem)

hipError_t impl_hipEventCreateWithFlags(hipEvent_t *handle, unsigned flags) {
    unsigned release = hipEventReleaseToDevice | hipEventReleaseToSystem;
    bool both = (flags & release) == release;
    bool timed_interprocess = flags & hipEventInterprocess && !(flags & hipEventDisableTiming);
    if (!handle || flags & ~KNOWN_FLAGS || both || timed_interprocess)
        return fail(hipErrorInvalidValue);
    if (!standin_settings.devices)
        return fail(hipErrorNoDevice);
    struct event *event = calloc(1, sizeof *event);
    event->refs = 1;
    event->flags = flags;
    event->device = current_device();
    *handle = (hipEvent_t)event;
    return hipSuccess;
}
hipError_t impl_hipEventCreate(hipEvent_t *handle) {
    return impl_hipEventCreateWithFlags(handle, hipEventDefault);
}

static void drop(struct event *event) {
    if (--event->refs)
        return;
    if (event->other)
        drop(event->other);
    command_drop(event->command);
    forget_capture(event);
    free(event->captured.list);
    free(event);
}

struct event *event_of(hipEvent_t handle) {
    struct event *event = (struct event *)handle;
    return event && event->other ? event->other : event;
}

hipError_t impl_hipEventDestroy(hipEvent_t handle) {
    if (!handle)
        return fail(hipErrorInvalidHandle);
    lock();
    drop((struct event *)handle);
    unlock();
    return hipSuccess;
}

void record_command(struct event *event, struct command *command) {
    command_hold(command);
    command_drop(event->command);
    event->command = command;
}

hipError_t impl_hipEventRecordWithFlags(hipEvent_t handle, hipStream_t on, unsigned flags) {
    struct event *event = event_of(handle);
    struct stream *stream;
    if (!event || flags & ~(unsigned)hipEventRecordExternal)
        return fail(event ? hipErrorInvalidValue : hipErrorInvalidHandle);
    lock();
    hipError_t error = begin(on, &stream);
    if (!error && stream->device != event->device)
        error = hipErrorInvalidHandle;
    if (!error) {
        event->recorded_on = stream->id;
        if (is_capturing(stream)) {
            capture_record(event, handle, stream, flags == hipEventRecordExternal);
        } else {
            forget_capture(event);
            record_command(event, push_marker(stream, NULL));
        }
    }
    unlock();
    return fail(error);
}
hipError_t impl_hipEventRecord(hipEvent_t handle, hipStream_t on) {
    return impl_hipEventRecordWithFlags(handle, on, hipEventRecordDefault);
}

// Nothing is put into the queue for an event that was never recorded, is recorded in this very
// stream, or is complete.
hipError_t impl_hipStreamWaitEvent(hipStream_t on, hipEvent_t handle, unsigned flags) {
    struct event *event = event_of(handle);
    struct stream *stream;
    if (!event || flags & ~(unsigned)hipEventWaitExternal)
        return fail(event ? hipErrorInvalidValue : hipErrorInvalidHandle);
    lock();
    hipError_t error = begin(on, &stream);
    struct command *record = event->command;
    if (!error && (is_capturing(stream) || is_captured(event)))
        error = capture_wait(stream, event, handle, flags == hipEventWaitExternal);
    else if (!error && record && !record->done && record->stream != stream)
        push_marker(stream, record);
    unlock();
    return fail(error);
}

hipError_t impl_hipEventSynchronize(hipEvent_t handle) {
    struct event *event = event_of(handle);
    if (!event)
        return fail(hipErrorInvalidHandle);
    lock();
    hipError_t error = refuse_event_of_capture(event);
    if (!error)
        host_wait(event->command);
    unlock();
    return fail(error);
}

hipError_t impl_hipEventQuery(hipEvent_t handle) {
    struct event *event = event_of(handle);
    if (!event)
        return fail(hipErrorInvalidHandle);
    lock();
    hipError_t error = refuse_event_of_capture(event);
    if (!error && event->command && !event->command->done)
        error = hipErrorNotReady;
    unlock();
    return fail(error);
}

hipError_t impl_hipEventElapsedTime(float *ms, hipEvent_t first, hipEvent_t second) {
    struct event *start = event_of(first), *stop = event_of(second);
    if (!ms || !start || !stop)
        return fail(ms ? hipErrorInvalidHandle : hipErrorInvalidValue);
    lock();
    hipError_t error = hipSuccess;
    if (!start->command || !stop->command || (start->flags | stop->flags) & hipEventDisableTiming)
        error = hipErrorInvalidHandle;
    else if (!start->command->done || !stop->command->done)
        error = hipErrorNotReady;
    else
        *ms = (float)((double)stop->command->end_ns - (double)start->command->end_ns) / 1e6f;
    unlock();
    return fail(error);
}
