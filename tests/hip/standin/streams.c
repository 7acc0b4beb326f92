// Streams of the API: which one a handle means, what the legacy one waits for, and their life.
#include "standin.h"
#include <stdlib.h>

static struct stream *null_streams[MAX_DEVICES];
static __thread struct stream *per_thread[MAX_DEVICES];
static pthread_key_t thread_ends;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t numbers = MAX_DEVICES; // of streams, for their seeds; null streams come first

struct stream *null_stream(int device) {
    if (!null_streams[device]) {
        null_streams[device] = new_stream(device, hipStreamDefault, (uint64_t)device);
        null_streams[device]->null = true;
    }
    return null_streams[device];
}

void forget_streams(void) {
    for (int i = 0; i < MAX_DEVICES; i++)
        null_streams[i] = per_thread[i] = NULL;
}

static void end_per_thread(void *unused) {
    (void)unused;
    lock();
    for (int i = 0; i < MAX_DEVICES; i++)
        if (per_thread[i]) {
            end_stream(per_thread[i]);
            per_thread[i] = NULL;
        }
    unlock();
}
static void make_key(void) { pthread_key_create(&thread_ends, end_per_thread); }

static struct stream *thread_stream(int device) {
    if (!per_thread[device]) {
        pthread_once(&once, make_key);
        pthread_setspecific(thread_ends, (void *)1);
        per_thread[device] = new_stream(device, hipStreamDefault, numbers++);
        per_thread[device]->per_thread = true;
    }
    return per_thread[device];
}

hipError_t find_stream(hipStream_t handle, struct stream **found) {
    if (!standin_settings.devices)
        return hipErrorNoDevice;
    if ((!handle && !standin_own_stream) || handle == hipStreamLegacy) {
        *found = null_stream(current_device());
        return hipSuccess;
    }
    if (!handle || handle == hipStreamPerThread) {
        *found = thread_stream(current_device());
        return hipSuccess;
    }
    for (struct stream *s = all_streams(); s; s = s->next)
        if (s == (struct stream *)handle && !s->internal && !s->null && !s->per_thread &&
            !s->destroyed) {
            *found = s;
            return hipSuccess;
        }
    return hipErrorContextIsDestroyed;
}

static bool is_blocking(const struct stream *s) {
    return !s->null && !s->internal && !(s->flags & hipStreamNonBlocking);
}

// The legacy stream waits for what is last in each blocking stream of its device, and they for it:
// a snapshot, put into the queue as a marker only if something is still to be waited for. The
// streams are seen at one time here; in clr two threads may each miss the other.
void order_with_null(struct stream *stream) {
    struct command *marker = new_command(NULL, stream);
    if (stream->null) {
        for (struct stream *s = all_streams(); s; s = s->next)
            if (s->device == stream->device && is_blocking(s))
                wait_also(marker, s->last);
    } else if (is_blocking(stream) && null_streams[stream->device]) {
        wait_also(marker, null_streams[stream->device]->last);
    }
    if (marker->waits) {
        push(stream, marker);
    } else {
        command_hold(marker);
        command_drop(marker);
    }
}

hipError_t begin(hipStream_t handle, struct stream **found) {
    hipError_t error = find_stream(handle, found);
    if (error)
        return error;
    if ((*found)->capture)
        return is_capture_invalid(*found) ? hipErrorStreamCaptureInvalidated : hipSuccess;
    error = (*found)->null ? refuse_legacy((*found)->device) : hipSuccess;
    if (!error)
        order_with_null(*found);
    return error;
}

hipError_t submit(hipStream_t handle, const struct work *work) {
    struct stream *stream;
    lock();
    hipError_t error = begin(handle, &stream);
    if (!error && is_capturing(stream))
        capture_work(stream, work);
    else if (!error)
        push(stream, new_command(work, stream));
    unlock();
    return fail(error);
}

// --- The API ---

hipError_t impl_hipStreamCreateWithPriority(hipStream_t *handle, unsigned flags, int priority) {
    if (!handle || flags & ~(unsigned)hipStreamNonBlocking)
        return fail(hipErrorInvalidValue);
    if (!standin_settings.devices)
        return fail(hipErrorNoDevice);
    lock();
    struct stream *stream = new_stream(current_device(), flags, numbers++);
    stream->priority = priority < -1 ? -1 : priority > 1 ? 1 : priority;
    *handle = (hipStream_t)stream;
    unlock();
    return hipSuccess;
}
hipError_t impl_hipStreamCreateWithFlags(hipStream_t *handle, unsigned flags) {
    return impl_hipStreamCreateWithPriority(handle, flags, 0);
}
hipError_t impl_hipStreamCreate(hipStream_t *handle) {
    return impl_hipStreamCreateWithPriority(handle, hipStreamDefault, 0);
}
hipError_t impl_hipExtStreamCreateWithCUMask(hipStream_t *handle, uint32_t size,
                                             const uint32_t *mask) {
    if (!size || !mask)
        return fail(hipErrorInvalidValue);
    return impl_hipStreamCreateWithPriority(handle, hipStreamDefault, 0);
}

static bool is_reserved(hipStream_t handle) {
    return !handle || handle == hipStreamLegacy || handle == hipStreamPerThread;
}

hipError_t impl_hipStreamDestroy(hipStream_t handle) {
    struct stream *stream;
    if (is_reserved(handle))
        return fail(hipErrorInvalidHandle);
    lock();
    hipError_t error = find_stream(handle, &stream);
    if (!error && standin_is_cuda)
        abandon_stream(stream);
    else if (!error)
        end_stream(stream);
    unlock();
    return fail(error);
}

hipError_t impl_hipStreamSynchronize(hipStream_t handle) {
    struct stream *stream;
    lock();
    hipError_t error = find_stream(handle, &stream);
    if (!error)
        error = stream->null ? refuse_legacy(stream->device) : refuse_capturing(stream);
    if (!error) {
        if (stream->null)
            order_with_null(stream);
        finish(stream);
    }
    unlock();
    return fail(error);
}

// As clr does, it is ordered like work: asked of the legacy stream it puts a marker there.
hipError_t impl_hipStreamQuery(hipStream_t handle) {
    struct stream *stream;
    lock();
    hipError_t error = begin(handle, &stream);
    if (!error)
        error = refuse_capturing(stream);
    if (!error && stream->last && !stream->last->done)
        error = hipErrorNotReady;
    unlock();
    return fail(error);
}

hipError_t impl_hipDeviceSynchronize(void) {
    if (!standin_settings.devices)
        return fail(hipErrorNoDevice);
    lock();
    hipError_t error = refuse_while_capturing(hipErrorStreamCaptureUnsupported);
    if (!error)
        finish_device(current_device());
    unlock();
    return fail(error);
}

enum fact { FLAGS, PRIORITY, DEVICE, ID };
static hipError_t fact_of(hipStream_t handle, enum fact fact, unsigned long long *value) {
    struct stream *stream;
    lock();
    hipError_t error = find_stream(handle, &stream);
    if (!error)
        *value = fact == FLAGS      ? stream->flags
                 : fact == PRIORITY ? (unsigned long long)(long long)stream->priority
                 : fact == DEVICE   ? (unsigned long long)stream->device
                                    : stream->id;
    unlock();
    return fail(error);
}

hipError_t impl_hipStreamGetFlags(hipStream_t handle, unsigned *flags) {
    unsigned long long value = 0;
    hipError_t error = flags ? fact_of(handle, FLAGS, &value) : fail(hipErrorInvalidValue);
    if (!error)
        *flags = (unsigned)value;
    return error;
}
hipError_t impl_hipStreamGetPriority(hipStream_t handle, int *priority) {
    unsigned long long value = 0;
    hipError_t error = priority ? fact_of(handle, PRIORITY, &value) : fail(hipErrorInvalidValue);
    if (!error)
        *priority = (int)(long long)value;
    return error;
}
hipError_t impl_hipStreamGetDevice(hipStream_t handle, hipDevice_t *device) {
    unsigned long long value = 0;
    hipError_t error = device ? fact_of(handle, DEVICE, &value) : fail(hipErrorInvalidValue);
    if (!error)
        *device = (int)value;
    return error;
}
hipError_t impl_hipStreamGetId(hipStream_t handle, unsigned long long *id) {
    return id ? fact_of(handle, ID, id) : fail(hipErrorInvalidValue);
}
int impl_hipGetStreamDeviceId(hipStream_t handle) {
    unsigned long long value = 0;
    return fact_of(handle, DEVICE, &value) ? NO_DEVICE : (int)value;
}
hipError_t impl_hipDeviceGetStreamPriorityRange(int *least, int *greatest) {
    if (least)
        *least = 1;
    if (greatest)
        *greatest = -1;
    return hipSuccess;
}

// The device's streams end when their work has; its null stream is made anew when it is used.
hipError_t impl_hipDeviceReset(void) {
    if (!standin_settings.devices)
        return fail(hipErrorNoDevice);
    lock();
    int device = current_device();
    finish_device(device);
    for (struct stream *s = all_streams(), *next; s; s = next) {
        next = s->next;
        if (s->device != device || s->null || s->per_thread || s->internal || s->destroyed)
            continue;
        end_stream(s);
        next = all_streams(); // the lock was let go
    }
    unlock();
    return hipSuccess;
}

hipError_t impl_hipLaunchHostFunc(hipStream_t handle, hipHostFn_t function, void *data) {
    if (!function)
        return fail(hipErrorInvalidValue);
    struct work work = {WORK_HOST, .host = {function, NULL, data, handle}};
    return submit(handle, &work);
}
hipError_t impl_hipStreamAddCallback(hipStream_t handle, hipStreamCallback_t callback, void *data,
                                     unsigned flags) {
    if (!callback || flags)
        return fail(hipErrorInvalidValue);
    struct work work = {WORK_HOST, .host = {NULL, callback, data, handle}};
    return submit(handle, &work);
}
hipError_t impl_hipStreamAttachMemAsync(hipStream_t handle, void *address, size_t length,
                                        unsigned flags) { // does nothing, as in clr
    (void)length, (void)flags;
    struct stream *stream;
    lock();
    hipError_t error = address ? find_stream(handle, &stream) : hipErrorInvalidValue;
    unlock();
    return fail(error);
}
