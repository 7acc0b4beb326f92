// Memsets. Those of the synchronous name return at once only for device memory, in HIP only from
// its base on.
#include "standin.h"

static bool is_at_once(const struct memory *memory, const struct fill *fill) {
    bool from_base = memory->base == fill->dst.base || standin_is_cuda;
    return memory->type == hipMemoryTypeDevice && from_base;
}

static hipError_t set(const struct fill *fill, hipStream_t handle, enum manner manner) {
    if (!fill->width || !fill->height || !fill->depth)
        return hipSuccess;
    if (!fill->dst.base)
        return fail(hipErrorInvalidValue);
    struct stream *stream;
    struct work work = {WORK_FILL, .fill = *fill};
    lock();
    hipError_t error =
        manner == SYNC ? refuse_while_capturing(hipErrorStreamCaptureImplicit) : hipSuccess;
    if (!error)
        error = begin(handle, &stream);
    struct memory *memory = error ? NULL : find_memory(fill->dst.base);
    size_t span = fill->dst.slice * (fill->depth - 1) + fill->dst.pitch * (fill->height - 1) +
                  fill->width * fill->element;
    if (!error && (!memory || !is_within(memory, fill->dst.base, span)))
        error = hipErrorInvalidValue;
    if (!error && is_capturing(stream)) {
        capture_work(stream, &work);
    } else if (!error) {
        bool waits = manner == SYNC && !is_at_once(memory, fill);
        push(stream, new_command(&work, stream));
        if (waits)
            finish(stream);
    }
    unlock();
    return fail(error);
}

static hipError_t row(void *dst, unsigned value, unsigned element, size_t count, hipStream_t stream,
                      enum manner manner) {
    size_t size = count * element;
    struct fill fill = {{dst, size, size}, count, 1, 1, value, element};
    return set(&fill, stream, manner);
}
static hipError_t rows(void *dst, size_t pitch, unsigned value, unsigned element, size_t width,
                       size_t height, hipStream_t stream, enum manner manner) {
    struct fill fill = {{dst, pitch, pitch * height}, width, height, 1, value, element};
    return set(&fill, stream, manner);
}
static hipError_t slices(hipPitchedPtr dst, int value, hipExtent extent, hipStream_t stream,
                         enum manner manner) {
    struct fill fill = {{dst.ptr, dst.pitch, dst.pitch * dst.ysize},
                        extent.width,
                        extent.height,
                        extent.depth,
                        (unsigned)value,
                        1};
    return set(&fill, stream, manner);
}

hipError_t impl_hipMemset(void *dst, int value, size_t size) {
    return row(dst, (unsigned)value, 1, size, NULL, SYNC);
}
hipError_t impl_hipMemsetAsync(void *dst, int value, size_t size, hipStream_t stream) {
    return row(dst, (unsigned)value, 1, size, stream, ASYNC);
}
hipError_t impl_hipMemsetD8(hipDeviceptr_t dst, unsigned char value, size_t count) {
    return row(dst, value, 1, count, NULL, SYNC);
}
hipError_t impl_hipMemsetD8Async(hipDeviceptr_t dst, unsigned char value, size_t count,
                                 hipStream_t stream) {
    return row(dst, value, 1, count, stream, ASYNC);
}
hipError_t impl_hipMemsetD16(hipDeviceptr_t dst, unsigned short value, size_t count) {
    return row(dst, value, 2, count, NULL, SYNC);
}
hipError_t impl_hipMemsetD16Async(hipDeviceptr_t dst, unsigned short value, size_t count,
                                  hipStream_t stream) {
    return row(dst, value, 2, count, stream, ASYNC);
}
hipError_t impl_hipMemsetD32(hipDeviceptr_t dst, int value, size_t count) {
    return row(dst, (unsigned)value, 4, count, NULL, SYNC);
}
hipError_t impl_hipMemsetD32Async(hipDeviceptr_t dst, int value, size_t count, hipStream_t stream) {
    return row(dst, (unsigned)value, 4, count, stream, ASYNC);
}
hipError_t impl_hipMemset2D(void *dst, size_t pitch, int value, size_t width, size_t height) {
    return rows(dst, pitch, (unsigned)value, 1, width, height, NULL, SYNC);
}
hipError_t impl_hipMemset2DAsync(void *dst, size_t pitch, int value, size_t width, size_t height,
                                 hipStream_t stream) {
    return rows(dst, pitch, (unsigned)value, 1, width, height, stream, ASYNC);
}
hipError_t impl_hipMemsetD2D8(hipDeviceptr_t dst, size_t pitch, unsigned char value, size_t width,
                              size_t height) {
    return rows(dst, pitch, value, 1, width, height, NULL, SYNC);
}
hipError_t impl_hipMemsetD2D8Async(hipDeviceptr_t dst, size_t pitch, unsigned char value,
                                   size_t width, size_t height, hipStream_t stream) {
    return rows(dst, pitch, value, 1, width, height, stream, ASYNC);
}
hipError_t impl_hipMemsetD2D16(hipDeviceptr_t dst, size_t pitch, unsigned short value, size_t width,
                               size_t height) {
    return rows(dst, pitch, value, 2, width, height, NULL, SYNC);
}
hipError_t impl_hipMemsetD2D16Async(hipDeviceptr_t dst, size_t pitch, unsigned short value,
                                    size_t width, size_t height, hipStream_t stream) {
    return rows(dst, pitch, value, 2, width, height, stream, ASYNC);
}
hipError_t impl_hipMemsetD2D32(hipDeviceptr_t dst, size_t pitch, unsigned value, size_t width,
                               size_t height) {
    return rows(dst, pitch, value, 4, width, height, NULL, SYNC);
}
hipError_t impl_hipMemsetD2D32Async(hipDeviceptr_t dst, size_t pitch, unsigned value, size_t width,
                                    size_t height, hipStream_t stream) {
    return rows(dst, pitch, value, 4, width, height, stream, ASYNC);
}
hipError_t impl_hipMemset3D(hipPitchedPtr dst, int value, hipExtent extent) {
    return slices(dst, value, extent, NULL, SYNC);
}
hipError_t impl_hipMemset3DAsync(hipPitchedPtr dst, int value, hipExtent extent,
                                 hipStream_t stream) {
    return slices(dst, value, extent, stream, ASYNC);
}
