// Copies whose kind is read off the memories, rows and boxes, batches, and copies between contexts.
#include "driver.h"
#include <stdlib.h>

static hipError_t plain(CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream,
                        enum manner manner) {
    struct copy copy = linear_copy((void *)(uintptr_t)dst, (void *)(uintptr_t)src, size);
    return copy_box(&copy, hipMemcpyDefault, (hipStream_t)stream, manner);
}
CUresult impl_cuMemcpy(CUdeviceptr dst, CUdeviceptr src, size_t size) {
    return plain(dst, src, size, NULL, SYNC);
}
CUresult impl_cuMemcpyAsync(CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream) {
    return plain(dst, src, size, stream, ASYNC);
}

// --- Rows and boxes ---

static hipMemoryType type_of(int type) {
    return type == CU_MEMORYTYPE_HOST ? hipMemoryTypeHost : hipMemoryTypeDevice;
}
static bool has_array(const CUDA_MEMCPY3D *p) {
    return p->srcMemoryType == CU_MEMORYTYPE_ARRAY || p->dstMemoryType == CU_MEMORYTYPE_ARRAY;
}
static hipError_t box_of(const CUDA_MEMCPY3D *p, struct copy *copy) {
    if (!p)
        return hipErrorInvalidValue;
    if (has_array(p))
        return hipErrorNotSupported;
    HIP_MEMCPY3D same = {
        .srcXInBytes = p->srcXInBytes,
        .srcY = p->srcY,
        .srcZ = p->srcZ,
        .srcMemoryType = type_of(p->srcMemoryType),
        .srcHost = p->srcHost,
        .srcDevice = (void *)(uintptr_t)p->srcDevice,
        .srcPitch = p->srcPitch ? p->srcPitch : p->WidthInBytes,
        .srcHeight = p->srcHeight,
        .dstXInBytes = p->dstXInBytes,
        .dstY = p->dstY,
        .dstZ = p->dstZ,
        .dstMemoryType = type_of(p->dstMemoryType),
        .dstHost = p->dstHost,
        .dstDevice = (void *)(uintptr_t)p->dstDevice,
        .dstPitch = p->dstPitch ? p->dstPitch : p->WidthInBytes,
        .dstHeight = p->dstHeight,
        .WidthInBytes = p->WidthInBytes,
        .Height = p->Height ? p->Height : 1,
        .Depth = p->Depth ? p->Depth : 1,
    };
    return copy_of_driver_3d(&same, copy);
}
hipError_t work_of_copy(const CUDA_MEMCPY3D *parameters, struct work *work) {
    *work = (struct work){.kind = WORK_COPY};
    return box_of(parameters, &work->copy);
}

static CUresult box(const CUDA_MEMCPY3D *p, CUstream stream, enum manner manner) {
    struct copy copy;
    if (p && has_array(p))
        return standin_answer;
    hipError_t error = box_of(p, &copy);
    return error ? fail(error) : copy_box(&copy, hipMemcpyDefault, (hipStream_t)stream, manner);
}
static CUresult rows(const CUDA_MEMCPY2D *p, CUstream stream, enum manner manner) {
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    CUDA_MEMCPY3D whole = {
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
    return box(&whole, stream, manner);
}
CUresult impl_cuMemcpy2D_v2(const CUDA_MEMCPY2D *p) { return rows(p, NULL, SYNC); }
CUresult impl_cuMemcpy2DUnaligned_v2(const CUDA_MEMCPY2D *p) { return rows(p, NULL, SYNC); }
CUresult impl_cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *p, CUstream stream) {
    return rows(p, stream, ASYNC);
}
CUresult impl_cuMemcpy3D_v2(const CUDA_MEMCPY3D *p) { return box(p, NULL, SYNC); }
CUresult impl_cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *p, CUstream stream) {
    return box(p, stream, ASYNC);
}
CUresult impl_cuMemcpy3DPeerAsync(const CUDA_MEMCPY3D_PEER *p, CUstream stream) {
    return box(p, stream, ASYNC);
}
CUresult impl_cuMemcpy3DPeer(const CUDA_MEMCPY3D_PEER *p) { return box(p, NULL, SYNC); }

// --- Between contexts ---

CUresult impl_cuMemcpyPeerAsync(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                                CUcontext src_context, size_t size, CUstream stream) {
    if (context_device(dst_context) == NO_DEVICE || context_device(src_context) == NO_DEVICE)
        return CUDA_ERROR_INVALID_CONTEXT;
    return plain(dst, src, size, stream, ASYNC);
}

static bool is_one_of(int device, const int *devices) {
    return device == devices[0] || device == devices[1] || device == devices[2];
}

// After all work of the two devices and the current one, and before all that comes; the host goes
// on.
CUresult impl_cuMemcpyPeer(CUdeviceptr dst, CUcontext dst_context, CUdeviceptr src,
                           CUcontext src_context, size_t size) {
    int devices[] = {current_device(), context_device(dst_context), context_device(src_context)};
    if (devices[1] == NO_DEVICE || devices[2] == NO_DEVICE)
        return CUDA_ERROR_INVALID_CONTEXT;
    struct work work = {WORK_COPY,
                        .copy = linear_copy((void *)(uintptr_t)dst, (void *)(uintptr_t)src, size)};
    lock();
    hipError_t error = refuse_while_capturing(hipErrorStreamCaptureImplicit);
    struct stream *own = error ? NULL : null_stream(devices[0]);
    struct command *command = error ? NULL : new_command(&work, own);
    for (struct stream *s = all_streams(); command && s; s = s->next)
        if (is_one_of(s->device, devices))
            wait_also(command, s->last);
    if (command) {
        command_hold(push(own, command));
        for (struct stream *s = all_streams(); s; s = s->next)
            if (is_one_of(s->device, devices) && s != own && !s->destroyed)
                push_marker(s, command);
        command_drop(command);
    }
    unlock();
    return error;
}

// --- Batches ---

CUresult impl_cuMemcpyBatchAsync_v2(CUdeviceptr *dsts, CUdeviceptr *srcs, size_t *sizes,
                                    size_t count, CUmemcpyAttributes *attributes,
                                    size_t *attribute_of, size_t attribute_count, CUstream stream) {
    return impl_hipMemcpyBatchAsync((void **)dsts, (void **)srcs, sizes, count, attributes,
                                    attribute_of, attribute_count, NULL, (hipStream_t)stream);
}
CUresult impl_cuMemcpy3DBatchAsync_v2(size_t count, CUDA_MEMCPY3D_BATCH_OP *ops,
                                      unsigned long long flags, CUstream stream) {
    return impl_hipMemcpy3DBatchAsync(count, ops, NULL, flags, (hipStream_t)stream);
}

// --- Values: HIP's have a mask ---

CUresult impl_cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                     unsigned flags) {
    return impl_hipStreamWaitValue32((hipStream_t)stream, (void *)(uintptr_t)address, value, flags,
                                     UINT32_MAX);
}
CUresult impl_cuStreamWaitValue32(CUstream stream, CUdeviceptr address, cuuint32_t value,
                                  unsigned flags) {
    return impl_cuStreamWaitValue32_v2(stream, address, value, flags);
}
CUresult impl_cuStreamWaitValue64_v2(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                     unsigned flags) {
    return impl_hipStreamWaitValue64((hipStream_t)stream, (void *)(uintptr_t)address, value, flags,
                                     UINT64_MAX);
}
CUresult impl_cuStreamWaitValue64(CUstream stream, CUdeviceptr address, cuuint64_t value,
                                  unsigned flags) {
    return impl_cuStreamWaitValue64_v2(stream, address, value, flags);
}
