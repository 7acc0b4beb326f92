// Written by generate_hip.py from hip_api.txt and hip_roles.txt: edit those.
#include "hip_calls.h"

// clang-format off
EXPORT int hipConfigureCall(struct hip_dim3 gridDim, struct hip_dim3 blockDim, size_t sharedMem, void * stream) {
    int rc = REAL_HIP(hipConfigureCall, int, (struct hip_dim3, struct hip_dim3, size_t, void *))(gridDim, blockDim, sharedMem, stream);
    hip_configured(rc, stream);
    return rc;
}

EXPORT int hipCtxPopCurrent(void ** ctx) {
    int rc = REAL_HIP(hipCtxPopCurrent, int, (void **))(ctx);
    api_device_set(DEVICE_UNKNOWN);
    return rc;
}

EXPORT int hipCtxPushCurrent(void * ctx) {
    int rc = REAL_HIP(hipCtxPushCurrent, int, (void *))(ctx);
    api_device_set(DEVICE_UNKNOWN);
    return rc;
}

EXPORT int hipCtxSetCurrent(void * ctx) {
    int rc = REAL_HIP(hipCtxSetCurrent, int, (void *))(ctx);
    api_device_set(DEVICE_UNKNOWN);
    return rc;
}

EXPORT int hipCtxSynchronize(void) {
    HIP_LOOK(DEVICE_SYNC, NULL);
    HIP_ENTER(hipCtxSynchronize, KIND_DEVICE_SYNC);
    if (c->op.thread)
        hip_on_device(c);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipCtxSynchronize, int, (void))();
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDeviceReset(void) {
    HIP_LOOK(DEVICE_SYNC, NULL);
    HIP_ENTER(hipDeviceReset, KIND_DEVICE_SYNC);
    if (c->op.thread)
        hip_on_device(c);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDeviceReset, int, (void))();
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDeviceSynchronize(void) {
    HIP_LOOK(DEVICE_SYNC, NULL);
    HIP_ENTER(hipDeviceSynchronize, KIND_DEVICE_SYNC);
    if (c->op.thread)
        hip_on_device(c);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDeviceSynchronize, int, (void))();
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvMemcpy2DUnaligned(const void * pCopy) {
    HIP_ENTER(hipDrvMemcpy2DUnaligned, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_param_2d(c, pCopy, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvMemcpy2DUnaligned, int, (const void *))(pCopy);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvMemcpy3D(const void * pCopy) {
    HIP_ENTER(hipDrvMemcpy3D, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_drv_3d(c, pCopy, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvMemcpy3D, int, (const void *))(pCopy);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvMemcpy3DAsync(const void * pCopy, void * stream) {
    HIP_ENTER(hipDrvMemcpy3DAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy_drv_3d(c, pCopy, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvMemcpy3DAsync, int, (const void *, void *))(pCopy, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventCreate(void ** event) {
    HIP_ENTER(hipEventCreate, KIND_EVENT_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventCreate, int, (void **))(event);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_event_made(c, *event, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventCreateWithFlags(void ** event, unsigned flags) {
    HIP_ENTER(hipEventCreateWithFlags, KIND_EVENT_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventCreateWithFlags, int, (void **, unsigned))(event, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_event_made(c, *event, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventDestroy(void * event) {
    HIP_ENTER(hipEventDestroy, KIND_EVENT_DESTROY);
    if (c->op.thread)
        api_on_event(c, event), api_event_gone(event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventDestroy, int, (void *))(event);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventElapsedTime(void * ms, void * start, void * stop) {
    HIP_LOOK(EVENT_QUERY, stop);
    HIP_ENTER(hipEventElapsedTime, KIND_EVENT_QUERY);
    if (c->op.thread)
        api_on_event(c, stop);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventElapsedTime, int, (void *, void *, void *))(ms, start, stop);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventQuery(void * event) {
    HIP_LOOK(EVENT_QUERY, event);
    HIP_ENTER(hipEventQuery, KIND_EVENT_QUERY);
    if (c->op.thread)
        api_on_event(c, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventQuery, int, (void *))(event);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventRecord(void * event, void * stream) {
    HIP_ENTER(hipEventRecord, KIND_EVENT_RECORD);
    if (c->op.thread)
        hip_records_event(c, event, stream, 0);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventRecord, int, (void *, void *))(event, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventSynchronize(void * event) {
    HIP_LOOK(EVENT_SYNC, event);
    HIP_ENTER(hipEventSynchronize, KIND_EVENT_SYNC);
    if (c->op.thread)
        api_on_event(c, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventSynchronize, int, (void *))(event);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipExtLaunchKernel(const void * function_address, struct hip_dim3 numBlocks, struct hip_dim3 dimBlocks, void ** args, size_t sharedMemBytes, void * stream, void * startEvent, void * stopEvent, int flags) {
    HIP_ENTER(hipExtLaunchKernel, KIND_KERNEL);
    if (c->op.thread)
        hip_launches(c, function_address, args, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipExtLaunchKernel, int, (const void *, struct hip_dim3, struct hip_dim3, void **, size_t, void *, void *, void *, int))(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream, startEvent, stopEvent, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_launch_events(c, startEvent, stopEvent);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipExtMallocWithFlags(void ** ptr, size_t sizeBytes, unsigned flags) {
    HIP_ENTER(hipExtMallocWithFlags, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipExtMallocWithFlags, int, (void **, size_t, unsigned))(ptr, sizeBytes, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *ptr, sizeBytes, MEMORY_KIND_DEVICE);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipExtStreamCreateWithCUMask(void ** stream, uint32_t cuMaskSize, const void * cuMask) {
    HIP_ENTER(hipExtStreamCreateWithCUMask, KIND_STREAM_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipExtStreamCreateWithCUMask, int, (void **, uint32_t, const void *))(stream, cuMaskSize, cuMask);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_stream_made(c, *stream, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipFree(void * ptr) {
    HIP_ENTER(hipFree, KIND_FREE);
    if (c->op.thread)
        api_frees(c, ptr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipFree, int, (void *))(ptr);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipFreeAsync(void * dev_ptr, void * stream) {
    HIP_ENTER(hipFreeAsync, KIND_FREE_ASYNC);
    if (c->op.thread)
        api_on_stream(c, stream), api_frees(c, dev_ptr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipFreeAsync, int, (void *, void *))(dev_ptr, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipFreeHost(void * ptr) {
    HIP_ENTER(hipFreeHost, KIND_FREE_HOST);
    if (c->op.thread)
        api_frees(c, ptr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipFreeHost, int, (void *))(ptr);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGetSymbolAddress(void ** devPtr, const void * symbol) {
    int rc = REAL_HIP(hipGetSymbolAddress, int, (void **, const void *))(devPtr, symbol);
    hip_symbol(rc, devPtr, symbol);
    return rc;
}

EXPORT int hipHostAlloc(void ** ptr, size_t size, unsigned flags) {
    HIP_ENTER(hipHostAlloc, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHostAlloc, int, (void **, size_t, unsigned))(ptr, size, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_allocated_host(c, *ptr, size, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipHostFree(void * ptr) {
    HIP_ENTER(hipHostFree, KIND_FREE_HOST);
    if (c->op.thread)
        api_frees(c, ptr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHostFree, int, (void *))(ptr);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipHostGetDevicePointer(void ** devPtr, void * hstPtr, unsigned flags) {
    int rc = REAL_HIP(hipHostGetDevicePointer, int, (void **, void *, unsigned))(devPtr, hstPtr, flags);
    hip_device_pointer(rc, devPtr, hstPtr);
    return rc;
}

EXPORT int hipHostMalloc(void ** ptr, size_t size, unsigned flags) {
    HIP_ENTER(hipHostMalloc, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHostMalloc, int, (void **, size_t, unsigned))(ptr, size, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_allocated_host(c, *ptr, size, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipHostRegister(void * hostPtr, size_t sizeBytes, unsigned flags) {
    HIP_ENTER(hipHostRegister, KIND_HOST_REGISTER);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHostRegister, int, (void *, size_t, unsigned))(hostPtr, sizeBytes, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_registers(c, hostPtr, sizeBytes);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipHostUnregister(void * hostPtr) {
    HIP_ENTER(hipHostUnregister, KIND_HOST_UNREGISTER);
    if (c->op.thread)
        api_unregisters(c, hostPtr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHostUnregister, int, (void *))(hostPtr);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipIpcCloseMemHandle(void * devPtr) {
    HIP_ENTER(hipIpcCloseMemHandle, KIND_FREE);
    if (c->op.thread)
        api_frees(c, devPtr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipIpcCloseMemHandle, int, (void *))(devPtr);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipIpcOpenMemHandle(void ** devPtr, struct hip_ipc_handle handle, unsigned flags) {
    HIP_ENTER(hipIpcOpenMemHandle, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipIpcOpenMemHandle, int, (void **, struct hip_ipc_handle, unsigned))(devPtr, handle, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_opened(c, *devPtr);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchByPtr(const void * func) {
    HIP_ENTER(hipLaunchByPtr, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_configured(c, func);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchByPtr, int, (const void *))(func);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchCooperativeKernel(const void * f, struct hip_dim3 gridDim, struct hip_dim3 blockDimX, void ** kernelParams, unsigned sharedMemBytes, void * stream) {
    HIP_ENTER(hipLaunchCooperativeKernel, KIND_KERNEL);
    if (c->op.thread)
        hip_launches(c, f, kernelParams, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchCooperativeKernel, int, (const void *, struct hip_dim3, struct hip_dim3, void **, unsigned, void *))(f, gridDim, blockDimX, kernelParams, sharedMemBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchHostFunc(void * stream, void * fn, void * userData) {
    HIP_ENTER(hipLaunchHostFunc, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchHostFunc, int, (void *, void *, void *))(stream, fn, userData);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchKernel(const void * function_address, struct hip_dim3 numBlocks, struct hip_dim3 dimBlocks, void ** args, size_t sharedMemBytes, void * stream) {
    HIP_ENTER(hipLaunchKernel, KIND_KERNEL);
    if (c->op.thread)
        hip_launches(c, function_address, args, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchKernel, int, (const void *, struct hip_dim3, struct hip_dim3, void **, size_t, void *))(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMalloc(void ** ptr, size_t size) {
    HIP_ENTER(hipMalloc, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMalloc, int, (void **, size_t))(ptr, size);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *ptr, size, MEMORY_KIND_DEVICE);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMalloc3D(void * pitchedDevPtr, struct hip_extent extent) {
    HIP_ENTER(hipMalloc3D, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMalloc3D, int, (void *, struct hip_extent))(pitchedDevPtr, extent);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_allocated_3d(c, pitchedDevPtr, extent);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMallocAsync(void ** dev_ptr, size_t size, void * stream) {
    HIP_ENTER(hipMallocAsync, KIND_ALLOC_ASYNC);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMallocAsync, int, (void **, size_t, void *))(dev_ptr, size, stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_pool_allocated(c, *dev_ptr, size);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMallocFromPoolAsync(void ** dev_ptr, size_t size, void * mem_pool, void * stream) {
    HIP_ENTER(hipMallocFromPoolAsync, KIND_ALLOC_ASYNC);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMallocFromPoolAsync, int, (void **, size_t, void *, void *))(dev_ptr, size, mem_pool, stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_pool_allocated(c, *dev_ptr, size);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMallocHost(void ** ptr, size_t size) {
    HIP_ENTER(hipMallocHost, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMallocHost, int, (void **, size_t))(ptr, size);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_allocated_host(c, *ptr, size, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMallocManaged(void ** dev_ptr, size_t size, unsigned flags) {
    HIP_ENTER(hipMallocManaged, KIND_ALLOC_MANAGED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMallocManaged, int, (void **, size_t, unsigned))(dev_ptr, size, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *dev_ptr, size, MEMORY_KIND_MANAGED);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMallocPitch(void ** ptr, size_t * pitch, size_t width, size_t height) {
    HIP_ENTER(hipMallocPitch, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMallocPitch, int, (void **, size_t *, size_t, size_t))(ptr, pitch, width, height);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *ptr, *pitch * height, MEMORY_KIND_DEVICE);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemAllocHost(void ** ptr, size_t size) {
    HIP_ENTER(hipMemAllocHost, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemAllocHost, int, (void **, size_t))(ptr, size);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_allocated_host(c, *ptr, size, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemAllocPitch(void ** dptr, size_t * pitch, size_t widthInBytes, size_t height, unsigned elementSizeBytes) {
    HIP_ENTER(hipMemAllocPitch, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemAllocPitch, int, (void **, size_t *, size_t, size_t, unsigned))(dptr, pitch, widthInBytes, height, elementSizeBytes);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *dptr, *pitch * height, MEMORY_KIND_DEVICE);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemMap(void * ptr, size_t size, size_t offset, void * handle, unsigned long long flags) {
    HIP_ENTER(hipMemMap, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemMap, int, (void *, size_t, size_t, void *, unsigned long long))(ptr, size, offset, handle, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, ptr, size, MEMORY_KIND_DEVICE);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemUnmap(void * ptr, size_t size) {
    HIP_ENTER(hipMemUnmap, KIND_FREE);
    if (c->op.thread)
        api_frees(c, ptr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemUnmap, int, (void *, size_t))(ptr, size);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy(void * dst, const void * src, size_t sizeBytes, int kind) {
    HIP_ENTER(hipMemcpy, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy, int, (void *, const void *, size_t, int))(dst, src, sizeBytes, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2D(void * dst, size_t dpitch, const void * src, size_t spitch, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2D, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_2d(c, dst, dpitch, src, spitch, width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2D, int, (void *, size_t, const void *, size_t, size_t, size_t, int))(dst, dpitch, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DAsync(void * dst, size_t dpitch, const void * src, size_t spitch, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy_2d(c, dst, dpitch, src, spitch, width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DAsync, int, (void *, size_t, const void *, size_t, size_t, size_t, int, void *))(dst, dpitch, src, spitch, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArray(void * dst, size_t dpitch, void * src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DFromArray, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy_array(c, dst, NULL, width, dpitch, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DFromArray, int, (void *, size_t, void *, size_t, size_t, size_t, size_t, int))(dst, dpitch, src, wOffset, hOffset, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArrayAsync(void * dst, size_t dpitch, void * src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DFromArrayAsync, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        hip_copy_array(c, dst, NULL, width, dpitch, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DFromArrayAsync, int, (void *, size_t, void *, size_t, size_t, size_t, size_t, int, void *))(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArray(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DToArray, KIND_MEMCPY_H2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, src, width, spitch, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DToArray, int, (void *, size_t, size_t, const void *, size_t, size_t, size_t, int))(dst, wOffset, hOffset, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArrayAsync(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DToArrayAsync, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, src, width, spitch, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DToArrayAsync, int, (void *, size_t, size_t, const void *, size_t, size_t, size_t, int, void *))(dst, wOffset, hOffset, src, spitch, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy3D(const void * p) {
    HIP_ENTER(hipMemcpy3D, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_3d(c, p, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy3D, int, (const void *))(p);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy3DAsync(const void * p, void * stream) {
    HIP_ENTER(hipMemcpy3DAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy_3d(c, p, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy3DAsync, int, (const void *, void *))(p, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAsync(void * dst, const void * src, size_t sizeBytes, int kind, void * stream) {
    HIP_ENTER(hipMemcpyAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAsync, int, (void *, const void *, size_t, int, void *))(dst, src, sizeBytes, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAtoH(void * dst, void * srcArray, size_t srcOffset, size_t count) {
    HIP_ENTER(hipMemcpyAtoH, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy_array(c, dst, NULL, count, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoH, int, (void *, void *, size_t, size_t))(dst, srcArray, srcOffset, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoD(void * dst, void * src, size_t sizeBytes) {
    HIP_ENTER(hipMemcpyDtoD, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoD, int, (void *, void *, size_t))(dst, src, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoDAsync(void * dst, void * src, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyDtoDAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoDAsync, int, (void *, void *, size_t, void *))(dst, src, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoH(void * dst, void * src, size_t sizeBytes) {
    HIP_ENTER(hipMemcpyDtoH, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoH, int, (void *, void *, size_t))(dst, src, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoHAsync(void * dst, void * src, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyDtoHAsync, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoHAsync, int, (void *, void *, size_t, void *))(dst, src, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyFromArray(void * dst, void * srcArray, size_t wOffset, size_t hOffset, size_t count, int kind) {
    HIP_ENTER(hipMemcpyFromArray, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy_array(c, dst, NULL, count, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyFromArray, int, (void *, void *, size_t, size_t, size_t, int))(dst, srcArray, wOffset, hOffset, count, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyFromSymbol(void * dst, const void * symbol, size_t sizeBytes, size_t offset, int kind) {
    HIP_ENTER(hipMemcpyFromSymbol, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy_from_symbol(c, dst, symbol, offset, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyFromSymbol, int, (void *, const void *, size_t, size_t, int))(dst, symbol, sizeBytes, offset, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyFromSymbolAsync(void * dst, const void * symbol, size_t sizeBytes, size_t offset, int kind, void * stream) {
    HIP_ENTER(hipMemcpyFromSymbolAsync, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        hip_copy_from_symbol(c, dst, symbol, offset, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyFromSymbolAsync, int, (void *, const void *, size_t, size_t, int, void *))(dst, symbol, sizeBytes, offset, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyHtoA(void * dstArray, size_t dstOffset, const void * srcHost, size_t count) {
    HIP_ENTER(hipMemcpyHtoA, KIND_MEMCPY_H2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, srcHost, count, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyHtoA, int, (void *, size_t, const void *, size_t))(dstArray, dstOffset, srcHost, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyHtoD(void * dst, const void * src, size_t sizeBytes) {
    HIP_ENTER(hipMemcpyHtoD, KIND_MEMCPY_H2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyHtoD, int, (void *, const void *, size_t))(dst, src, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyHtoDAsync(void * dst, const void * src, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyHtoDAsync, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyHtoDAsync, int, (void *, const void *, size_t, void *))(dst, src, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyParam2D(const void * pCopy) {
    HIP_ENTER(hipMemcpyParam2D, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_param_2d(c, pCopy, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyParam2D, int, (const void *))(pCopy);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyParam2DAsync(const void * pCopy, void * stream) {
    HIP_ENTER(hipMemcpyParam2DAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy_param_2d(c, pCopy, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyParam2DAsync, int, (const void *, void *))(pCopy, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyPeer(void * dst, int dstDeviceId, const void * src, int srcDeviceId, size_t sizeBytes) {
    HIP_ENTER(hipMemcpyPeer, KIND_MEMCPY_PEER);
    if (c->op.thread)
        hip_copy_peer(c, dst, dstDeviceId, src, srcDeviceId, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyPeer, int, (void *, int, const void *, int, size_t))(dst, dstDeviceId, src, srcDeviceId, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyPeerAsync(void * dst, int dstDeviceId, const void * src, int srcDevice, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyPeerAsync, KIND_MEMCPY_ASYNC_PEER);
    if (c->op.thread)
        hip_copy_peer(c, dst, dstDeviceId, src, srcDevice, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyPeerAsync, int, (void *, int, const void *, int, size_t, void *))(dst, dstDeviceId, src, srcDevice, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyToArray(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t count, int kind) {
    HIP_ENTER(hipMemcpyToArray, KIND_MEMCPY_H2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, src, count, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyToArray, int, (void *, size_t, size_t, const void *, size_t, int))(dst, wOffset, hOffset, src, count, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyToSymbol(const void * symbol, const void * src, size_t sizeBytes, size_t offset, int kind) {
    HIP_ENTER(hipMemcpyToSymbol, KIND_MEMCPY_H2D);
    if (c->op.thread)
        hip_copy_to_symbol(c, symbol, offset, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyToSymbol, int, (const void *, const void *, size_t, size_t, int))(symbol, src, sizeBytes, offset, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyToSymbolAsync(const void * symbol, const void * src, size_t sizeBytes, size_t offset, int kind, void * stream) {
    HIP_ENTER(hipMemcpyToSymbolAsync, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        hip_copy_to_symbol(c, symbol, offset, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyToSymbolAsync, int, (const void *, const void *, size_t, size_t, int, void *))(symbol, src, sizeBytes, offset, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyWithStream(void * dst, const void * src, size_t sizeBytes, int kind, void * stream) {
    HIP_ENTER(hipMemcpyWithStream, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, stream, API_ASYNC_THEN_WAIT);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyWithStream, int, (void *, const void *, size_t, int, void *))(dst, src, sizeBytes, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset(void * dst, int value, size_t sizeBytes) {
    HIP_ENTER(hipMemset, KIND_MEMSET);
    if (c->op.thread)
        hip_set(c, dst, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset, int, (void *, int, size_t))(dst, value, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2D(void * dst, size_t pitch, int value, size_t width, size_t height) {
    HIP_ENTER(hipMemset2D, KIND_MEMSET);
    if (c->op.thread)
        hip_set_2d(c, dst, pitch, width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2D, int, (void *, size_t, int, size_t, size_t))(dst, pitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2DAsync(void * dst, size_t pitch, int value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemset2DAsync, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_2d(c, dst, pitch, width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2DAsync, int, (void *, size_t, int, size_t, size_t, void *))(dst, pitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3D(struct hip_pitched pitchedDevPtr, int value, struct hip_extent extent) {
    HIP_ENTER(hipMemset3D, KIND_MEMSET);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3D, int, (struct hip_pitched, int, struct hip_extent))(pitchedDevPtr, value, extent);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3DAsync(struct hip_pitched pitchedDevPtr, int value, struct hip_extent extent, void * stream) {
    HIP_ENTER(hipMemset3DAsync, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3DAsync, int, (struct hip_pitched, int, struct hip_extent, void *))(pitchedDevPtr, value, extent, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetAsync(void * dst, int value, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemsetAsync, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set(c, dst, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetAsync, int, (void *, int, size_t, void *))(dst, value, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD16(void * dest, unsigned short value, size_t count) {
    HIP_ENTER(hipMemsetD16, KIND_MEMSET);
    if (c->op.thread)
        hip_set(c, dest, 2 * count, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD16, int, (void *, unsigned short, size_t))(dest, value, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD16Async(void * dest, unsigned short value, size_t count, void * stream) {
    HIP_ENTER(hipMemsetD16Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set(c, dest, 2 * count, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD16Async, int, (void *, unsigned short, size_t, void *))(dest, value, count, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD32(void * dest, int value, size_t count) {
    HIP_ENTER(hipMemsetD32, KIND_MEMSET);
    if (c->op.thread)
        hip_set(c, dest, 4 * count, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD32, int, (void *, int, size_t))(dest, value, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD32Async(void * dst, int value, size_t count, void * stream) {
    HIP_ENTER(hipMemsetD32Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set(c, dst, 4 * count, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD32Async, int, (void *, int, size_t, void *))(dst, value, count, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD8(void * dest, unsigned char value, size_t count) {
    HIP_ENTER(hipMemsetD8, KIND_MEMSET);
    if (c->op.thread)
        hip_set(c, dest, count, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD8, int, (void *, unsigned char, size_t))(dest, value, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD8Async(void * dest, unsigned char value, size_t count, void * stream) {
    HIP_ENTER(hipMemsetD8Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set(c, dest, count, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD8Async, int, (void *, unsigned char, size_t, void *))(dest, value, count, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipModuleGetFunction(void ** function, void * module, const void * kname) {
    int rc = REAL_HIP(hipModuleGetFunction, int, (void **, void *, const void *))(function, module, kname);
    hip_module_function(rc, function, module, kname);
    return rc;
}

EXPORT int hipModuleGetGlobal(void ** dptr, size_t * bytes, void * hmod, const void * name) {
    int rc = REAL_HIP(hipModuleGetGlobal, int, (void **, size_t *, void *, const void *))(dptr, bytes, hmod, name);
    hip_global(rc, dptr, bytes);
    return rc;
}

EXPORT int hipModuleLaunchCooperativeKernel(void * f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, void * stream, void ** kernelParams) {
    HIP_ENTER(hipModuleLaunchCooperativeKernel, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_function(c, f, kernelParams, NULL, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipModuleLaunchCooperativeKernel, int, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **))(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipModuleLaunchKernel(void * f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, void * stream, void ** kernelParams, void ** extra) {
    HIP_ENTER(hipModuleLaunchKernel, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_function(c, f, kernelParams, extra, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipModuleLaunchKernel, int, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, stream, kernelParams, extra);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipModuleLoad(void ** module, const void * fname) {
    int rc = REAL_HIP(hipModuleLoad, int, (void **, const void *))(module, fname);
    hip_module_file(rc, module, fname);
    return rc;
}

EXPORT int hipModuleLoadData(void ** module, const void * image) {
    int rc = REAL_HIP(hipModuleLoadData, int, (void **, const void *))(module, image);
    hip_module(rc, module, image);
    return rc;
}

EXPORT int hipModuleLoadDataEx(void ** module, const void * image, unsigned numOptions, void * options, void ** optionValues) {
    int rc = REAL_HIP(hipModuleLoadDataEx, int, (void **, const void *, unsigned, void *, void **))(module, image, numOptions, options, optionValues);
    hip_module(rc, module, image);
    return rc;
}

EXPORT int hipModuleUnload(void * module) {
    int rc = REAL_HIP(hipModuleUnload, int, (void *))(module);
    hip_module_gone(rc, module);
    return rc;
}

EXPORT int hipSetDevice(int deviceId) {
    int rc = REAL_HIP(hipSetDevice, int, (int))(deviceId);
    hip_device_set(rc, deviceId);
    return rc;
}

EXPORT int hipStreamAddCallback(void * stream, void * callback, void * userData, unsigned flags) {
    HIP_ENTER(hipStreamAddCallback, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamAddCallback, int, (void *, void *, void *, unsigned))(stream, callback, userData, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamCreate(void ** stream) {
    HIP_ENTER(hipStreamCreate, KIND_STREAM_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamCreate, int, (void **))(stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_stream_made(c, *stream, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamCreateWithFlags(void ** stream, unsigned flags) {
    HIP_ENTER(hipStreamCreateWithFlags, KIND_STREAM_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamCreateWithFlags, int, (void **, unsigned))(stream, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_stream_made(c, *stream, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamCreateWithPriority(void ** stream, unsigned flags, int priority) {
    HIP_ENTER(hipStreamCreateWithPriority, KIND_STREAM_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamCreateWithPriority, int, (void **, unsigned, int))(stream, flags, priority);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_stream_made(c, *stream, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamDestroy(void * stream) {
    HIP_ENTER(hipStreamDestroy, KIND_STREAM_DESTROY);
    if (c->op.thread)
        api_on_stream(c, stream), api_stream_gone(stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamDestroy, int, (void *))(stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamQuery(void * stream) {
    HIP_LOOK(STREAM_QUERY, stream);
    HIP_ENTER(hipStreamQuery, KIND_STREAM_QUERY);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamQuery, int, (void *))(stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamSynchronize(void * stream) {
    HIP_LOOK(STREAM_SYNC, stream);
    HIP_ENTER(hipStreamSynchronize, KIND_STREAM_SYNC);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamSynchronize, int, (void *))(stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamWaitEvent(void * stream, void * event, unsigned flags) {
    HIP_ENTER(hipStreamWaitEvent, KIND_EVENT_WAIT);
    if (c->op.thread)
        hip_waits_event(c, stream, event, flags);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWaitEvent, int, (void *, void *, unsigned))(stream, event, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipExtModuleLaunchKernel(void * f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes, void * hStream, void ** kernelParams, void ** extra, void * startEvent, void * stopEvent, uint32_t flags) {
    HIP_ENTER(hipExtModuleLaunchKernel, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_function(c, f, kernelParams, extra, hStream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipExtModuleLaunchKernel, int, (void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, void *, void **, void **, void *, void *, uint32_t))(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_launch_events(c, startEvent, stopEvent);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipHccModuleLaunchKernel(void * f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY, uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY, uint32_t localWorkSizeZ, size_t sharedMemBytes, void * hStream, void ** kernelParams, void ** extra, void * startEvent, void * stopEvent) {
    HIP_ENTER(hipHccModuleLaunchKernel, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_function(c, f, kernelParams, extra, hStream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHccModuleLaunchKernel, int, (void *, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, size_t, void *, void **, void **, void *, void *))(f, globalWorkSizeX, globalWorkSizeY, globalWorkSizeZ, localWorkSizeX, localWorkSizeY, localWorkSizeZ, sharedMemBytes, hStream, kernelParams, extra, startEvent, stopEvent);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_launch_events(c, startEvent, stopEvent);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy_spt(void * dst, const void * src, size_t sizeBytes, int kind) {
    HIP_ENTER(hipMemcpy_spt, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy_spt, int, (void *, const void *, size_t, int))(dst, src, sizeBytes, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyToSymbol_spt(const void * symbol, const void * src, size_t sizeBytes, size_t offset, int kind) {
    HIP_ENTER(hipMemcpyToSymbol_spt, KIND_MEMCPY_H2D);
    if (c->op.thread)
        hip_copy_to_symbol(c, symbol, offset, src, sizeBytes, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyToSymbol_spt, int, (const void *, const void *, size_t, size_t, int))(symbol, src, sizeBytes, offset, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyFromSymbol_spt(void * dst, const void * symbol, size_t sizeBytes, size_t offset, int kind) {
    HIP_ENTER(hipMemcpyFromSymbol_spt, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy_from_symbol(c, dst, symbol, offset, sizeBytes, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyFromSymbol_spt, int, (void *, const void *, size_t, size_t, int))(dst, symbol, sizeBytes, offset, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2D_spt(void * dst, size_t dpitch, const void * src, size_t spitch, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2D_spt, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_2d(c, dst, dpitch, src, spitch, width, height, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2D_spt, int, (void *, size_t, const void *, size_t, size_t, size_t, int))(dst, dpitch, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArray_spt(void * dst, size_t dpitch, void * src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DFromArray_spt, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy_array(c, dst, NULL, width, dpitch, height, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DFromArray_spt, int, (void *, size_t, void *, size_t, size_t, size_t, size_t, int))(dst, dpitch, src, wOffset, hOffset, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy3D_spt(const void * p) {
    HIP_ENTER(hipMemcpy3D_spt, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_3d(c, p, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy3D_spt, int, (const void *))(p);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset_spt(void * dst, int value, size_t sizeBytes) {
    HIP_ENTER(hipMemset_spt, KIND_MEMSET);
    if (c->op.thread)
        hip_set(c, dst, sizeBytes, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset_spt, int, (void *, int, size_t))(dst, value, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetAsync_spt(void * dst, int value, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemsetAsync_spt, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set(c, dst, sizeBytes, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetAsync_spt, int, (void *, int, size_t, void *))(dst, value, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2D_spt(void * dst, size_t pitch, int value, size_t width, size_t height) {
    HIP_ENTER(hipMemset2D_spt, KIND_MEMSET);
    if (c->op.thread)
        hip_set_2d(c, dst, pitch, width, height, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2D_spt, int, (void *, size_t, int, size_t, size_t))(dst, pitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2DAsync_spt(void * dst, size_t pitch, int value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemset2DAsync_spt, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_2d(c, dst, pitch, width, height, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2DAsync_spt, int, (void *, size_t, int, size_t, size_t, void *))(dst, pitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3DAsync_spt(struct hip_pitched pitchedDevPtr, int value, struct hip_extent extent, void * stream) {
    HIP_ENTER(hipMemset3DAsync_spt, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3DAsync_spt, int, (struct hip_pitched, int, struct hip_extent, void *))(pitchedDevPtr, value, extent, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3D_spt(struct hip_pitched pitchedDevPtr, int value, struct hip_extent extent) {
    HIP_ENTER(hipMemset3D_spt, KIND_MEMSET);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3D_spt, int, (struct hip_pitched, int, struct hip_extent))(pitchedDevPtr, value, extent);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAsync_spt(void * dst, const void * src, size_t sizeBytes, int kind, void * stream) {
    HIP_ENTER(hipMemcpyAsync_spt, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy(c, dst, src, sizeBytes, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAsync_spt, int, (void *, const void *, size_t, int, void *))(dst, src, sizeBytes, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy3DAsync_spt(const void * p, void * stream) {
    HIP_ENTER(hipMemcpy3DAsync_spt, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy_3d(c, p, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy3DAsync_spt, int, (const void *, void *))(p, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DAsync_spt(void * dst, size_t dpitch, const void * src, size_t spitch, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DAsync_spt, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_copy_2d(c, dst, dpitch, src, spitch, width, height, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DAsync_spt, int, (void *, size_t, const void *, size_t, size_t, size_t, int, void *))(dst, dpitch, src, spitch, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyFromSymbolAsync_spt(void * dst, const void * symbol, size_t sizeBytes, size_t offset, int kind, void * stream) {
    HIP_ENTER(hipMemcpyFromSymbolAsync_spt, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        hip_copy_from_symbol(c, dst, symbol, offset, sizeBytes, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyFromSymbolAsync_spt, int, (void *, const void *, size_t, size_t, int, void *))(dst, symbol, sizeBytes, offset, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyToSymbolAsync_spt(const void * symbol, const void * src, size_t sizeBytes, size_t offset, int kind, void * stream) {
    HIP_ENTER(hipMemcpyToSymbolAsync_spt, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        hip_copy_to_symbol(c, symbol, offset, src, sizeBytes, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyToSymbolAsync_spt, int, (const void *, const void *, size_t, size_t, int, void *))(symbol, src, sizeBytes, offset, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyFromArray_spt(void * dst, void * src, size_t wOffsetSrc, size_t hOffset, size_t count, int kind) {
    HIP_ENTER(hipMemcpyFromArray_spt, KIND_MEMCPY_D2H);
    if (c->op.thread)
        hip_copy_array(c, dst, NULL, count, 0, 0, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyFromArray_spt, int, (void *, void *, size_t, size_t, size_t, int))(dst, src, wOffsetSrc, hOffset, count, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArray_spt(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DToArray_spt, KIND_MEMCPY_H2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, src, width, spitch, height, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DToArray_spt, int, (void *, size_t, size_t, const void *, size_t, size_t, size_t, int))(dst, wOffset, hOffset, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArrayAsync_spt(void * dst, size_t dpitch, void * src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DFromArrayAsync_spt, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        hip_copy_array(c, dst, NULL, width, dpitch, height, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DFromArrayAsync_spt, int, (void *, size_t, void *, size_t, size_t, size_t, size_t, int, void *))(dst, dpitch, src, wOffsetSrc, hOffsetSrc, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArrayAsync_spt(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DToArrayAsync_spt, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, src, width, spitch, height, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DToArrayAsync_spt, int, (void *, size_t, size_t, const void *, size_t, size_t, size_t, int, void *))(dst, wOffset, hOffset, src, spitch, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamQuery_spt(void * stream) {
    HIP_LOOK(STREAM_QUERY, stream);
    HIP_ENTER(hipStreamQuery_spt, KIND_STREAM_QUERY);
    if (c->op.thread)
        api_on_stream(c, SPT(stream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamQuery_spt, int, (void *))(stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamSynchronize_spt(void * stream) {
    HIP_LOOK(STREAM_SYNC, stream);
    HIP_ENTER(hipStreamSynchronize_spt, KIND_STREAM_SYNC);
    if (c->op.thread)
        api_on_stream(c, SPT(stream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamSynchronize_spt, int, (void *))(stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamWaitEvent_spt(void * stream, void * event, unsigned flags) {
    HIP_ENTER(hipStreamWaitEvent_spt, KIND_EVENT_WAIT);
    if (c->op.thread)
        hip_waits_event(c, SPT(stream), event, flags);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWaitEvent_spt, int, (void *, void *, unsigned))(stream, event, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamAddCallback_spt(void * stream, void * callback, void * userData, unsigned flags) {
    HIP_ENTER(hipStreamAddCallback_spt, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, SPT(stream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamAddCallback_spt, int, (void *, void *, void *, unsigned))(stream, callback, userData, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventRecord_spt(void * event, void * stream) {
    HIP_ENTER(hipEventRecord_spt, KIND_EVENT_RECORD);
    if (c->op.thread)
        hip_records_event(c, event, SPT(stream), 0);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventRecord_spt, int, (void *, void *))(event, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchCooperativeKernel_spt(const void * f, struct hip_dim3 gridDim, struct hip_dim3 blockDim, void ** kernelParams, uint32_t sharedMemBytes, void * hStream) {
    HIP_ENTER(hipLaunchCooperativeKernel_spt, KIND_KERNEL);
    if (c->op.thread)
        hip_launches(c, f, kernelParams, SPT(hStream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchCooperativeKernel_spt, int, (const void *, struct hip_dim3, struct hip_dim3, void **, uint32_t, void *))(f, gridDim, blockDim, kernelParams, sharedMemBytes, hStream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchKernel_spt(const void * function_address, struct hip_dim3 numBlocks, struct hip_dim3 dimBlocks, void ** args, size_t sharedMemBytes, void * stream) {
    HIP_ENTER(hipLaunchKernel_spt, KIND_KERNEL);
    if (c->op.thread)
        hip_launches(c, function_address, args, SPT(stream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchKernel_spt, int, (const void *, struct hip_dim3, struct hip_dim3, void **, size_t, void *))(function_address, numBlocks, dimBlocks, args, sharedMemBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchHostFunc_spt(void * stream, void * fn, void * userData) {
    HIP_ENTER(hipLaunchHostFunc_spt, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, SPT(stream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchHostFunc_spt, int, (void *, void *, void *))(stream, fn, userData);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGetProcAddress(const void * symbol, void ** pfn, int hipVersion, uint64_t flags, void * symbolStatus) {
    int rc = REAL_HIP(hipGetProcAddress, int, (const void *, void **, int, uint64_t, void *))(symbol, pfn, hipVersion, flags, symbolStatus);
    hip_proc_address(rc, symbol, pfn);
    return rc;
}

EXPORT int hipMemcpyAtoD(void * dstDevice, void * srcArray, size_t srcOffset, size_t ByteCount) {
    HIP_ENTER(hipMemcpyAtoD, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_array(c, dstDevice, NULL, ByteCount, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoD, int, (void *, void *, size_t, size_t))(dstDevice, srcArray, srcOffset, ByteCount);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoA(void * dstArray, size_t dstOffset, void * srcDevice, size_t ByteCount) {
    HIP_ENTER(hipMemcpyDtoA, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, srcDevice, ByteCount, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoA, int, (void *, size_t, void *, size_t))(dstArray, dstOffset, srcDevice, ByteCount);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAtoA(void * dstArray, size_t dstOffset, void * srcArray, size_t srcOffset, size_t ByteCount) {
    HIP_ENTER(hipMemcpyAtoA, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, NULL, ByteCount, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoA, int, (void *, size_t, void *, size_t, size_t))(dstArray, dstOffset, srcArray, srcOffset, ByteCount);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAtoHAsync(void * dstHost, void * srcArray, size_t srcOffset, size_t ByteCount, void * stream) {
    HIP_ENTER(hipMemcpyAtoHAsync, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        hip_copy_array(c, dstHost, NULL, ByteCount, 0, 0, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoHAsync, int, (void *, void *, size_t, size_t, void *))(dstHost, srcArray, srcOffset, ByteCount, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyHtoAAsync(void * dstArray, size_t dstOffset, const void * srcHost, size_t ByteCount, void * stream) {
    HIP_ENTER(hipMemcpyHtoAAsync, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, srcHost, ByteCount, 0, 0, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyHtoAAsync, int, (void *, size_t, const void *, size_t, void *))(dstArray, dstOffset, srcHost, ByteCount, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DArrayToArray(void * dst, size_t wOffsetDst, size_t hOffsetDst, void * src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DArrayToArray, KIND_MEMCPY_D2D);
    if (c->op.thread)
        hip_copy_array(c, NULL, NULL, width, 0, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DArrayToArray, int, (void *, size_t, size_t, void *, size_t, size_t, size_t, size_t, int))(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipExtHostAlloc(void ** ptr, size_t size, unsigned flags) {
    HIP_ENTER(hipExtHostAlloc, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipExtHostAlloc, int, (void **, size_t, unsigned))(ptr, size, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_allocated_host(c, *ptr, size, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventRecordWithFlags(void * event, void * stream, unsigned flags) {
    HIP_ENTER(hipEventRecordWithFlags, KIND_EVENT_RECORD);
    if (c->op.thread)
        hip_records_event(c, event, stream, flags);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipEventRecordWithFlags, int, (void *, void *, unsigned))(event, stream, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchKernelExC(void ** config, const void * fPtr, void ** args) {
    HIP_ENTER(hipLaunchKernelExC, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_config(c, config, fPtr, args);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchKernelExC, int, (void **, const void *, void **))(config, fPtr, args);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvLaunchKernelEx(const void * config, void * f, void ** params, void ** extra) {
    HIP_ENTER(hipDrvLaunchKernelEx, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_driver_config(c, config, f, params, extra);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvLaunchKernelEx, int, (const void *, void *, void **, void **))(config, f, params, extra);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D8(void * dst, size_t dstPitch, unsigned char value, size_t width, size_t height) {
    HIP_ENTER(hipMemsetD2D8, KIND_MEMSET);
    if (c->op.thread)
        hip_set_2d(c, dst, dstPitch, width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D8, int, (void *, size_t, unsigned char, size_t, size_t))(dst, dstPitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D8Async(void * dst, size_t dstPitch, unsigned char value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemsetD2D8Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_2d(c, dst, dstPitch, width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D8Async, int, (void *, size_t, unsigned char, size_t, size_t, void *))(dst, dstPitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D16(void * dst, size_t dstPitch, unsigned short value, size_t width, size_t height) {
    HIP_ENTER(hipMemsetD2D16, KIND_MEMSET);
    if (c->op.thread)
        hip_set_2d(c, dst, dstPitch, 2 * width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D16, int, (void *, size_t, unsigned short, size_t, size_t))(dst, dstPitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D16Async(void * dst, size_t dstPitch, unsigned short value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemsetD2D16Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_2d(c, dst, dstPitch, 2 * width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D16Async, int, (void *, size_t, unsigned short, size_t, size_t, void *))(dst, dstPitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D32(void * dst, size_t dstPitch, unsigned value, size_t width, size_t height) {
    HIP_ENTER(hipMemsetD2D32, KIND_MEMSET);
    if (c->op.thread)
        hip_set_2d(c, dst, dstPitch, 4 * width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D32, int, (void *, size_t, unsigned, size_t, size_t))(dst, dstPitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D32Async(void * dst, size_t dstPitch, unsigned value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemsetD2D32Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_2d(c, dst, dstPitch, 4 * width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D32Async, int, (void *, size_t, unsigned, size_t, size_t, void *))(dst, dstPitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipModuleLoadFatBinary(void ** module, const void * fatbin) {
    int rc = REAL_HIP(hipModuleLoadFatBinary, int, (void **, const void *))(module, fatbin);
    hip_module(rc, module, fatbin);
    return rc;
}

EXPORT int hipGetProcAddress_spt(const void * symbol, void ** pfn, int hipVersion, uint64_t flags, void * symbolStatus) {
    int rc = REAL_HIP(hipGetProcAddress_spt, int, (const void *, void **, int, uint64_t, void *))(symbol, pfn, hipVersion, flags, symbolStatus);
    hip_proc_address(rc, symbol, pfn);
    return rc;
}

EXPORT void ** __hipRegisterFatBinary(const void * data) {
    void ** rc = REAL_HIP(__hipRegisterFatBinary, void **, (const void *))(data);
    hip_fat_binary(rc, data);
    return rc;
}

EXPORT void __hipRegisterFunction(void ** modules, const void * hostFunction, void * deviceFunction, const void * deviceName, unsigned threadLimit, void * tid, void * bid, void * blockDim, void * gridDim, void * wSize) {
    REAL_HIP(__hipRegisterFunction, void, (void **, const void *, void *, const void *, unsigned, void *, void *, void *, void *, void *))(modules, hostFunction, deviceFunction, deviceName, threadLimit, tid, bid, blockDim, gridDim, wSize);
    hip_function_registered(modules, hostFunction, deviceName);
}

EXPORT void __hipUnregisterFatBinary(void ** modules) {
    REAL_HIP(__hipUnregisterFatBinary, void, (void **))(modules);
    hip_fat_binary_gone(modules);
}
