// Copies of rows and slices: only the bytes within the width of each row are touched.
#include "standin.h"

static char *origin(void *base, const hipPos *pos, size_t pitch, size_t slice) {
    return base ? (char *)base + pos->x + pos->y * pitch + pos->z * slice : NULL;
}

static struct box pitched(const hipPitchedPtr *pointer, const hipPos *pos) {
    size_t slice = pointer->pitch * pointer->ysize;
    return (struct box){origin(pointer->ptr, pos, pointer->pitch, slice), pointer->pitch, slice};
}

hipError_t copy_of_3d(const hipMemcpy3DParms *parameters, struct copy *copy) {
    if (!parameters)
        return hipErrorInvalidValue;
    if (parameters->srcArray || parameters->dstArray) // there are no arrays here
        return hipErrorNotSupported;
    const hipExtent *extent = &parameters->extent;
    *copy = (struct copy){pitched(&parameters->dstPtr, &parameters->dstPos),
                          pitched(&parameters->srcPtr, &parameters->srcPos), extent->width,
                          extent->height, extent->depth};
    return hipSuccess;
}

static void *end_of(hipMemoryType type, const void *host, void *device) {
    return type == told_type(hipMemoryTypeHost) ? (void *)host : device;
}

static hipError_t copy_of_driver(const HIP_MEMCPY3D *p, struct copy *copy) {
    hipMemoryType array = told_type(hipMemoryTypeArray);
    if (p->srcMemoryType == array || p->dstMemoryType == array)
        return hipErrorNotSupported;
    size_t dst_slice = p->dstPitch * (p->dstHeight ? p->dstHeight : p->Height);
    size_t src_slice = p->srcPitch * (p->srcHeight ? p->srcHeight : p->Height);
    void *dst = end_of(p->dstMemoryType, p->dstHost, p->dstDevice);
    void *src = end_of(p->srcMemoryType, p->srcHost, p->srcDevice);
    hipPos to = {p->dstXInBytes, p->dstY, p->dstZ}, from = {p->srcXInBytes, p->srcY, p->srcZ};
    *copy = (struct copy){{origin(dst, &to, p->dstPitch, dst_slice), p->dstPitch, dst_slice},
                          {origin(src, &from, p->srcPitch, src_slice), p->srcPitch, src_slice},
                          p->WidthInBytes,
                          p->Height,
                          p->Depth};
    return hipSuccess;
}

static HIP_MEMCPY3D newer(const HIP_MEMCPY3D_of_5 *p) {
    return (HIP_MEMCPY3D){.srcXInBytes = p->srcXInBytes,
                          .srcY = p->srcY,
                          .srcZ = p->srcZ,
                          .srcMemoryType = p->srcMemoryType,
                          .srcHost = p->srcHost,
                          .srcDevice = p->srcDevice,
                          .srcPitch = p->srcPitch,
                          .srcHeight = p->srcHeight,
                          .dstXInBytes = p->dstXInBytes,
                          .dstY = p->dstY,
                          .dstZ = p->dstZ,
                          .dstMemoryType = p->dstMemoryType,
                          .dstHost = p->dstHost,
                          .dstDevice = p->dstDevice,
                          .dstPitch = p->dstPitch,
                          .dstHeight = p->dstHeight,
                          .WidthInBytes = p->WidthInBytes,
                          .Height = p->Height,
                          .Depth = p->Depth};
}

hipError_t copy_of_driver_3d(const HIP_MEMCPY3D *p, struct copy *copy) {
    if (!p)
        return hipErrorInvalidValue;
    HIP_MEMCPY3D read = standin_major == 5 ? newer((const void *)p) : *p;
    return copy_of_driver(&read, copy);
}

static hipError_t copy_of_2d(const hip_Memcpy2D *p, struct copy *copy) {
    if (!p)
        return hipErrorInvalidValue;
    HIP_MEMCPY3D whole = {
        .srcXInBytes = p->srcXInBytes,
        .srcY = p->srcY,
        .srcMemoryType = p->srcMemoryType,
        .srcHost = p->srcHost,
        .srcDevice = p->srcDevice,
        .srcPitch = p->srcPitch,
        .dstXInBytes = p->dstXInBytes,
        .dstY = p->dstY,
        .dstMemoryType = p->dstMemoryType,
        .dstHost = p->dstHost,
        .dstDevice = p->dstDevice,
        .dstPitch = p->dstPitch,
        .WidthInBytes = p->WidthInBytes,
        .Height = p->Height,
        .Depth = 1,
    };
    return copy_of_driver(&whole, copy);
}

static hipError_t rows(void *dst, size_t to, const void *src, size_t from, size_t width,
                       size_t height, int kind, hipStream_t stream, enum manner manner) {
    if (width > to || width > from)
        return fail(hipErrorInvalidValue);
    struct copy copy = {
        {dst, to, to * height}, {(char *)src, from, from * height}, width, height, 1};
    return copy_box(&copy, kind, stream, manner);
}
hipError_t impl_hipMemcpy2D(void *dst, size_t to, const void *src, size_t from, size_t width,
                            size_t height, hipMemcpyKind kind) {
    return rows(dst, to, src, from, width, height, (int)kind, NULL, SYNC);
}
hipError_t impl_hipMemcpy2DAsync(void *dst, size_t to, const void *src, size_t from, size_t width,
                                 size_t height, hipMemcpyKind kind, hipStream_t stream) {
    return rows(dst, to, src, from, width, height, (int)kind, stream, ASYNC);
}

static hipError_t made(hipError_t error, const struct copy *copy, int kind, hipStream_t stream,
                       enum manner manner) {
    return error ? fail(error) : copy_box(copy, kind, stream, manner);
}
hipError_t impl_hipMemcpy3D(const hipMemcpy3DParms *p) {
    struct copy copy;
    hipError_t error = copy_of_3d(p, &copy);
    return made(error, &copy, error ? 0 : (int)p->kind, NULL, SYNC);
}
hipError_t impl_hipMemcpy3DAsync(const hipMemcpy3DParms *p, hipStream_t stream) {
    struct copy copy;
    hipError_t error = copy_of_3d(p, &copy);
    return made(error, &copy, error ? 0 : (int)p->kind, stream, ASYNC);
}
hipError_t impl_hipDrvMemcpy3D(const HIP_MEMCPY3D *p) {
    struct copy copy;
    return made(copy_of_driver_3d(p, &copy), &copy, hipMemcpyDefault, NULL, SYNC);
}
hipError_t impl_hipDrvMemcpy3DAsync(const HIP_MEMCPY3D *p, hipStream_t stream) {
    struct copy copy;
    return made(copy_of_driver_3d(p, &copy), &copy, hipMemcpyDefault, stream, ASYNC);
}
hipError_t impl_hipMemcpyParam2D(const hip_Memcpy2D *p) {
    struct copy copy;
    return made(copy_of_2d(p, &copy), &copy, hipMemcpyDefault, NULL, SYNC);
}
hipError_t impl_hipDrvMemcpy2DUnaligned(const hip_Memcpy2D *p) { return impl_hipMemcpyParam2D(p); }
hipError_t impl_hipMemcpyParam2DAsync(const hip_Memcpy2D *p, hipStream_t stream) {
    struct copy copy;
    return made(copy_of_2d(p, &copy), &copy, hipMemcpyDefault, stream, ASYNC);
}

static hipError_t between(const hipMemcpy3DPeerParms *p, hipStream_t stream, enum manner manner) {
    if (!p)
        return fail(hipErrorInvalidValue);
    hipMemcpy3DParms plain = {p->srcArray, p->srcPos, p->srcPtr, p->dstArray,
                              p->dstPos,   p->dstPtr, p->extent, hipMemcpyDeviceToDevice};
    struct copy copy;
    return made(copy_of_3d(&plain, &copy), &copy, hipMemcpyDeviceToDevice, stream, manner);
}
hipError_t impl_hipMemcpy3DPeer(hipMemcpy3DPeerParms *p) { return between(p, NULL, SYNC); }
hipError_t impl_hipMemcpy3DPeerAsync(hipMemcpy3DPeerParms *p, hipStream_t stream) {
    return between(p, stream, ASYNC);
}
