// Written by generate_wrappers.py from cuda_api.txt and cuda_roles*.txt: edit those.
#include "cuda_calls.h"

// clang-format off
EXPORT int cuInit(unsigned Flags) {
    int rc = REAL_CUDA(cuInit, int, (unsigned))(Flags);
    cuda_times_begin(rc);
    return rc;
}

EXPORT int cuDevicePrimaryCtxReset_v2(int dev) {
    CUDA_LOOK(DEVICE_SYNC, NULL);
    CUDA_ENTER(cuDevicePrimaryCtxReset_v2, KIND_DEVICE_SYNC);
    if (c->op.thread)
        cuda_on_device(c, dev);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuDevicePrimaryCtxReset_v2, int, (int))(dev);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuCtxCreate_v4(void ** pctx, void * ctxCreateParams, unsigned flags, int dev) {
    int rc = REAL_CUDA(cuCtxCreate_v4, int, (void **, void *, unsigned, int))(pctx, ctxCreateParams, flags, dev);
    api_device_was_set(rc, dev);
    return rc;
}

EXPORT int cuCtxDestroy_v2(void * ctx) {
    CUDA_LOOK(DEVICE_SYNC, NULL);
    CUDA_ENTER(cuCtxDestroy_v2, KIND_DEVICE_SYNC);
    if (c->op.thread)
        cuda_context_goes(c, ctx);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuCtxDestroy_v2, int, (void *))(ctx);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_device_changed(c);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuCtxPushCurrent_v2(void * ctx) {
    int rc = REAL_CUDA(cuCtxPushCurrent_v2, int, (void *))(ctx);
    cuda_context_set(rc, ctx);
    return rc;
}

EXPORT int cuCtxPopCurrent_v2(void ** pctx) {
    int rc = REAL_CUDA(cuCtxPopCurrent_v2, int, (void **))(pctx);
    api_device_set(DEVICE_UNKNOWN);
    return rc;
}

EXPORT int cuCtxSetCurrent(void * ctx) {
    int rc = REAL_CUDA(cuCtxSetCurrent, int, (void *))(ctx);
    cuda_context_set(rc, ctx);
    return rc;
}

EXPORT int cuCtxSynchronize(void) {
    CUDA_LOOK(DEVICE_SYNC, NULL);
    CUDA_ENTER(cuCtxSynchronize, KIND_DEVICE_SYNC);
    if (c->op.thread)
        api_on_device(c);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuCtxSynchronize, int, (void))();
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuCtxSynchronize_v2(void * ctx) {
    CUDA_LOOK(DEVICE_SYNC, NULL);
    CUDA_ENTER(cuCtxSynchronize_v2, KIND_DEVICE_SYNC);
    if (c->op.thread)
        cuda_on_context(c, ctx);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuCtxSynchronize_v2, int, (void *))(ctx);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuModuleLoad(void ** module, const void * fname) {
    int rc = REAL_CUDA(cuModuleLoad, int, (void **, const void *))(module, fname);
    cuda_code_file(rc, fname);
    return rc;
}

EXPORT int cuModuleLoadData(void ** module, const void * image) {
    int rc = REAL_CUDA(cuModuleLoadData, int, (void **, const void *))(module, image);
    cuda_code_loaded(rc, module, image);
    return rc;
}

EXPORT int cuModuleLoadDataEx(void ** module, const void * image, unsigned numOptions, void * options, void ** optionValues) {
    int rc = REAL_CUDA(cuModuleLoadDataEx, int, (void **, const void *, unsigned, void *, void **))(module, image, numOptions, options, optionValues);
    cuda_code_loaded(rc, module, image);
    return rc;
}

EXPORT int cuModuleLoadFatBinary(void ** module, const void * fatCubin) {
    int rc = REAL_CUDA(cuModuleLoadFatBinary, int, (void **, const void *))(module, fatCubin);
    cuda_code_loaded(rc, module, fatCubin);
    return rc;
}

EXPORT int cuModuleUnload(void * hmod) {
    int rc = REAL_CUDA(cuModuleUnload, int, (void *))(hmod);
    cuda_code_gone(rc, hmod);
    return rc;
}

EXPORT int cuModuleGetGlobal_v2(void ** dptr, size_t * bytes, void * hmod, const void * name) {
    int rc = REAL_CUDA(cuModuleGetGlobal_v2, int, (void **, size_t *, void *, const void *))(dptr, bytes, hmod, name);
    cuda_global(rc, dptr, bytes);
    return rc;
}

EXPORT int cuLibraryLoadData(void ** library, const void * code, void * jitOptions, void ** jitOptionsValues, unsigned numJitOptions, void * libraryOptions, void ** libraryOptionValues, unsigned numLibraryOptions) {
    int rc = REAL_CUDA(cuLibraryLoadData, int, (void **, const void *, void *, void **, unsigned, void *, void **, unsigned))(library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
    cuda_code_loaded(rc, library, code);
    return rc;
}

EXPORT int cuLibraryLoadFromFile(void ** library, const void * fileName, void * jitOptions, void ** jitOptionsValues, unsigned numJitOptions, void * libraryOptions, void ** libraryOptionValues, unsigned numLibraryOptions) {
    int rc = REAL_CUDA(cuLibraryLoadFromFile, int, (void **, const void *, void *, void **, unsigned, void *, void **, unsigned))(library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
    cuda_code_file(rc, fileName);
    return rc;
}

EXPORT int cuLibraryUnload(void * library) {
    int rc = REAL_CUDA(cuLibraryUnload, int, (void *))(library);
    cuda_code_gone(rc, library);
    return rc;
}

EXPORT int cuLibraryGetGlobal(void ** dptr, size_t * bytes, void * library, const void * name) {
    int rc = REAL_CUDA(cuLibraryGetGlobal, int, (void **, size_t *, void *, const void *))(dptr, bytes, library, name);
    cuda_global(rc, dptr, bytes);
    return rc;
}

EXPORT int cuLibraryGetManaged(void ** dptr, size_t * bytes, void * library, const void * name) {
    int rc = REAL_CUDA(cuLibraryGetManaged, int, (void **, size_t *, void *, const void *))(dptr, bytes, library, name);
    cuda_global(rc, dptr, bytes);
    return rc;
}

EXPORT int cuMemAlloc_v2(void ** dptr, size_t bytesize) {
    CUDA_ENTER(cuMemAlloc_v2, KIND_ALLOC_DEVICE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAlloc_v2, int, (void **, size_t))(dptr, bytesize);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *dptr, bytesize, MEMORY_KIND_DEVICE);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAllocPitch_v2(void ** dptr, size_t * pPitch, size_t WidthInBytes, size_t Height, unsigned ElementSizeBytes) {
    CUDA_ENTER(cuMemAllocPitch_v2, KIND_ALLOC_DEVICE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAllocPitch_v2, int, (void **, size_t *, size_t, size_t, unsigned))(dptr, pPitch, WidthInBytes, Height, ElementSizeBytes);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *dptr, *pPitch * Height, MEMORY_KIND_DEVICE);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemFree_v2(void * dptr) {
    CUDA_ENTER(cuMemFree_v2, KIND_FREE);
    if (c->op.thread)
        api_frees(c, dptr);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemFree_v2, int, (void *))(dptr);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAllocHost_v2(void ** pp, size_t bytesize) {
    CUDA_ENTER(cuMemAllocHost_v2, KIND_ALLOC_PINNED);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAllocHost_v2, int, (void **, size_t))(pp, bytesize);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_allocated_host(c, *pp, bytesize, 0);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemFreeHost(void * p) {
    CUDA_ENTER(cuMemFreeHost, KIND_FREE_HOST);
    if (c->op.thread)
        api_frees(c, p);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemFreeHost, int, (void *))(p);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemHostAlloc(void ** pp, size_t bytesize, unsigned Flags) {
    CUDA_ENTER(cuMemHostAlloc, KIND_ALLOC_PINNED);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemHostAlloc, int, (void **, size_t, unsigned))(pp, bytesize, Flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_allocated_host(c, *pp, bytesize, Flags);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemHostGetDevicePointer_v2(void ** pdptr, void * p, unsigned Flags) {
    int rc = REAL_CUDA(cuMemHostGetDevicePointer_v2, int, (void **, void *, unsigned))(pdptr, p, Flags);
    api_device_pointer(rc, pdptr, p);
    return rc;
}

EXPORT int cuMemAllocManaged(void ** dptr, size_t bytesize, unsigned flags) {
    CUDA_ENTER(cuMemAllocManaged, KIND_ALLOC_MANAGED);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAllocManaged, int, (void **, size_t, unsigned))(dptr, bytesize, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *dptr, bytesize, MEMORY_KIND_MANAGED);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuIpcGetEventHandle(void * pHandle, void * event) {
    int rc = REAL_CUDA(cuIpcGetEventHandle, int, (void *, void *))(pHandle, event);
    api_event_shared(rc, event);
    return rc;
}

EXPORT int cuIpcOpenEventHandle(void ** phEvent, struct cuda_ipc_handle handle) {
    CUDA_ENTER(cuIpcOpenEventHandle, KIND_EVENT_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuIpcOpenEventHandle, int, (void **, struct cuda_ipc_handle))(phEvent, handle);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_event_opened(c, *phEvent);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuIpcOpenMemHandle_v2(void ** pdptr, struct cuda_ipc_handle handle, unsigned Flags) {
    CUDA_ENTER(cuIpcOpenMemHandle_v2, KIND_ALLOC_DEVICE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuIpcOpenMemHandle_v2, int, (void **, struct cuda_ipc_handle, unsigned))(pdptr, handle, Flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_memory_opened(c, *pdptr);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuIpcCloseMemHandle(void * dptr) {
    CUDA_ENTER(cuIpcCloseMemHandle, KIND_FREE);
    if (c->op.thread)
        api_memory_closes(c, dptr);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuIpcCloseMemHandle, int, (void *))(dptr);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemHostRegister_v2(void * p, size_t bytesize, unsigned Flags) {
    CUDA_ENTER(cuMemHostRegister_v2, KIND_HOST_REGISTER);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemHostRegister_v2, int, (void *, size_t, unsigned))(p, bytesize, Flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_registers(c, p, bytesize);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemHostUnregister(void * p) {
    CUDA_ENTER(cuMemHostUnregister, KIND_HOST_UNREGISTER);
    if (c->op.thread)
        api_unregisters(c, p);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemHostUnregister, int, (void *))(p);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy(void * dst, void * src, size_t ByteCount) {
    CUDA_ENTER(cuMemcpy, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, ByteCount, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy, int, (void *, void *, size_t))(dst, src, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyPeer(void * dstDevice, void * dstContext, void * srcDevice, void * srcContext, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyPeer, KIND_MEMCPY_PEER);
    if (c->op.thread)
        cuda_copy_peer(c, dstDevice, dstContext, srcDevice, srcContext, ByteCount, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyPeer, int, (void *, void *, void *, void *, size_t))(dstDevice, dstContext, srcDevice, srcContext, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoD_v2(void * dstDevice, const void * srcHost, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyHtoD_v2, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcHost, ByteCount, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoD_v2, int, (void *, const void *, size_t))(dstDevice, srcHost, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoH_v2(void * dstHost, void * srcDevice, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyDtoH_v2, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_on(c, dstHost, srcDevice, ByteCount, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoH_v2, int, (void *, void *, size_t))(dstHost, srcDevice, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoD_v2(void * dstDevice, void * srcDevice, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyDtoD_v2, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcDevice, ByteCount, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoD_v2, int, (void *, void *, size_t))(dstDevice, srcDevice, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoA_v2(void * dstArray, size_t dstOffset, void * srcDevice, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyDtoA_v2, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcDevice, ByteCount, 0, 0, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoA_v2, int, (void *, size_t, void *, size_t))(dstArray, dstOffset, srcDevice, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoD_v2(void * dstDevice, void * srcArray, size_t srcOffset, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyAtoD_v2, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, dstDevice, NULL, ByteCount, 0, 0, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoD_v2, int, (void *, void *, size_t, size_t))(dstDevice, srcArray, srcOffset, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoA_v2(void * dstArray, size_t dstOffset, const void * srcHost, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyHtoA_v2, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcHost, ByteCount, 0, 0, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoA_v2, int, (void *, size_t, const void *, size_t))(dstArray, dstOffset, srcHost, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoH_v2(void * dstHost, void * srcArray, size_t srcOffset, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyAtoH_v2, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dstHost, NULL, ByteCount, 0, 0, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoH_v2, int, (void *, void *, size_t, size_t))(dstHost, srcArray, srcOffset, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoA_v2(void * dstArray, size_t dstOffset, void * srcArray, size_t srcOffset, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyAtoA_v2, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, NULL, ByteCount, 0, 0, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoA_v2, int, (void *, size_t, void *, size_t, size_t))(dstArray, dstOffset, srcArray, srcOffset, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy2D_v2(const void * pCopy) {
    CUDA_ENTER(cuMemcpy2D_v2, KIND_MEMCPY_D2D);
    if (c->op.thread)
        cuda_copy_2d(c, pCopy, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy2D_v2, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy2DUnaligned_v2(const void * pCopy) {
    CUDA_ENTER(cuMemcpy2DUnaligned_v2, KIND_MEMCPY_D2D);
    if (c->op.thread)
        cuda_copy_2d(c, pCopy, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy2DUnaligned_v2, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3D_v2(const void * pCopy) {
    CUDA_ENTER(cuMemcpy3D_v2, KIND_MEMCPY_D2D);
    if (c->op.thread)
        cuda_copy_3d(c, pCopy, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3D_v2, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DPeer(const void * pCopy) {
    CUDA_ENTER(cuMemcpy3DPeer, KIND_MEMCPY_PEER);
    if (c->op.thread)
        cuda_copy_3d_peer(c, pCopy, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DPeer, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAsync(void * dst, void * src, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, ByteCount, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAsync, int, (void *, void *, size_t, void *))(dst, src, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyPeerAsync(void * dstDevice, void * dstContext, void * srcDevice, void * srcContext, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyPeerAsync, KIND_MEMCPY_ASYNC_PEER);
    if (c->op.thread)
        cuda_copy_peer(c, dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyPeerAsync, int, (void *, void *, void *, void *, size_t, void *))(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoDAsync_v2(void * dstDevice, const void * srcHost, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyHtoDAsync_v2, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcHost, ByteCount, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoDAsync_v2, int, (void *, const void *, size_t, void *))(dstDevice, srcHost, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoHAsync_v2(void * dstHost, void * srcDevice, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyDtoHAsync_v2, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_on(c, dstHost, srcDevice, ByteCount, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoHAsync_v2, int, (void *, void *, size_t, void *))(dstHost, srcDevice, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoDAsync_v2(void * dstDevice, void * srcDevice, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyDtoDAsync_v2, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcDevice, ByteCount, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoDAsync_v2, int, (void *, void *, size_t, void *))(dstDevice, srcDevice, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoAAsync_v2(void * dstArray, size_t dstOffset, const void * srcHost, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyHtoAAsync_v2, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcHost, ByteCount, 0, 0, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoAAsync_v2, int, (void *, size_t, const void *, size_t, void *))(dstArray, dstOffset, srcHost, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoHAsync_v2(void * dstHost, void * srcArray, size_t srcOffset, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyAtoHAsync_v2, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dstHost, NULL, ByteCount, 0, 0, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoHAsync_v2, int, (void *, void *, size_t, size_t, void *))(dstHost, srcArray, srcOffset, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy2DAsync_v2(const void * pCopy, void * hStream) {
    CUDA_ENTER(cuMemcpy2DAsync_v2, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        cuda_copy_2d(c, pCopy, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy2DAsync_v2, int, (const void *, void *))(pCopy, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DAsync_v2(const void * pCopy, void * hStream) {
    CUDA_ENTER(cuMemcpy3DAsync_v2, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        cuda_copy_3d(c, pCopy, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DAsync_v2, int, (const void *, void *))(pCopy, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DPeerAsync(const void * pCopy, void * hStream) {
    CUDA_ENTER(cuMemcpy3DPeerAsync, KIND_MEMCPY_ASYNC_PEER);
    if (c->op.thread)
        cuda_copy_3d_peer(c, pCopy, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DPeerAsync, int, (const void *, void *))(pCopy, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyBatchAsync_v2(void ** dsts, void ** srcs, size_t * sizes, size_t count, void * attrs, size_t * attrsIdxs, size_t numAttrs, void * hStream) {
    CUDA_ENTER(cuMemcpyBatchAsync_v2, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyBatchAsync_v2, int, (void **, void **, size_t *, size_t, void *, size_t *, size_t, void *))(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_batch(c, dsts, srcs, sizes, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DBatchAsync_v2(size_t numOps, void * opList, unsigned long long flags, void * hStream) {
    CUDA_ENTER(cuMemcpy3DBatchAsync_v2, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DBatchAsync_v2, int, (size_t, void *, unsigned long long, void *))(numOps, opList, flags, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_3d_batch(c, opList, numOps);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD8_v2(void * dstDevice, unsigned char uc, size_t N) {
    CUDA_ENTER(cuMemsetD8_v2, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dstDevice, N, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD8_v2, int, (void *, unsigned char, size_t))(dstDevice, uc, N);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD16_v2(void * dstDevice, unsigned short us, size_t N) {
    CUDA_ENTER(cuMemsetD16_v2, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dstDevice, 2 * N, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD16_v2, int, (void *, unsigned short, size_t))(dstDevice, us, N);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD32_v2(void * dstDevice, unsigned ui, size_t N) {
    CUDA_ENTER(cuMemsetD32_v2, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dstDevice, 4 * N, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD32_v2, int, (void *, unsigned, size_t))(dstDevice, ui, N);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D8_v2(void * dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
    CUDA_ENTER(cuMemsetD2D8_v2, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, Width, Height, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D8_v2, int, (void *, size_t, unsigned char, size_t, size_t))(dstDevice, dstPitch, uc, Width, Height);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D16_v2(void * dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height) {
    CUDA_ENTER(cuMemsetD2D16_v2, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 2 * Width, Height, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D16_v2, int, (void *, size_t, unsigned short, size_t, size_t))(dstDevice, dstPitch, us, Width, Height);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D32_v2(void * dstDevice, size_t dstPitch, unsigned ui, size_t Width, size_t Height) {
    CUDA_ENTER(cuMemsetD2D32_v2, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 4 * Width, Height, LEGACY, API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D32_v2, int, (void *, size_t, unsigned, size_t, size_t))(dstDevice, dstPitch, ui, Width, Height);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD8Async(void * dstDevice, unsigned char uc, size_t N, void * hStream) {
    CUDA_ENTER(cuMemsetD8Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dstDevice, N, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD8Async, int, (void *, unsigned char, size_t, void *))(dstDevice, uc, N, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD16Async(void * dstDevice, unsigned short us, size_t N, void * hStream) {
    CUDA_ENTER(cuMemsetD16Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dstDevice, 2 * N, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD16Async, int, (void *, unsigned short, size_t, void *))(dstDevice, us, N, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD32Async(void * dstDevice, unsigned ui, size_t N, void * hStream) {
    CUDA_ENTER(cuMemsetD32Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dstDevice, 4 * N, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD32Async, int, (void *, unsigned, size_t, void *))(dstDevice, ui, N, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D8Async(void * dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, void * hStream) {
    CUDA_ENTER(cuMemsetD2D8Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, Width, Height, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D8Async, int, (void *, size_t, unsigned char, size_t, size_t, void *))(dstDevice, dstPitch, uc, Width, Height, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D16Async(void * dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height, void * hStream) {
    CUDA_ENTER(cuMemsetD2D16Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 2 * Width, Height, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D16Async, int, (void *, size_t, unsigned short, size_t, size_t, void *))(dstDevice, dstPitch, us, Width, Height, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D32Async(void * dstDevice, size_t dstPitch, unsigned ui, size_t Width, size_t Height, void * hStream) {
    CUDA_ENTER(cuMemsetD2D32Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 4 * Width, Height, hStream, API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D32Async, int, (void *, size_t, unsigned, size_t, size_t, void *))(dstDevice, dstPitch, ui, Width, Height, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAddressReserve(void ** ptr, size_t size, size_t alignment, void * addr, unsigned long long flags) {
    CUDA_ENTER(cuMemAddressReserve, KIND_ALLOC_DEVICE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAddressReserve, int, (void **, size_t, size_t, void *, unsigned long long))(ptr, size, alignment, addr, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_allocated(c, *ptr, size, MEMORY_KIND_DEVICE);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAddressFree(void * ptr, size_t size) {
    CUDA_ENTER(cuMemAddressFree, KIND_FREE);
    if (c->op.thread)
        api_frees(c, ptr);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAddressFree, int, (void *, size_t))(ptr, size);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemFreeAsync(void * dptr, void * hStream) {
    CUDA_ENTER(cuMemFreeAsync, KIND_FREE_ASYNC);
    if (c->op.thread)
        api_on_stream(c, hStream), api_frees(c, dptr);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemFreeAsync, int, (void *, void *))(dptr, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAllocAsync(void ** dptr, size_t bytesize, void * hStream) {
    CUDA_ENTER(cuMemAllocAsync, KIND_ALLOC_ASYNC);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAllocAsync, int, (void **, size_t, void *))(dptr, bytesize, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_pool_allocated(c, *dptr, bytesize);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAllocFromPoolAsync(void ** dptr, size_t bytesize, void * pool, void * hStream) {
    CUDA_ENTER(cuMemAllocFromPoolAsync, KIND_ALLOC_ASYNC);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAllocFromPoolAsync, int, (void **, size_t, void *, void *))(dptr, bytesize, pool, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_pool_allocated(c, *dptr, bytesize);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemPoolImportPointer(void ** ptr_out, void * pool, void * shareData) {
    int rc = REAL_CUDA(cuMemPoolImportPointer, int, (void **, void *, void *))(ptr_out, pool, shareData);
    api_pool_memory_opened(rc, ptr_out);
    return rc;
}

EXPORT int cuStreamCreate(void ** phStream, unsigned Flags) {
    CUDA_ENTER(cuStreamCreate, KIND_STREAM_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamCreate, int, (void **, unsigned))(phStream, Flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_stream_created(c, *phStream, Flags);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamCreateWithPriority(void ** phStream, unsigned flags, int priority) {
    CUDA_ENTER(cuStreamCreateWithPriority, KIND_STREAM_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamCreateWithPriority, int, (void **, unsigned, int))(phStream, flags, priority);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_stream_created(c, *phStream, flags);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitEvent(void * hStream, void * hEvent, unsigned Flags) {
    CUDA_ENTER(cuStreamWaitEvent, KIND_EVENT_WAIT);
    if (c->op.thread)
        api_waits_event(c, hStream, hEvent, Flags);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitEvent, int, (void *, void *, unsigned))(hStream, hEvent, Flags);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamAddCallback(void * hStream, void * callback, void * userData, unsigned flags) {
    CUDA_ENTER(cuStreamAddCallback, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, hStream), api_runs_callback(c, &callback, &userData);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamAddCallback, int, (void *, void *, void *, unsigned))(hStream, callback, userData, flags);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBeginCapture_v2(void * hStream, int mode) {
    CUDA_ENTER(cuStreamBeginCapture_v2, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBeginCapture_v2, int, (void *, int))(hStream, mode);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &cuda_graph_asks, NULL, NULL, 0);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBeginCaptureToGraph(void * hStream, void * hGraph, void ** dependencies, const void * dependencyData, size_t numDependencies, int mode) {
    CUDA_ENTER(cuStreamBeginCaptureToGraph, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBeginCaptureToGraph, int, (void *, void *, void **, const void *, size_t, int))(hStream, hGraph, dependencies, dependencyData, numDependencies, mode);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &cuda_graph_asks, hGraph, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamEndCapture(void * hStream, void ** phGraph) {
    CUDA_ENTER(cuStreamEndCapture, KIND_CAPTURE_END);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamEndCapture, int, (void *, void **))(hStream, phGraph);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_ended(c, phGraph);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamGetCaptureInfo_v3(void * hStream, void * captureStatus_out, void * id_out, void ** graph_out, const void * dependencies_out, const void * edgeData_out, size_t * numDependencies_out) {
    int rc = REAL_CUDA(cuStreamGetCaptureInfo_v3, int, (void *, void *, void *, void **, const void *, const void *, size_t *))(hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out);
    api_capture_asked(rc, hStream, dependencies_out);
    return rc;
}

EXPORT int cuStreamUpdateCaptureDependencies_v2(void * hStream, void ** dependencies, const void * dependencyData, size_t numDependencies, unsigned flags) {
    int rc = REAL_CUDA(cuStreamUpdateCaptureDependencies_v2, int, (void *, void **, const void *, size_t, unsigned))(hStream, dependencies, dependencyData, numDependencies, flags);
    api_capture_follows(rc, hStream, dependencies, numDependencies, flags);
    return rc;
}

EXPORT int cuStreamQuery(void * hStream) {
    CUDA_LOOK(STREAM_QUERY, hStream);
    CUDA_ENTER(cuStreamQuery, KIND_STREAM_QUERY);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamQuery, int, (void *))(hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamSynchronize(void * hStream) {
    CUDA_LOOK(STREAM_SYNC, hStream);
    CUDA_ENTER(cuStreamSynchronize, KIND_STREAM_SYNC);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamSynchronize, int, (void *))(hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamDestroy_v2(void * hStream) {
    CUDA_ENTER(cuStreamDestroy_v2, KIND_STREAM_DESTROY);
    if (c->op.thread)
        api_on_stream(c, hStream), api_stream_gone(hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamDestroy_v2, int, (void *))(hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventCreate(void ** phEvent, unsigned Flags) {
    CUDA_ENTER(cuEventCreate, KIND_EVENT_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventCreate, int, (void **, unsigned))(phEvent, Flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        cuda_event_made(c, *phEvent);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventRecord(void * hEvent, void * hStream) {
    CUDA_ENTER(cuEventRecord, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_records_event(c, hEvent, hStream, 0);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventRecord, int, (void *, void *))(hEvent, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventRecordWithFlags(void * hEvent, void * hStream, unsigned flags) {
    CUDA_ENTER(cuEventRecordWithFlags, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_records_event(c, hEvent, hStream, flags);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventRecordWithFlags, int, (void *, void *, unsigned))(hEvent, hStream, flags);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventQuery(void * hEvent) {
    CUDA_LOOK(EVENT_QUERY, hEvent);
    CUDA_ENTER(cuEventQuery, KIND_EVENT_QUERY);
    if (c->op.thread)
        api_on_event(c, hEvent);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventQuery, int, (void *))(hEvent);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventSynchronize(void * hEvent) {
    CUDA_LOOK(EVENT_SYNC, hEvent);
    CUDA_ENTER(cuEventSynchronize, KIND_EVENT_SYNC);
    if (c->op.thread)
        api_on_event(c, hEvent);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventSynchronize, int, (void *))(hEvent);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventDestroy_v2(void * hEvent) {
    CUDA_ENTER(cuEventDestroy_v2, KIND_EVENT_DESTROY);
    if (c->op.thread)
        api_on_event(c, hEvent), api_event_gone(hEvent);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventDestroy_v2, int, (void *))(hEvent);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventElapsedTime_v2(void * pMilliseconds, void * hStart, void * hEnd) {
    CUDA_LOOK(EVENT_QUERY, hEnd);
    CUDA_ENTER(cuEventElapsedTime_v2, KIND_EVENT_QUERY);
    if (c->op.thread)
        api_on_event(c, hEnd);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventElapsedTime_v2, int, (void *, void *, void *))(pMilliseconds, hStart, hEnd);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuExternalMemoryGetMappedBuffer(void ** devPtr, void * extMem, const void * bufferDesc) {
    int rc = REAL_CUDA(cuExternalMemoryGetMappedBuffer, int, (void **, void *, const void *))(devPtr, extMem, bufferDesc);
    api_external_buffer(rc, devPtr, bufferDesc);
    return rc;
}

EXPORT int cuSignalExternalSemaphoresAsync(const void * extSemArray, const void * paramsArray, unsigned numExtSems, void * stream) {
    CUDA_ENTER(cuSignalExternalSemaphoresAsync, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuSignalExternalSemaphoresAsync, int, (const void *, const void *, unsigned, void *))(extSemArray, paramsArray, numExtSems, stream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_semaphores(c, KIND_VALUE_WRITE, extSemArray, paramsArray, numExtSems);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuWaitExternalSemaphoresAsync(const void * extSemArray, const void * paramsArray, unsigned numExtSems, void * stream) {
    CUDA_ENTER(cuWaitExternalSemaphoresAsync, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuWaitExternalSemaphoresAsync, int, (const void *, const void *, unsigned, void *))(extSemArray, paramsArray, numExtSems, stream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_semaphores(c, KIND_VALUE_WAIT, extSemArray, paramsArray, numExtSems);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue32_v2(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue32_v2, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue32_v2, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT32_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue64_v2(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue64_v2, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue64_v2, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT64_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue32_v2(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue32_v2, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue32_v2, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue64_v2(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue64_v2, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue64_v2, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBatchMemOp_v2(void * stream, unsigned count, void * paramArray, unsigned flags) {
    CUDA_ENTER(cuStreamBatchMemOp_v2, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBatchMemOp_v2, int, (void *, unsigned, void *, unsigned))(stream, count, paramArray, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_value_batch(c, paramArray, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchKernel(void * f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, void * hStream, void ** kernelParams, void ** extra) {
    CUDA_ENTER(cuLaunchKernel, KIND_KERNEL);
    if (c->op.thread)
        cuda_launches(c, f, kernelParams, extra, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchKernel, int, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams, extra);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchKernelEx(const void * config, void * f, void ** kernelParams, void ** extra) {
    CUDA_ENTER(cuLaunchKernelEx, KIND_KERNEL);
    if (c->op.thread)
        cuda_launches_config(c, config, f, kernelParams, extra, false);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchKernelEx, int, (const void *, void *, void **, void **))(config, f, kernelParams, extra);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchCooperativeKernel(void * f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, void * hStream, void ** kernelParams) {
    CUDA_ENTER(cuLaunchCooperativeKernel, KIND_KERNEL);
    if (c->op.thread)
        cuda_launches(c, f, kernelParams, NULL, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchCooperativeKernel, int, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **))(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchCooperativeKernelMultiDevice(void * launchParamsList, unsigned numDevices, unsigned flags) {
    CUDA_ENTER(cuLaunchCooperativeKernelMultiDevice, KIND_KERNEL);
    if (c->op.thread)
        cuda_launches_first(c, launchParamsList, numDevices);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchCooperativeKernelMultiDevice, int, (void *, unsigned, unsigned))(launchParamsList, numDevices, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        cuda_launched_others(c, launchParamsList, numDevices);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchHostFunc(void * hStream, void * fn, void * userData) {
    CUDA_ENTER(cuLaunchHostFunc, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, hStream), api_runs(c, &fn, &userData);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchHostFunc, int, (void *, void *, void *))(hStream, fn, userData);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphCreate(void ** phGraph, unsigned flags) {
    int rc = REAL_CUDA(cuGraphCreate, int, (void **, unsigned))(phGraph, flags);
    api_graph_made(rc, &cuda_graph_asks, phGraph);
    return rc;
}

EXPORT int cuGraphAddKernelNode_v2(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * nodeParams) {
    CUDA_ENTER(cuGraphAddKernelNode_v2, KIND_KERNEL);
    if (c->op.thread)
        cuda_node_kernel(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddKernelNode_v2, int, (void **, void *, void **, size_t, const void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphKernelNodeSetParams_v2(void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphKernelNodeSetParams_v2, KIND_KERNEL);
    if (c->op.thread)
        cuda_node_kernel(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphKernelNodeSetParams_v2, int, (void *, const void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddMemcpyNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * copyParams, void * ctx) {
    CUDA_ENTER(cuGraphAddMemcpyNode, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        cuda_node_copy(c, copyParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddMemcpyNode, int, (void **, void *, void **, size_t, const void *, void *))(phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphMemcpyNodeSetParams(void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphMemcpyNodeSetParams, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        cuda_node_copy(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphMemcpyNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddMemsetNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * memsetParams, void * ctx) {
    CUDA_ENTER(cuGraphAddMemsetNode, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        cuda_node_set(c, memsetParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddMemsetNode, int, (void **, void *, void **, size_t, const void *, void *))(phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphMemsetNodeSetParams(void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphMemsetNodeSetParams, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        cuda_node_set(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphMemsetNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddHostNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * nodeParams) {
    CUDA_ENTER(cuGraphAddHostNode, KIND_HOST_FUNC);
    if (c->op.thread)
        api_node_plain(c, KIND_HOST_FUNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddHostNode, int, (void **, void *, void **, size_t, const void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddChildGraphNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, void * childGraph) {
    CUDA_ENTER(cuGraphAddChildGraphNode, KIND_GRAPH_LAUNCH);
    if (c->op.thread)
        api_node_plain(c, KIND_GRAPH_LAUNCH);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddChildGraphNode, int, (void **, void *, void **, size_t, void *))(phGraphNode, hGraph, dependencies, numDependencies, childGraph);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_child(c, hGraph, phGraphNode, dependencies, numDependencies, childGraph);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphChildGraphNodeGetGraph(void * hNode, void ** phGraph) {
    int rc = REAL_CUDA(cuGraphChildGraphNodeGetGraph, int, (void *, void **))(hNode, phGraph);
    api_graph_child(rc, hNode, phGraph);
    return rc;
}

EXPORT int cuGraphAddEmptyNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies) {
    CUDA_ENTER(cuGraphAddEmptyNode, KIND_NONE);
    if (c->op.thread)
        api_node_plain(c, KIND_NONE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddEmptyNode, int, (void **, void *, void **, size_t))(phGraphNode, hGraph, dependencies, numDependencies);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddEventRecordNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, void * event) {
    CUDA_ENTER(cuGraphAddEventRecordNode, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_RECORD, event);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddEventRecordNode, int, (void **, void *, void **, size_t, void *))(phGraphNode, hGraph, dependencies, numDependencies, event);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphEventRecordNodeSetEvent(void * hNode, void * event) {
    CUDA_ENTER(cuGraphEventRecordNodeSetEvent, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_RECORD, event);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphEventRecordNodeSetEvent, int, (void *, void *))(hNode, event);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddEventWaitNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, void * event) {
    CUDA_ENTER(cuGraphAddEventWaitNode, KIND_EVENT_WAIT);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_WAIT, event);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddEventWaitNode, int, (void **, void *, void **, size_t, void *))(phGraphNode, hGraph, dependencies, numDependencies, event);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphEventWaitNodeSetEvent(void * hNode, void * event) {
    CUDA_ENTER(cuGraphEventWaitNodeSetEvent, KIND_EVENT_WAIT);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_WAIT, event);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphEventWaitNodeSetEvent, int, (void *, void *))(hNode, event);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddExternalSemaphoresSignalNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * nodeParams) {
    CUDA_ENTER(cuGraphAddExternalSemaphoresSignalNode, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WRITE, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddExternalSemaphoresSignalNode, int, (void **, void *, void **, size_t, const void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExternalSemaphoresSignalNodeSetParams(void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphExternalSemaphoresSignalNodeSetParams, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WRITE, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExternalSemaphoresSignalNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddExternalSemaphoresWaitNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * nodeParams) {
    CUDA_ENTER(cuGraphAddExternalSemaphoresWaitNode, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WAIT, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddExternalSemaphoresWaitNode, int, (void **, void *, void **, size_t, const void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExternalSemaphoresWaitNodeSetParams(void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphExternalSemaphoresWaitNodeSetParams, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WAIT, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExternalSemaphoresWaitNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddBatchMemOpNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * nodeParams) {
    CUDA_ENTER(cuGraphAddBatchMemOpNode, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_values(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddBatchMemOpNode, int, (void **, void *, void **, size_t, const void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphBatchMemOpNodeSetParams(void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphBatchMemOpNodeSetParams, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_values(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphBatchMemOpNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecBatchMemOpNodeSetParams(void * hGraphExec, void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphExecBatchMemOpNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_values(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecBatchMemOpNodeSetParams, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddMemAllocNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, void * nodeParams) {
    CUDA_ENTER(cuGraphAddMemAllocNode, KIND_ALLOC_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddMemAllocNode, int, (void **, void *, void **, size_t, void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_allocated(c, nodeParams), api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddMemFreeNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, void * dptr) {
    CUDA_ENTER(cuGraphAddMemFreeNode, KIND_FREE_ASYNC);
    if (c->op.thread)
        api_node_frees(c, dptr);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddMemFreeNode, int, (void **, void *, void **, size_t, void *))(phGraphNode, hGraph, dependencies, numDependencies, dptr);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphClone(void ** phGraphClone, void * originalGraph) {
    int rc = REAL_CUDA(cuGraphClone, int, (void **, void *))(phGraphClone, originalGraph);
    api_graph_cloned(rc, phGraphClone, originalGraph);
    return rc;
}

EXPORT int cuGraphNodeFindInClone(void ** phNode, void * hOriginalNode, void * hClonedGraph) {
    int rc = REAL_CUDA(cuGraphNodeFindInClone, int, (void **, void *, void *))(phNode, hOriginalNode, hClonedGraph);
    api_graph_asked(rc, hClonedGraph);
    return rc;
}

EXPORT int cuGraphGetNodes(void * hGraph, void ** nodes, size_t * numNodes) {
    int rc = REAL_CUDA(cuGraphGetNodes, int, (void *, void **, size_t *))(hGraph, nodes, numNodes);
    api_graph_asked(rc, hGraph);
    return rc;
}

EXPORT int cuGraphGetRootNodes(void * hGraph, void ** rootNodes, size_t * numRootNodes) {
    int rc = REAL_CUDA(cuGraphGetRootNodes, int, (void *, void **, size_t *))(hGraph, rootNodes, numRootNodes);
    api_graph_asked(rc, hGraph);
    return rc;
}

EXPORT int cuGraphGetEdges_v2(void * hGraph, void ** from, void ** to, void * edgeData, size_t * numEdges) {
    int rc = REAL_CUDA(cuGraphGetEdges_v2, int, (void *, void **, void **, void *, size_t *))(hGraph, from, to, edgeData, numEdges);
    api_graph_asked(rc, hGraph);
    return rc;
}

EXPORT int cuGraphAddDependencies_v2(void * hGraph, void ** from, void ** to, const void * edgeData, size_t numDependencies) {
    int rc = REAL_CUDA(cuGraphAddDependencies_v2, int, (void *, void **, void **, const void *, size_t))(hGraph, from, to, edgeData, numDependencies);
    api_graph_edges(rc, hGraph, from, to, numDependencies, true);
    return rc;
}

EXPORT int cuGraphRemoveDependencies_v2(void * hGraph, void ** from, void ** to, const void * edgeData, size_t numDependencies) {
    int rc = REAL_CUDA(cuGraphRemoveDependencies_v2, int, (void *, void **, void **, const void *, size_t))(hGraph, from, to, edgeData, numDependencies);
    api_graph_edges(rc, hGraph, from, to, numDependencies, false);
    return rc;
}

EXPORT int cuGraphDestroyNode(void * hNode) {
    api_node_goes(hNode);
    int rc = REAL_CUDA(cuGraphDestroyNode, int, (void *))(hNode);
    return rc;
}

EXPORT int cuGraphInstantiateWithFlags(void ** phGraphExec, void * hGraph, unsigned long long flags) {
    CUDA_ENTER(cuGraphInstantiateWithFlags, KIND_GRAPH_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphInstantiateWithFlags, int, (void **, void *, unsigned long long))(phGraphExec, hGraph, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, phGraphExec, hGraph), cuda_times_graph_made();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphInstantiateWithParams(void ** phGraphExec, void * hGraph, void * instantiateParams) {
    CUDA_ENTER(cuGraphInstantiateWithParams, KIND_GRAPH_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphInstantiateWithParams, int, (void **, void *, void *))(phGraphExec, hGraph, instantiateParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, phGraphExec, hGraph), cuda_times_graph_made();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecKernelNodeSetParams_v2(void * hGraphExec, void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphExecKernelNodeSetParams_v2, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), cuda_node_kernel(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecKernelNodeSetParams_v2, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecMemcpyNodeSetParams(void * hGraphExec, void * hNode, const void * copyParams, void * ctx) {
    CUDA_ENTER(cuGraphExecMemcpyNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), cuda_node_copy(c, copyParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecMemcpyNodeSetParams, int, (void *, void *, const void *, void *))(hGraphExec, hNode, copyParams, ctx);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecMemsetNodeSetParams(void * hGraphExec, void * hNode, const void * memsetParams, void * ctx) {
    CUDA_ENTER(cuGraphExecMemsetNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), cuda_node_set(c, memsetParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecMemsetNodeSetParams, int, (void *, void *, const void *, void *))(hGraphExec, hNode, memsetParams, ctx);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecChildGraphNodeSetParams(void * hGraphExec, void * hNode, void * childGraph) {
    CUDA_ENTER(cuGraphExecChildGraphNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecChildGraphNodeSetParams, int, (void *, void *, void *))(hGraphExec, hNode, childGraph);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets_child(c, hNode, childGraph);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecEventRecordNodeSetEvent(void * hGraphExec, void * hNode, void * event) {
    CUDA_ENTER(cuGraphExecEventRecordNodeSetEvent, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_event(c, KIND_EVENT_RECORD, event);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecEventRecordNodeSetEvent, int, (void *, void *, void *))(hGraphExec, hNode, event);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecEventWaitNodeSetEvent(void * hGraphExec, void * hNode, void * event) {
    CUDA_ENTER(cuGraphExecEventWaitNodeSetEvent, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_event(c, KIND_EVENT_WAIT, event);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecEventWaitNodeSetEvent, int, (void *, void *, void *))(hGraphExec, hNode, event);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecExternalSemaphoresSignalNodeSetParams(void * hGraphExec, void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphExecExternalSemaphoresSignalNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_semaphores(c, KIND_VALUE_WRITE, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecExternalSemaphoresSignalNodeSetParams, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecExternalSemaphoresWaitNodeSetParams(void * hGraphExec, void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphExecExternalSemaphoresWaitNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_semaphores(c, KIND_VALUE_WAIT, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecExternalSemaphoresWaitNodeSetParams, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphNodeSetEnabled(void * hGraphExec, void * hNode, unsigned isEnabled) {
    CUDA_ENTER(cuGraphNodeSetEnabled, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphNodeSetEnabled, int, (void *, void *, unsigned))(hGraphExec, hNode, isEnabled);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_enables(c, hNode, isEnabled);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphLaunch(void * hGraphExec, void * hStream) {
    CUDA_ENTER(cuGraphLaunch, KIND_GRAPH_LAUNCH);
    if (c->op.thread)
        executable_launches(c, hStream, hGraphExec);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphLaunch, int, (void *, void *))(hGraphExec, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecDestroy(void * hGraphExec) {
    CUDA_ENTER(cuGraphExecDestroy, KIND_GRAPH_DESTROY);
    if (c->op.thread)
        executable_goes(c, hGraphExec);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecDestroy, int, (void *))(hGraphExec);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphDestroy(void * hGraph) {
    CUDA_ENTER(cuGraphDestroy, KIND_GRAPH_DESTROY);
    if (c->op.thread)
        api_graph_goes(c, hGraph);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphDestroy, int, (void *))(hGraph);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecUpdate_v2(void * hGraphExec, void * hGraph, void * resultInfo) {
    CUDA_ENTER(cuGraphExecUpdate_v2, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecUpdate_v2, int, (void *, void *, void *))(hGraphExec, hGraph, resultInfo);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_follows(c, hGraph);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphAddNode_v2(void ** phGraphNode, void * hGraph, void ** dependencies, const void * dependencyData, size_t numDependencies, void * nodeParams) {
    CUDA_ENTER(cuGraphAddNode_v2, KIND_NONE);
    if (c->op.thread)
        cuda_node_any(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddNode_v2, int, (void **, void *, void **, const void *, size_t, void *))(phGraphNode, hGraph, dependencies, dependencyData, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        cuda_node_any_added(c, hGraph, phGraphNode, dependencies, numDependencies, nodeParams);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphNodeSetParams(void * hNode, void * nodeParams) {
    CUDA_ENTER(cuGraphNodeSetParams, KIND_NONE);
    if (c->op.thread)
        cuda_node_any(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphNodeSetParams, int, (void *, void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        cuda_node_any_changed(c, hNode, nodeParams);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecNodeSetParams(void * hGraphExec, void * hNode, void * nodeParams) {
    CUDA_ENTER(cuGraphExecNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), cuda_node_any(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecNodeSetParams, int, (void *, void *, void *))(hGraphExec, hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        cuda_executable_any(c, hNode, nodeParams);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphicsResourceGetMappedPointer_v2(void ** pDevPtr, size_t * pSize, void * resource) {
    int rc = REAL_CUDA(cuGraphicsResourceGetMappedPointer_v2, int, (void **, size_t *, void *))(pDevPtr, pSize, resource);
    api_graphics_memory(rc, pDevPtr, pSize);
    return rc;
}

EXPORT int cuGreenCtxStreamCreate(void ** phStream, void * greenCtx, unsigned flags, int priority) {
    CUDA_ENTER(cuGreenCtxStreamCreate, KIND_STREAM_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGreenCtxStreamCreate, int, (void **, void *, unsigned, int))(phStream, greenCtx, flags, priority);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_stream_created(c, *phStream, flags);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy_ptds(void * dst, void * src, size_t ByteCount) {
    CUDA_ENTER(cuMemcpy_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, ByteCount, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy_ptds, int, (void *, void *, size_t))(dst, src, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyPeer_ptds(void * dstDevice, void * dstContext, void * srcDevice, void * srcContext, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyPeer_ptds, KIND_MEMCPY_PEER);
    if (c->op.thread)
        cuda_copy_peer(c, dstDevice, dstContext, srcDevice, srcContext, ByteCount, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyPeer_ptds, int, (void *, void *, void *, void *, size_t))(dstDevice, dstContext, srcDevice, srcContext, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoD_v2_ptds(void * dstDevice, const void * srcHost, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyHtoD_v2_ptds, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcHost, ByteCount, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoD_v2_ptds, int, (void *, const void *, size_t))(dstDevice, srcHost, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoH_v2_ptds(void * dstHost, void * srcDevice, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyDtoH_v2_ptds, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_on(c, dstHost, srcDevice, ByteCount, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoH_v2_ptds, int, (void *, void *, size_t))(dstHost, srcDevice, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoD_v2_ptds(void * dstDevice, void * srcDevice, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyDtoD_v2_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcDevice, ByteCount, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoD_v2_ptds, int, (void *, void *, size_t))(dstDevice, srcDevice, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoA_v2_ptds(void * dstArray, size_t dstOffset, void * srcDevice, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyDtoA_v2_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcDevice, ByteCount, 0, 0, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoA_v2_ptds, int, (void *, size_t, void *, size_t))(dstArray, dstOffset, srcDevice, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoD_v2_ptds(void * dstDevice, void * srcArray, size_t srcOffset, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyAtoD_v2_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, dstDevice, NULL, ByteCount, 0, 0, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoD_v2_ptds, int, (void *, void *, size_t, size_t))(dstDevice, srcArray, srcOffset, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoA_v2_ptds(void * dstArray, size_t dstOffset, const void * srcHost, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyHtoA_v2_ptds, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcHost, ByteCount, 0, 0, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoA_v2_ptds, int, (void *, size_t, const void *, size_t))(dstArray, dstOffset, srcHost, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoH_v2_ptds(void * dstHost, void * srcArray, size_t srcOffset, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyAtoH_v2_ptds, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dstHost, NULL, ByteCount, 0, 0, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoH_v2_ptds, int, (void *, void *, size_t, size_t))(dstHost, srcArray, srcOffset, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoA_v2_ptds(void * dstArray, size_t dstOffset, void * srcArray, size_t srcOffset, size_t ByteCount) {
    CUDA_ENTER(cuMemcpyAtoA_v2_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, NULL, ByteCount, 0, 0, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoA_v2_ptds, int, (void *, size_t, void *, size_t, size_t))(dstArray, dstOffset, srcArray, srcOffset, ByteCount);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy2D_v2_ptds(const void * pCopy) {
    CUDA_ENTER(cuMemcpy2D_v2_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        cuda_copy_2d(c, pCopy, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy2D_v2_ptds, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy2DUnaligned_v2_ptds(const void * pCopy) {
    CUDA_ENTER(cuMemcpy2DUnaligned_v2_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        cuda_copy_2d(c, pCopy, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy2DUnaligned_v2_ptds, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3D_v2_ptds(const void * pCopy) {
    CUDA_ENTER(cuMemcpy3D_v2_ptds, KIND_MEMCPY_D2D);
    if (c->op.thread)
        cuda_copy_3d(c, pCopy, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3D_v2_ptds, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DPeer_ptds(const void * pCopy) {
    CUDA_ENTER(cuMemcpy3DPeer_ptds, KIND_MEMCPY_PEER);
    if (c->op.thread)
        cuda_copy_3d_peer(c, pCopy, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DPeer_ptds, int, (const void *))(pCopy);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAsync_ptsz(void * dst, void * src, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyAsync_ptsz, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, ByteCount, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAsync_ptsz, int, (void *, void *, size_t, void *))(dst, src, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyPeerAsync_ptsz(void * dstDevice, void * dstContext, void * srcDevice, void * srcContext, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyPeerAsync_ptsz, KIND_MEMCPY_ASYNC_PEER);
    if (c->op.thread)
        cuda_copy_peer(c, dstDevice, dstContext, srcDevice, srcContext, ByteCount, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyPeerAsync_ptsz, int, (void *, void *, void *, void *, size_t, void *))(dstDevice, dstContext, srcDevice, srcContext, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoDAsync_v2_ptsz(void * dstDevice, const void * srcHost, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyHtoDAsync_v2_ptsz, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcHost, ByteCount, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoDAsync_v2_ptsz, int, (void *, const void *, size_t, void *))(dstDevice, srcHost, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoHAsync_v2_ptsz(void * dstHost, void * srcDevice, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyDtoHAsync_v2_ptsz, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_on(c, dstHost, srcDevice, ByteCount, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoHAsync_v2_ptsz, int, (void *, void *, size_t, void *))(dstHost, srcDevice, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyDtoDAsync_v2_ptsz(void * dstDevice, void * srcDevice, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyDtoDAsync_v2_ptsz, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        api_copy_on(c, dstDevice, srcDevice, ByteCount, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyDtoDAsync_v2_ptsz, int, (void *, void *, size_t, void *))(dstDevice, srcDevice, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyHtoAAsync_v2_ptsz(void * dstArray, size_t dstOffset, const void * srcHost, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyHtoAAsync_v2_ptsz, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcHost, ByteCount, 0, 0, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyHtoAAsync_v2_ptsz, int, (void *, size_t, const void *, size_t, void *))(dstArray, dstOffset, srcHost, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyAtoHAsync_v2_ptsz(void * dstHost, void * srcArray, size_t srcOffset, size_t ByteCount, void * hStream) {
    CUDA_ENTER(cuMemcpyAtoHAsync_v2_ptsz, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dstHost, NULL, ByteCount, 0, 0, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyAtoHAsync_v2_ptsz, int, (void *, void *, size_t, size_t, void *))(dstHost, srcArray, srcOffset, ByteCount, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy2DAsync_v2_ptsz(const void * pCopy, void * hStream) {
    CUDA_ENTER(cuMemcpy2DAsync_v2_ptsz, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        cuda_copy_2d(c, pCopy, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy2DAsync_v2_ptsz, int, (const void *, void *))(pCopy, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DAsync_v2_ptsz(const void * pCopy, void * hStream) {
    CUDA_ENTER(cuMemcpy3DAsync_v2_ptsz, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        cuda_copy_3d(c, pCopy, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DAsync_v2_ptsz, int, (const void *, void *))(pCopy, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DPeerAsync_ptsz(const void * pCopy, void * hStream) {
    CUDA_ENTER(cuMemcpy3DPeerAsync_ptsz, KIND_MEMCPY_ASYNC_PEER);
    if (c->op.thread)
        cuda_copy_3d_peer(c, pCopy, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DPeerAsync_ptsz, int, (const void *, void *))(pCopy, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyBatchAsync_v2_ptsz(void ** dsts, void ** srcs, size_t * sizes, size_t count, void * attrs, size_t * attrsIdxs, size_t numAttrs, void * hStream) {
    CUDA_ENTER(cuMemcpyBatchAsync_v2_ptsz, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyBatchAsync_v2_ptsz, int, (void **, void **, size_t *, size_t, void *, size_t *, size_t, void *))(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_batch(c, dsts, srcs, sizes, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DBatchAsync_v2_ptsz(size_t numOps, void * opList, unsigned long long flags, void * hStream) {
    CUDA_ENTER(cuMemcpy3DBatchAsync_v2_ptsz, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DBatchAsync_v2_ptsz, int, (size_t, void *, unsigned long long, void *))(numOps, opList, flags, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_3d_batch(c, opList, numOps);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD8_v2_ptds(void * dstDevice, unsigned char uc, size_t N) {
    CUDA_ENTER(cuMemsetD8_v2_ptds, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dstDevice, N, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD8_v2_ptds, int, (void *, unsigned char, size_t))(dstDevice, uc, N);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD16_v2_ptds(void * dstDevice, unsigned short us, size_t N) {
    CUDA_ENTER(cuMemsetD16_v2_ptds, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dstDevice, 2 * N, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD16_v2_ptds, int, (void *, unsigned short, size_t))(dstDevice, us, N);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD32_v2_ptds(void * dstDevice, unsigned ui, size_t N) {
    CUDA_ENTER(cuMemsetD32_v2_ptds, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dstDevice, 4 * N, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD32_v2_ptds, int, (void *, unsigned, size_t))(dstDevice, ui, N);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D8_v2_ptds(void * dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height) {
    CUDA_ENTER(cuMemsetD2D8_v2_ptds, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, Width, Height, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D8_v2_ptds, int, (void *, size_t, unsigned char, size_t, size_t))(dstDevice, dstPitch, uc, Width, Height);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D16_v2_ptds(void * dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height) {
    CUDA_ENTER(cuMemsetD2D16_v2_ptds, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 2 * Width, Height, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D16_v2_ptds, int, (void *, size_t, unsigned short, size_t, size_t))(dstDevice, dstPitch, us, Width, Height);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D32_v2_ptds(void * dstDevice, size_t dstPitch, unsigned ui, size_t Width, size_t Height) {
    CUDA_ENTER(cuMemsetD2D32_v2_ptds, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 4 * Width, Height, PTS(LEGACY), API_SYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D32_v2_ptds, int, (void *, size_t, unsigned, size_t, size_t))(dstDevice, dstPitch, ui, Width, Height);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD8Async_ptsz(void * dstDevice, unsigned char uc, size_t N, void * hStream) {
    CUDA_ENTER(cuMemsetD8Async_ptsz, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dstDevice, N, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD8Async_ptsz, int, (void *, unsigned char, size_t, void *))(dstDevice, uc, N, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD16Async_ptsz(void * dstDevice, unsigned short us, size_t N, void * hStream) {
    CUDA_ENTER(cuMemsetD16Async_ptsz, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dstDevice, 2 * N, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD16Async_ptsz, int, (void *, unsigned short, size_t, void *))(dstDevice, us, N, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD32Async_ptsz(void * dstDevice, unsigned ui, size_t N, void * hStream) {
    CUDA_ENTER(cuMemsetD32Async_ptsz, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dstDevice, 4 * N, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD32Async_ptsz, int, (void *, unsigned, size_t, void *))(dstDevice, ui, N, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D8Async_ptsz(void * dstDevice, size_t dstPitch, unsigned char uc, size_t Width, size_t Height, void * hStream) {
    CUDA_ENTER(cuMemsetD2D8Async_ptsz, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, Width, Height, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D8Async_ptsz, int, (void *, size_t, unsigned char, size_t, size_t, void *))(dstDevice, dstPitch, uc, Width, Height, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D16Async_ptsz(void * dstDevice, size_t dstPitch, unsigned short us, size_t Width, size_t Height, void * hStream) {
    CUDA_ENTER(cuMemsetD2D16Async_ptsz, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 2 * Width, Height, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D16Async_ptsz, int, (void *, size_t, unsigned short, size_t, size_t, void *))(dstDevice, dstPitch, us, Width, Height, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemsetD2D32Async_ptsz(void * dstDevice, size_t dstPitch, unsigned ui, size_t Width, size_t Height, void * hStream) {
    CUDA_ENTER(cuMemsetD2D32Async_ptsz, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dstDevice, dstPitch, 4 * Width, Height, PTS(hStream), API_ASYNC);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemsetD2D32Async_ptsz, int, (void *, size_t, unsigned, size_t, size_t, void *))(dstDevice, dstPitch, ui, Width, Height, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemFreeAsync_ptsz(void * dptr, void * hStream) {
    CUDA_ENTER(cuMemFreeAsync_ptsz, KIND_FREE_ASYNC);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream)), api_frees(c, dptr);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemFreeAsync_ptsz, int, (void *, void *))(dptr, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAllocAsync_ptsz(void ** dptr, size_t bytesize, void * hStream) {
    CUDA_ENTER(cuMemAllocAsync_ptsz, KIND_ALLOC_ASYNC);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAllocAsync_ptsz, int, (void **, size_t, void *))(dptr, bytesize, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_pool_allocated(c, *dptr, bytesize);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemAllocFromPoolAsync_ptsz(void ** dptr, size_t bytesize, void * pool, void * hStream) {
    CUDA_ENTER(cuMemAllocFromPoolAsync_ptsz, KIND_ALLOC_ASYNC);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemAllocFromPoolAsync_ptsz, int, (void **, size_t, void *, void *))(dptr, bytesize, pool, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_pool_allocated(c, *dptr, bytesize);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitEvent_ptsz(void * hStream, void * hEvent, unsigned Flags) {
    CUDA_ENTER(cuStreamWaitEvent_ptsz, KIND_EVENT_WAIT);
    if (c->op.thread)
        api_waits_event(c, PTS(hStream), hEvent, Flags);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitEvent_ptsz, int, (void *, void *, unsigned))(hStream, hEvent, Flags);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamAddCallback_ptsz(void * hStream, void * callback, void * userData, unsigned flags) {
    CUDA_ENTER(cuStreamAddCallback_ptsz, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream)), api_runs_callback(c, &callback, &userData);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamAddCallback_ptsz, int, (void *, void *, void *, unsigned))(hStream, callback, userData, flags);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBeginCapture_v2_ptsz(void * hStream, int mode) {
    CUDA_ENTER(cuStreamBeginCapture_v2_ptsz, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBeginCapture_v2_ptsz, int, (void *, int))(hStream, mode);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &cuda_graph_asks, NULL, NULL, 0);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBeginCaptureToGraph_ptsz(void * hStream, void * hGraph, void ** dependencies, const void * dependencyData, size_t numDependencies, int mode) {
    CUDA_ENTER(cuStreamBeginCaptureToGraph_ptsz, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBeginCaptureToGraph_ptsz, int, (void *, void *, void **, const void *, size_t, int))(hStream, hGraph, dependencies, dependencyData, numDependencies, mode);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &cuda_graph_asks, hGraph, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamEndCapture_ptsz(void * hStream, void ** phGraph) {
    CUDA_ENTER(cuStreamEndCapture_ptsz, KIND_CAPTURE_END);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamEndCapture_ptsz, int, (void *, void **))(hStream, phGraph);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_ended(c, phGraph);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamGetCaptureInfo_v3_ptsz(void * hStream, void * captureStatus_out, void * id_out, void ** graph_out, const void * dependencies_out, const void * edgeData_out, size_t * numDependencies_out) {
    int rc = REAL_CUDA(cuStreamGetCaptureInfo_v3_ptsz, int, (void *, void *, void *, void **, const void *, const void *, size_t *))(hStream, captureStatus_out, id_out, graph_out, dependencies_out, edgeData_out, numDependencies_out);
    api_capture_asked(rc, PTS(hStream), dependencies_out);
    return rc;
}

EXPORT int cuStreamUpdateCaptureDependencies_v2_ptsz(void * hStream, void ** dependencies, const void * dependencyData, size_t numDependencies, unsigned flags) {
    int rc = REAL_CUDA(cuStreamUpdateCaptureDependencies_v2_ptsz, int, (void *, void **, const void *, size_t, unsigned))(hStream, dependencies, dependencyData, numDependencies, flags);
    api_capture_follows(rc, PTS(hStream), dependencies, numDependencies, flags);
    return rc;
}

EXPORT int cuStreamQuery_ptsz(void * hStream) {
    CUDA_LOOK(STREAM_QUERY, hStream);
    CUDA_ENTER(cuStreamQuery_ptsz, KIND_STREAM_QUERY);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamQuery_ptsz, int, (void *))(hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamSynchronize_ptsz(void * hStream) {
    CUDA_LOOK(STREAM_SYNC, hStream);
    CUDA_ENTER(cuStreamSynchronize_ptsz, KIND_STREAM_SYNC);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamSynchronize_ptsz, int, (void *))(hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventRecord_ptsz(void * hEvent, void * hStream) {
    CUDA_ENTER(cuEventRecord_ptsz, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_records_event(c, hEvent, PTS(hStream), 0);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventRecord_ptsz, int, (void *, void *))(hEvent, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventRecordWithFlags_ptsz(void * hEvent, void * hStream, unsigned flags) {
    CUDA_ENTER(cuEventRecordWithFlags_ptsz, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_records_event(c, hEvent, PTS(hStream), flags);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventRecordWithFlags_ptsz, int, (void *, void *, unsigned))(hEvent, hStream, flags);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuSignalExternalSemaphoresAsync_ptsz(const void * extSemArray, const void * paramsArray, unsigned numExtSems, void * stream) {
    CUDA_ENTER(cuSignalExternalSemaphoresAsync_ptsz, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuSignalExternalSemaphoresAsync_ptsz, int, (const void *, const void *, unsigned, void *))(extSemArray, paramsArray, numExtSems, stream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_semaphores(c, KIND_VALUE_WRITE, extSemArray, paramsArray, numExtSems);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuWaitExternalSemaphoresAsync_ptsz(const void * extSemArray, const void * paramsArray, unsigned numExtSems, void * stream) {
    CUDA_ENTER(cuWaitExternalSemaphoresAsync_ptsz, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuWaitExternalSemaphoresAsync_ptsz, int, (const void *, const void *, unsigned, void *))(extSemArray, paramsArray, numExtSems, stream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_semaphores(c, KIND_VALUE_WAIT, extSemArray, paramsArray, numExtSems);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue32_v2_ptsz(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue32_v2_ptsz, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue32_v2_ptsz, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT32_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue64_v2_ptsz(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue64_v2_ptsz, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue64_v2_ptsz, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT64_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue32_v2_ptsz(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue32_v2_ptsz, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue32_v2_ptsz, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue64_v2_ptsz(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue64_v2_ptsz, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue64_v2_ptsz, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBatchMemOp_v2_ptsz(void * stream, unsigned count, void * paramArray, unsigned flags) {
    CUDA_ENTER(cuStreamBatchMemOp_v2_ptsz, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBatchMemOp_v2_ptsz, int, (void *, unsigned, void *, unsigned))(stream, count, paramArray, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_value_batch(c, paramArray, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchKernel_ptsz(void * f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, void * hStream, void ** kernelParams, void ** extra) {
    CUDA_ENTER(cuLaunchKernel_ptsz, KIND_KERNEL);
    if (c->op.thread)
        cuda_launches(c, f, kernelParams, extra, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchKernel_ptsz, int, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **))(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams, extra);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchKernelEx_ptsz(const void * config, void * f, void ** kernelParams, void ** extra) {
    CUDA_ENTER(cuLaunchKernelEx_ptsz, KIND_KERNEL);
    if (c->op.thread)
        cuda_launches_config(c, config, f, kernelParams, extra, true);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchKernelEx_ptsz, int, (const void *, void *, void **, void **))(config, f, kernelParams, extra);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchCooperativeKernel_ptsz(void * f, unsigned gridDimX, unsigned gridDimY, unsigned gridDimZ, unsigned blockDimX, unsigned blockDimY, unsigned blockDimZ, unsigned sharedMemBytes, void * hStream, void ** kernelParams) {
    CUDA_ENTER(cuLaunchCooperativeKernel_ptsz, KIND_KERNEL);
    if (c->op.thread)
        cuda_launches(c, f, kernelParams, NULL, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchCooperativeKernel_ptsz, int, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **))(f, gridDimX, gridDimY, gridDimZ, blockDimX, blockDimY, blockDimZ, sharedMemBytes, hStream, kernelParams);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuLaunchHostFunc_ptsz(void * hStream, void * fn, void * userData) {
    CUDA_ENTER(cuLaunchHostFunc_ptsz, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream)), api_runs(c, &fn, &userData);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuLaunchHostFunc_ptsz, int, (void *, void *, void *))(hStream, fn, userData);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphInstantiateWithParams_ptsz(void ** phGraphExec, void * hGraph, void * instantiateParams) {
    CUDA_ENTER(cuGraphInstantiateWithParams_ptsz, KIND_GRAPH_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphInstantiateWithParams_ptsz, int, (void **, void *, void *))(phGraphExec, hGraph, instantiateParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, phGraphExec, hGraph), cuda_times_graph_made();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphLaunch_ptsz(void * hGraphExec, void * hStream) {
    CUDA_ENTER(cuGraphLaunch_ptsz, KIND_GRAPH_LAUNCH);
    if (c->op.thread)
        executable_launches(c, PTS(hStream), hGraphExec);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphLaunch_ptsz, int, (void *, void *))(hGraphExec, hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemHostRegister(void * p, size_t bytesize, unsigned Flags) {
    CUDA_ENTER(cuMemHostRegister, KIND_HOST_REGISTER);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemHostRegister, int, (void *, size_t, unsigned))(p, bytesize, Flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_registers(c, p, bytesize);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuCtxCreate(void ** pctx, unsigned flags, int dev) {
    int rc = REAL_CUDA(cuCtxCreate, int, (void **, unsigned, int))(pctx, flags, dev);
    api_device_was_set(rc, dev);
    return rc;
}

EXPORT int cuCtxCreate_v2(void ** pctx, unsigned flags, int dev) {
    int rc = REAL_CUDA(cuCtxCreate_v2, int, (void **, unsigned, int))(pctx, flags, dev);
    api_device_was_set(rc, dev);
    return rc;
}

EXPORT int cuCtxCreate_v3(void ** pctx, void * paramsArray, int numParams, unsigned flags, int dev) {
    int rc = REAL_CUDA(cuCtxCreate_v3, int, (void **, void *, int, unsigned, int))(pctx, paramsArray, numParams, flags, dev);
    api_device_was_set(rc, dev);
    return rc;
}

EXPORT int cuCtxDestroy(void * ctx) {
    CUDA_LOOK(DEVICE_SYNC, NULL);
    CUDA_ENTER(cuCtxDestroy, KIND_DEVICE_SYNC);
    if (c->op.thread)
        cuda_context_goes(c, ctx);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuCtxDestroy, int, (void *))(ctx);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_device_changed(c);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuCtxPopCurrent(void ** pctx) {
    int rc = REAL_CUDA(cuCtxPopCurrent, int, (void **))(pctx);
    api_device_set(DEVICE_UNKNOWN);
    return rc;
}

EXPORT int cuCtxPushCurrent(void * ctx) {
    int rc = REAL_CUDA(cuCtxPushCurrent, int, (void *))(ctx);
    cuda_context_set(rc, ctx);
    return rc;
}

EXPORT int cuStreamDestroy(void * hStream) {
    CUDA_ENTER(cuStreamDestroy, KIND_STREAM_DESTROY);
    if (c->op.thread)
        api_on_stream(c, hStream), api_stream_gone(hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamDestroy, int, (void *))(hStream);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventDestroy(void * hEvent) {
    CUDA_ENTER(cuEventDestroy, KIND_EVENT_DESTROY);
    if (c->op.thread)
        api_on_event(c, hEvent), api_event_gone(hEvent);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventDestroy, int, (void *))(hEvent);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuEventElapsedTime(void * pMilliseconds, void * hStart, void * hEnd) {
    CUDA_LOOK(EVENT_QUERY, hEnd);
    CUDA_ENTER(cuEventElapsedTime, KIND_EVENT_QUERY);
    if (c->op.thread)
        api_on_event(c, hEnd);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuEventElapsedTime, int, (void *, void *, void *))(pMilliseconds, hStart, hEnd);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuDevicePrimaryCtxReset(int dev) {
    CUDA_LOOK(DEVICE_SYNC, NULL);
    CUDA_ENTER(cuDevicePrimaryCtxReset, KIND_DEVICE_SYNC);
    if (c->op.thread)
        cuda_on_device(c, dev);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuDevicePrimaryCtxReset, int, (int))(dev);
    CUDA_BACK();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyBatchAsync(void ** dsts, void ** srcs, size_t * sizes, size_t count, void * attrs, size_t * attrsIdxs, size_t numAttrs, size_t * failIdx, void * hStream) {
    CUDA_ENTER(cuMemcpyBatchAsync, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyBatchAsync, int, (void **, void **, size_t *, size_t, void *, size_t *, size_t, size_t *, void *))(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_batch(c, dsts, srcs, sizes, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DBatchAsync(size_t numOps, void * opList, size_t * failIdx, unsigned long long flags, void * hStream) {
    CUDA_ENTER(cuMemcpy3DBatchAsync, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DBatchAsync, int, (size_t, void *, size_t *, unsigned long long, void *))(numOps, opList, failIdx, flags, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_3d_batch(c, opList, numOps);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpyBatchAsync_ptsz(void ** dsts, void ** srcs, size_t * sizes, size_t count, void * attrs, size_t * attrsIdxs, size_t numAttrs, size_t * failIdx, void * hStream) {
    CUDA_ENTER(cuMemcpyBatchAsync_ptsz, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpyBatchAsync_ptsz, int, (void **, void **, size_t *, size_t, void *, size_t *, size_t, size_t *, void *))(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_batch(c, dsts, srcs, sizes, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuMemcpy3DBatchAsync_ptsz(size_t numOps, void * opList, size_t * failIdx, unsigned long long flags, void * hStream) {
    CUDA_ENTER(cuMemcpy3DBatchAsync_ptsz, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuMemcpy3DBatchAsync_ptsz, int, (size_t, void *, size_t *, unsigned long long, void *))(numOps, opList, failIdx, flags, hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_copied_3d_batch(c, opList, numOps);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue32(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue32, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue32, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue32(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue32, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue32, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT32_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue64(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue64, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue64, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue64(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue64, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue64, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT64_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBatchMemOp(void * stream, unsigned count, void * paramArray, unsigned flags) {
    CUDA_ENTER(cuStreamBatchMemOp, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBatchMemOp, int, (void *, unsigned, void *, unsigned))(stream, count, paramArray, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_value_batch(c, paramArray, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue32_ptsz(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue32_ptsz, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue32_ptsz, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue32_ptsz(void * stream, void * addr, uint32_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue32_ptsz, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue32_ptsz, int, (void *, void *, uint32_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT32_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWriteValue64_ptsz(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWriteValue64_ptsz, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWriteValue64_ptsz, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, addr, value);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamWaitValue64_ptsz(void * stream, void * addr, uint64_t value, unsigned flags) {
    CUDA_ENTER(cuStreamWaitValue64_ptsz, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamWaitValue64_ptsz, int, (void *, void *, uint64_t, unsigned))(stream, addr, value, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, addr, value, flags, UINT64_MAX);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBatchMemOp_ptsz(void * stream, unsigned count, void * paramArray, unsigned flags) {
    CUDA_ENTER(cuStreamBatchMemOp_ptsz, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, PTS(stream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBatchMemOp_ptsz, int, (void *, unsigned, void *, unsigned))(stream, count, paramArray, flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_value_batch(c, paramArray, count);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBeginCapture(void * hStream) {
    CUDA_ENTER(cuStreamBeginCapture, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, hStream);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBeginCapture, int, (void *))(hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &cuda_graph_asks, NULL, NULL, 0);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamBeginCapture_ptsz(void * hStream) {
    CUDA_ENTER(cuStreamBeginCapture_ptsz, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, PTS(hStream));
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuStreamBeginCapture_ptsz, int, (void *))(hStream);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &cuda_graph_asks, NULL, NULL, 0);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamGetCaptureInfo_v2(void * hStream, void * captureStatus_out, void * id_out, void ** graph_out, const void * dependencies_out, size_t * numDependencies_out) {
    int rc = REAL_CUDA(cuStreamGetCaptureInfo_v2, int, (void *, void *, void *, void **, const void *, size_t *))(hStream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
    api_capture_asked(rc, hStream, dependencies_out);
    return rc;
}

EXPORT int cuStreamGetCaptureInfo_v2_ptsz(void * hStream, void * captureStatus_out, void * id_out, void ** graph_out, const void * dependencies_out, size_t * numDependencies_out) {
    int rc = REAL_CUDA(cuStreamGetCaptureInfo_v2_ptsz, int, (void *, void *, void *, void **, const void *, size_t *))(hStream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
    api_capture_asked(rc, PTS(hStream), dependencies_out);
    return rc;
}

EXPORT int cuGraphAddKernelNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * nodeParams) {
    CUDA_ENTER(cuGraphAddKernelNode, KIND_KERNEL);
    if (c->op.thread)
        cuda_node_kernel(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddKernelNode, int, (void **, void *, void **, size_t, const void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphKernelNodeSetParams(void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphKernelNodeSetParams, KIND_KERNEL);
    if (c->op.thread)
        cuda_node_kernel(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphKernelNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecKernelNodeSetParams(void * hGraphExec, void * hNode, const void * nodeParams) {
    CUDA_ENTER(cuGraphExecKernelNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), cuda_node_kernel(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecKernelNodeSetParams, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphExecUpdate(void * hGraphExec, void * hGraph, void ** hErrorNode_out, void * updateResult_out) {
    CUDA_ENTER(cuGraphExecUpdate, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphExecUpdate, int, (void *, void *, void **, void *))(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
    CUDA_BACK();
    if (c->op.thread && !rc)
        executable_follows(c, hGraph);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphGetEdges(void * hGraph, void ** from, void ** to, size_t * numEdges) {
    int rc = REAL_CUDA(cuGraphGetEdges, int, (void *, void **, void **, size_t *))(hGraph, from, to, numEdges);
    api_graph_asked(rc, hGraph);
    return rc;
}

EXPORT int cuGraphAddDependencies(void * hGraph, void ** from, void ** to, size_t numDependencies) {
    int rc = REAL_CUDA(cuGraphAddDependencies, int, (void *, void **, void **, size_t))(hGraph, from, to, numDependencies);
    api_graph_edges(rc, hGraph, from, to, numDependencies, true);
    return rc;
}

EXPORT int cuGraphRemoveDependencies(void * hGraph, void ** from, void ** to, size_t numDependencies) {
    int rc = REAL_CUDA(cuGraphRemoveDependencies, int, (void *, void **, void **, size_t))(hGraph, from, to, numDependencies);
    api_graph_edges(rc, hGraph, from, to, numDependencies, false);
    return rc;
}

EXPORT int cuGraphAddNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, void * nodeParams) {
    CUDA_ENTER(cuGraphAddNode, KIND_NONE);
    if (c->op.thread)
        cuda_node_any(c, nodeParams);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphAddNode, int, (void **, void *, void **, size_t, void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    CUDA_BACK();
    if (c->op.thread && !rc)
        cuda_node_any_added(c, hGraph, phGraphNode, dependencies, numDependencies, nodeParams);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuIpcOpenMemHandle(void ** pdptr, struct cuda_ipc_handle handle, unsigned Flags) {
    CUDA_ENTER(cuIpcOpenMemHandle, KIND_ALLOC_DEVICE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuIpcOpenMemHandle, int, (void **, struct cuda_ipc_handle, unsigned))(pdptr, handle, Flags);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_memory_opened(c, *pdptr);
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphInstantiate(void ** phGraphExec, void * hGraph, void ** phErrorNode, void * logBuffer, size_t bufferSize) {
    CUDA_ENTER(cuGraphInstantiate, KIND_GRAPH_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphInstantiate, int, (void **, void *, void **, void *, size_t))(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, phGraphExec, hGraph), cuda_times_graph_made();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuGraphInstantiate_v2(void ** phGraphExec, void * hGraph, void ** phErrorNode, void * logBuffer, size_t bufferSize) {
    CUDA_ENTER(cuGraphInstantiate_v2, KIND_GRAPH_CREATE);
    CUDA_OUT();
    int rc = CUDA_LEFT_OUT() ? 0 : REAL_CUDA(cuGraphInstantiate_v2, int, (void **, void *, void **, void *, size_t))(phGraphExec, hGraph, phErrorNode, logBuffer, bufferSize);
    CUDA_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, phGraphExec, hGraph), cuda_times_graph_made();
    CUDA_LEAVE();
    return rc;
}

EXPORT int cuStreamUpdateCaptureDependencies(void * hStream, void ** dependencies, size_t numDependencies, unsigned flags) {
    int rc = REAL_CUDA(cuStreamUpdateCaptureDependencies, int, (void *, void **, size_t, unsigned))(hStream, dependencies, numDependencies, flags);
    api_capture_follows(rc, hStream, dependencies, numDependencies, flags);
    return rc;
}

EXPORT int cuStreamUpdateCaptureDependencies_ptsz(void * hStream, void ** dependencies, size_t numDependencies, unsigned flags) {
    int rc = REAL_CUDA(cuStreamUpdateCaptureDependencies_ptsz, int, (void *, void **, size_t, unsigned))(hStream, dependencies, numDependencies, flags);
    api_capture_follows(rc, PTS(hStream), dependencies, numDependencies, flags);
    return rc;
}
