// Copies: where one is done, what is staged, and what the host waits for (as clr 6.3 does it).
//
//   both ends unknown to HIP      the stream's work is waited for, then the host copies
//   source unknown                up to STAGED_BYTES: read within the call, nothing is waited for;
//                                 larger: the host waits for the copy, and so for all before it
//   destination unknown           the host waits for the copy
//   known memory of one device,   the copy is done in the null stream of the memory's device, after
//   in a stream of another        the stream's last command; the stream waits for it
//   two devices' device memory    in the stream itself
// hipMemcpy waits, except between device memory of one device. A size of 0: nothing at all.
// In CUDA every copy is done in the stream that it is given, those between host memory are waited
// for, and none between device memory is.
#include "standin.h"
#include <stdlib.h>
#include <string.h>

struct ends {
    struct memory *dst, *src;
};

static size_t span(const struct box *box, const struct copy *copy) {
    return box->slice * (copy->depth - 1) + box->pitch * (copy->height - 1) + copy->width;
}

static bool fits(const struct memory *memory, const struct box *box, const struct copy *copy) {
    return !memory || is_within(memory, box->base, span(box, copy));
}

static bool is_device(const struct memory *memory) {
    return memory && memory->type == hipMemoryTypeDevice;
}

static bool is_host(const struct memory *memory) {
    return !memory || memory->type == hipMemoryTypeHost;
}

bool is_between_devices(const struct memory *dst, const struct memory *src) {
    return is_device(dst) && is_device(src) && dst->device != src->device;
}

static int device_of(struct ends ends, const struct stream *stream) {
    if (standin_is_cuda || is_between_devices(ends.dst, ends.src))
        return stream->device;
    if (is_device(ends.dst))
        return ends.dst->device;
    return is_device(ends.src) ? ends.src->device : stream->device;
}

static void copy_on_host(struct stream *stream, const struct copy *copy) {
    finish(stream);
    unlock();
    struct work work = {WORK_COPY, .copy = *copy};
    work_perform(&work);
    lock();
}

void stage(struct command *command, const struct copy *copy) {
    size_t size = copy_bytes(copy);
    struct copy in = *copy;
    command->staged = malloc(size);
    in.dst = (struct box){command->staged, copy->width, copy->width * copy->height};
    struct work work = {WORK_COPY, .copy = in};
    work_perform(&work);
    command->work.copy.src = in.dst;
}

static bool does_host_wait(struct ends ends, size_t size, enum manner manner) {
    bool pageable_end = !ends.dst || (!ends.src && size > STAGED_BYTES);
    if (standin_is_cuda && is_host(ends.dst) && is_host(ends.src))
        return true;
    if (manner == ASYNC || manner == ASYNC_THEN_WAIT)
        return manner == ASYNC_THEN_WAIT || pageable_end;
    bool plain = is_device(ends.dst) && is_device(ends.src);
    return !plain || (!standin_is_cuda && ends.dst->device != ends.src->device);
}

static void copy_in(struct stream *stream, const struct copy *copy, enum manner manner) {
    struct ends ends = {find_memory(copy->dst.base), find_memory(copy->src.base)};
    if (!ends.dst && !ends.src) {
        copy_on_host(stream, copy);
        return;
    }
    size_t size = copy_bytes(copy);
    bool waits = does_host_wait(ends, size, manner);
    if (is_between_devices(ends.dst, ends.src) && !standin_settings.peers)
        waits = true; // staged by the host
    int device = device_of(ends, stream);
    struct work work = {WORK_COPY, .copy = *copy};
    struct command *command = new_command(&work, stream);
    if (!ends.src && size <= STAGED_BYTES)
        stage(command, copy);
    struct stream *target = stream;
    if (device != stream->device) {
        target = null_stream(device);
        order_with_null(target);
        wait_also(command, stream->last);
    }
    command_hold(push(target, command));
    if (target != stream)
        push_marker(stream, command);
    if (waits)
        finish(target);
    command_drop(command);
}

hipError_t copy_box(const struct copy *copy, int kind, hipStream_t handle, enum manner manner) {
    if (kind < hipMemcpyHostToHost || (kind > hipMemcpyDefault && kind != 1024))
        return fail(hipErrorInvalidMemcpyDirection);
    if (!copy_bytes(copy) || (copy->dst.base == copy->src.base && kind == hipMemcpyDefault))
        return hipSuccess;
    if (!copy->dst.base || !copy->src.base)
        return fail(hipErrorInvalidValue);
    struct stream *stream;
    lock();
    hipError_t error =
        manner == SYNC ? refuse_while_capturing(hipErrorStreamCaptureImplicit) : hipSuccess;
    if (!error)
        error = begin(handle, &stream);
    if (!error && (!fits(find_memory(copy->dst.base), &copy->dst, copy) ||
                   !fits(find_memory(copy->src.base), &copy->src, copy)))
        error = hipErrorInvalidValue;
    struct work work = {WORK_COPY, .copy = *copy};
    if (!error && is_capturing(stream))
        capture_work(stream, &work);
    else if (!error)
        copy_in(stream, copy, manner);
    unlock();
    return fail(error);
}

static hipError_t linear(void *dst, const void *src, size_t size, int kind, hipStream_t handle,
                         enum manner manner) {
    struct copy copy = linear_copy(dst, src, size);
    return copy_box(&copy, kind, handle, manner);
}

// --- The API: copies of a run of bytes ---

hipError_t impl_hipMemcpy(void *dst, const void *src, size_t size, hipMemcpyKind kind) {
    return linear(dst, src, size, (int)kind, NULL, SYNC);
}
hipError_t impl_hipMemcpyAsync(void *dst, const void *src, size_t size, hipMemcpyKind kind,
                               hipStream_t stream) {
    return linear(dst, src, size, (int)kind, stream, ASYNC);
}
hipError_t impl_hipMemcpyWithStream(void *dst, const void *src, size_t size, hipMemcpyKind kind,
                                    hipStream_t stream) {
    return linear(dst, src, size, (int)kind, stream, ASYNC_THEN_WAIT);
}
hipError_t impl_hipMemcpyHtoD(hipDeviceptr_t dst, const void *src, size_t size) {
    return linear(dst, src, size, hipMemcpyHostToDevice, NULL, SYNC);
}
hipError_t impl_hipMemcpyDtoH(void *dst, hipDeviceptr_t src, size_t size) {
    return linear(dst, src, size, hipMemcpyDeviceToHost, NULL, SYNC);
}
hipError_t impl_hipMemcpyDtoD(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size) {
    return linear(dst, src, size, hipMemcpyDeviceToDevice, NULL, SYNC);
}
hipError_t impl_hipMemcpyHtoDAsync(hipDeviceptr_t dst, const void *src, size_t size,
                                   hipStream_t stream) {
    return linear(dst, src, size, hipMemcpyHostToDevice, stream, ASYNC);
}
hipError_t impl_hipMemcpyDtoHAsync(void *dst, hipDeviceptr_t src, size_t size, hipStream_t stream) {
    return linear(dst, src, size, hipMemcpyDeviceToHost, stream, ASYNC);
}
hipError_t impl_hipMemcpyDtoDAsync(hipDeviceptr_t dst, hipDeviceptr_t src, size_t size,
                                   hipStream_t stream) {
    return linear(dst, src, size, hipMemcpyDeviceToDevice, stream, ASYNC);
}

// The devices are told for nothing: where memory lies is known.
static hipError_t peer(void *dst, int dst_device, const void *src, int src_device, size_t size,
                       hipStream_t stream, enum manner manner) {
    if (!is_device_ordinal(dst_device) || !is_device_ordinal(src_device))
        return fail(hipErrorInvalidDevice);
    return linear(dst, src, size, hipMemcpyDeviceToDevice, stream, manner);
}
hipError_t impl_hipMemcpyPeer(void *dst, int dst_device, const void *src, int src_device,
                              size_t size) {
    return peer(dst, dst_device, src, src_device, size, NULL, SYNC);
}
hipError_t impl_hipMemcpyPeerAsync(void *dst, int dst_device, const void *src, int src_device,
                                   size_t size, hipStream_t stream) {
    return peer(dst, dst_device, src, src_device, size, stream, ASYNC);
}
