// Written by generate_wrappers.py from hip_api.txt and hip_roles*.txt: edit those.
#include "hip_calls.h"

// clang-format off
EXPORT int hipConfigureCall(struct hip_dim3 gridDim, struct hip_dim3 blockDim, size_t sharedMem, void * stream) {
    int rc = REAL_HIP(hipConfigureCall, int, (struct hip_dim3, struct hip_dim3, size_t, void *))(gridDim, blockDim, sharedMem, stream);
    hip_configured(rc, stream);
    return rc;
}

EXPORT int hipCtxCreate(void ** ctx, unsigned flags, void * device) {
    int rc = REAL_HIP(hipCtxCreate, int, (void **, unsigned, void *))(ctx, flags, device);
    api_device_set(DEVICE_UNKNOWN);
    return rc;
}

EXPORT int hipCtxDestroy(void * ctx) {
    int rc = REAL_HIP(hipCtxDestroy, int, (void *))(ctx);
    api_device_set(DEVICE_UNKNOWN);
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
        api_on_device(c);
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
        api_on_device(c);
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
        api_on_device(c);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDeviceSynchronize, int, (void))();
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvGraphAddMemcpyNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * copyParams, void * ctx) {
    HIP_ENTER(hipDrvGraphAddMemcpyNode, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_copy_drv_3d(c, copyParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvGraphAddMemcpyNode, int, (void **, void *, void **, size_t, const void *, void *))(phGraphNode, hGraph, dependencies, numDependencies, copyParams, ctx);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
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
        api_records_event(c, event, stream, 0);
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

EXPORT int hipExtLaunchMultiKernelMultiDevice(void * launchParamsList, int numDevices, unsigned flags) {
    HIP_ENTER(hipExtLaunchMultiKernelMultiDevice, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_first(c, launchParamsList, numDevices);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipExtLaunchMultiKernelMultiDevice, int, (void *, int, unsigned))(launchParamsList, numDevices, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_launched_others(c, launchParamsList, numDevices);
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
        api_stream_created(c, *stream, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipExternalMemoryGetMappedBuffer(void ** devPtr, void * extMem, const void * bufferDesc) {
    int rc = REAL_HIP(hipExternalMemoryGetMappedBuffer, int, (void **, void *, const void *))(devPtr, extMem, bufferDesc);
    api_external_buffer(rc, devPtr, bufferDesc);
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

EXPORT int hipGraphAddChildGraphNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * childGraph) {
    HIP_ENTER(hipGraphAddChildGraphNode, KIND_GRAPH_LAUNCH);
    if (c->op.thread)
        api_node_plain(c, KIND_GRAPH_LAUNCH);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddChildGraphNode, int, (void **, void *, void **, size_t, void *))(pGraphNode, graph, pDependencies, numDependencies, childGraph);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_child(c, graph, pGraphNode, pDependencies, numDependencies, childGraph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddDependencies(void * graph, void ** from, void ** to, size_t numDependencies) {
    int rc = REAL_HIP(hipGraphAddDependencies, int, (void *, void **, void **, size_t))(graph, from, to, numDependencies);
    api_graph_edges(rc, graph, from, to, numDependencies, true);
    return rc;
}

EXPORT int hipGraphAddEmptyNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies) {
    HIP_ENTER(hipGraphAddEmptyNode, KIND_NONE);
    if (c->op.thread)
        api_node_plain(c, KIND_NONE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddEmptyNode, int, (void **, void *, void **, size_t))(pGraphNode, graph, pDependencies, numDependencies);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddEventRecordNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * event) {
    HIP_ENTER(hipGraphAddEventRecordNode, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_RECORD, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddEventRecordNode, int, (void **, void *, void **, size_t, void *))(pGraphNode, graph, pDependencies, numDependencies, event);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddEventWaitNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * event) {
    HIP_ENTER(hipGraphAddEventWaitNode, KIND_EVENT_WAIT);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_WAIT, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddEventWaitNode, int, (void **, void *, void **, size_t, void *))(pGraphNode, graph, pDependencies, numDependencies, event);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddHostNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, const void * pNodeParams) {
    HIP_ENTER(hipGraphAddHostNode, KIND_HOST_FUNC);
    if (c->op.thread)
        api_node_plain(c, KIND_HOST_FUNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddHostNode, int, (void **, void *, void **, size_t, const void *))(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddKernelNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, const void * pNodeParams) {
    HIP_ENTER(hipGraphAddKernelNode, KIND_KERNEL);
    if (c->op.thread)
        hip_node_kernel(c, pNodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddKernelNode, int, (void **, void *, void **, size_t, const void *))(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddMemAllocNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * pNodeParams) {
    HIP_ENTER(hipGraphAddMemAllocNode, KIND_ALLOC_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddMemAllocNode, int, (void **, void *, void **, size_t, void *))(pGraphNode, graph, pDependencies, numDependencies, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_allocated(c, pNodeParams), api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddMemFreeNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * dev_ptr) {
    HIP_ENTER(hipGraphAddMemFreeNode, KIND_FREE_ASYNC);
    if (c->op.thread)
        api_node_frees(c, dev_ptr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddMemFreeNode, int, (void **, void *, void **, size_t, void *))(pGraphNode, graph, pDependencies, numDependencies, dev_ptr);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddMemcpyNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, const void * pCopyParams) {
    HIP_ENTER(hipGraphAddMemcpyNode, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_copy_3d(c, pCopyParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddMemcpyNode, int, (void **, void *, void **, size_t, const void *))(pGraphNode, graph, pDependencies, numDependencies, pCopyParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddMemcpyNode1D(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * dst, const void * src, size_t count, int kind) {
    HIP_ENTER(hipGraphAddMemcpyNode1D, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_copy(c, dst, src, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddMemcpyNode1D, int, (void **, void *, void **, size_t, void *, const void *, size_t, int))(pGraphNode, graph, pDependencies, numDependencies, dst, src, count, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddMemcpyNodeFromSymbol(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * dst, const void * symbol, size_t count, size_t offset, int kind) {
    HIP_ENTER(hipGraphAddMemcpyNodeFromSymbol, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_from_symbol(c, dst, symbol, offset, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddMemcpyNodeFromSymbol, int, (void **, void *, void **, size_t, void *, const void *, size_t, size_t, int))(pGraphNode, graph, pDependencies, numDependencies, dst, symbol, count, offset, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddMemcpyNodeToSymbol(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, const void * symbol, const void * src, size_t count, size_t offset, int kind) {
    HIP_ENTER(hipGraphAddMemcpyNodeToSymbol, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_to_symbol(c, symbol, offset, src, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddMemcpyNodeToSymbol, int, (void **, void *, void **, size_t, const void *, const void *, size_t, size_t, int))(pGraphNode, graph, pDependencies, numDependencies, symbol, src, count, offset, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddMemsetNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, const void * pMemsetParams) {
    HIP_ENTER(hipGraphAddMemsetNode, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_node_set(c, pMemsetParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddMemsetNode, int, (void **, void *, void **, size_t, const void *))(pGraphNode, graph, pDependencies, numDependencies, pMemsetParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphChildGraphNodeGetGraph(void * node, void ** pGraph) {
    int rc = REAL_HIP(hipGraphChildGraphNodeGetGraph, int, (void *, void **))(node, pGraph);
    api_graph_child(rc, node, pGraph);
    return rc;
}

EXPORT int hipGraphClone(void ** pGraphClone, void * originalGraph) {
    int rc = REAL_HIP(hipGraphClone, int, (void **, void *))(pGraphClone, originalGraph);
    api_graph_cloned(rc, pGraphClone, originalGraph);
    return rc;
}

EXPORT int hipGraphCreate(void ** pGraph, unsigned flags) {
    int rc = REAL_HIP(hipGraphCreate, int, (void **, unsigned))(pGraph, flags);
    api_graph_made(rc, &hip_graph_asks, pGraph);
    return rc;
}

EXPORT int hipGraphDestroy(void * graph) {
    HIP_ENTER(hipGraphDestroy, KIND_GRAPH_DESTROY);
    if (c->op.thread)
        api_graph_goes(c, graph);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphDestroy, int, (void *))(graph);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphDestroyNode(void * node) {
    api_node_goes(node);
    int rc = REAL_HIP(hipGraphDestroyNode, int, (void *))(node);
    return rc;
}

EXPORT int hipGraphEventRecordNodeSetEvent(void * node, void * event) {
    HIP_ENTER(hipGraphEventRecordNodeSetEvent, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_RECORD, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphEventRecordNodeSetEvent, int, (void *, void *))(node, event);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphEventWaitNodeSetEvent(void * node, void * event) {
    HIP_ENTER(hipGraphEventWaitNodeSetEvent, KIND_EVENT_WAIT);
    if (c->op.thread)
        api_node_event(c, KIND_EVENT_WAIT, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphEventWaitNodeSetEvent, int, (void *, void *))(node, event);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecChildGraphNodeSetParams(void * hGraphExec, void * node, void * childGraph) {
    HIP_ENTER(hipGraphExecChildGraphNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecChildGraphNodeSetParams, int, (void *, void *, void *))(hGraphExec, node, childGraph);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets_child(c, node, childGraph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecDestroy(void * graphExec) {
    HIP_ENTER(hipGraphExecDestroy, KIND_GRAPH_DESTROY);
    if (c->op.thread)
        executable_goes(c, graphExec);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecDestroy, int, (void *))(graphExec);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecEventRecordNodeSetEvent(void * hGraphExec, void * hNode, void * event) {
    HIP_ENTER(hipGraphExecEventRecordNodeSetEvent, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_event(c, KIND_EVENT_RECORD, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecEventRecordNodeSetEvent, int, (void *, void *, void *))(hGraphExec, hNode, event);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecEventWaitNodeSetEvent(void * hGraphExec, void * hNode, void * event) {
    HIP_ENTER(hipGraphExecEventWaitNodeSetEvent, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_event(c, KIND_EVENT_WAIT, event);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecEventWaitNodeSetEvent, int, (void *, void *, void *))(hGraphExec, hNode, event);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecKernelNodeSetParams(void * hGraphExec, void * node, const void * pNodeParams) {
    HIP_ENTER(hipGraphExecKernelNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_kernel(c, pNodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecKernelNodeSetParams, int, (void *, void *, const void *))(hGraphExec, node, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecMemcpyNodeSetParams(void * hGraphExec, void * node, void * pNodeParams) {
    HIP_ENTER(hipGraphExecMemcpyNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_copy_3d(c, pNodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecMemcpyNodeSetParams, int, (void *, void *, void *))(hGraphExec, node, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecMemcpyNodeSetParams1D(void * hGraphExec, void * node, void * dst, const void * src, size_t count, int kind) {
    HIP_ENTER(hipGraphExecMemcpyNodeSetParams1D, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_copy(c, dst, src, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecMemcpyNodeSetParams1D, int, (void *, void *, void *, const void *, size_t, int))(hGraphExec, node, dst, src, count, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecMemcpyNodeSetParamsFromSymbol(void * hGraphExec, void * node, void * dst, const void * symbol, size_t count, size_t offset, int kind) {
    HIP_ENTER(hipGraphExecMemcpyNodeSetParamsFromSymbol, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_from_symbol(c, dst, symbol, offset, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecMemcpyNodeSetParamsFromSymbol, int, (void *, void *, void *, const void *, size_t, size_t, int))(hGraphExec, node, dst, symbol, count, offset, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecMemcpyNodeSetParamsToSymbol(void * hGraphExec, void * node, const void * symbol, const void * src, size_t count, size_t offset, int kind) {
    HIP_ENTER(hipGraphExecMemcpyNodeSetParamsToSymbol, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_to_symbol(c, symbol, offset, src, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecMemcpyNodeSetParamsToSymbol, int, (void *, void *, const void *, const void *, size_t, size_t, int))(hGraphExec, node, symbol, src, count, offset, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecMemsetNodeSetParams(void * hGraphExec, void * node, const void * pNodeParams) {
    HIP_ENTER(hipGraphExecMemsetNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_set(c, pNodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecMemsetNodeSetParams, int, (void *, void *, const void *))(hGraphExec, node, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecUpdate(void * hGraphExec, void * hGraph, void ** hErrorNode_out, void * updateResult_out) {
    HIP_ENTER(hipGraphExecUpdate, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecUpdate, int, (void *, void *, void **, void *))(hGraphExec, hGraph, hErrorNode_out, updateResult_out);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_follows(c, hGraph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphGetEdges(void * graph, void ** from, void ** to, size_t * numEdges) {
    int rc = REAL_HIP(hipGraphGetEdges, int, (void *, void **, void **, size_t *))(graph, from, to, numEdges);
    api_graph_asked(rc, graph);
    return rc;
}

EXPORT int hipGraphGetNodes(void * graph, void ** nodes, size_t * numNodes) {
    int rc = REAL_HIP(hipGraphGetNodes, int, (void *, void **, size_t *))(graph, nodes, numNodes);
    api_graph_asked(rc, graph);
    return rc;
}

EXPORT int hipGraphGetRootNodes(void * graph, void ** pRootNodes, size_t * pNumRootNodes) {
    int rc = REAL_HIP(hipGraphGetRootNodes, int, (void *, void **, size_t *))(graph, pRootNodes, pNumRootNodes);
    api_graph_asked(rc, graph);
    return rc;
}

EXPORT int hipGraphInstantiate(void ** pGraphExec, void * graph, void ** pErrorNode, void * pLogBuffer, size_t bufferSize) {
    HIP_ENTER(hipGraphInstantiate, KIND_GRAPH_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphInstantiate, int, (void **, void *, void **, void *, size_t))(pGraphExec, graph, pErrorNode, pLogBuffer, bufferSize);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, pGraphExec, graph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphInstantiateWithFlags(void ** pGraphExec, void * graph, unsigned long long flags) {
    HIP_ENTER(hipGraphInstantiateWithFlags, KIND_GRAPH_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphInstantiateWithFlags, int, (void **, void *, unsigned long long))(pGraphExec, graph, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, pGraphExec, graph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphKernelNodeSetParams(void * node, const void * pNodeParams) {
    HIP_ENTER(hipGraphKernelNodeSetParams, KIND_KERNEL);
    if (c->op.thread)
        hip_node_kernel(c, pNodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphKernelNodeSetParams, int, (void *, const void *))(node, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphLaunch(void * graphExec, void * stream) {
    HIP_ENTER(hipGraphLaunch, KIND_GRAPH_LAUNCH);
    if (c->op.thread)
        executable_launches(c, stream, graphExec);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphLaunch, int, (void *, void *))(graphExec, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphMemcpyNodeSetParams(void * node, const void * pNodeParams) {
    HIP_ENTER(hipGraphMemcpyNodeSetParams, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_copy_3d(c, pNodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphMemcpyNodeSetParams, int, (void *, const void *))(node, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphMemcpyNodeSetParams1D(void * node, void * dst, const void * src, size_t count, int kind) {
    HIP_ENTER(hipGraphMemcpyNodeSetParams1D, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_copy(c, dst, src, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphMemcpyNodeSetParams1D, int, (void *, void *, const void *, size_t, int))(node, dst, src, count, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphMemcpyNodeSetParamsFromSymbol(void * node, void * dst, const void * symbol, size_t count, size_t offset, int kind) {
    HIP_ENTER(hipGraphMemcpyNodeSetParamsFromSymbol, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_from_symbol(c, dst, symbol, offset, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphMemcpyNodeSetParamsFromSymbol, int, (void *, void *, const void *, size_t, size_t, int))(node, dst, symbol, count, offset, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphMemcpyNodeSetParamsToSymbol(void * node, const void * symbol, const void * src, size_t count, size_t offset, int kind) {
    HIP_ENTER(hipGraphMemcpyNodeSetParamsToSymbol, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_to_symbol(c, symbol, offset, src, count);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphMemcpyNodeSetParamsToSymbol, int, (void *, const void *, const void *, size_t, size_t, int))(node, symbol, src, count, offset, kind);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphMemsetNodeSetParams(void * node, const void * pNodeParams) {
    HIP_ENTER(hipGraphMemsetNodeSetParams, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_node_set(c, pNodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphMemsetNodeSetParams, int, (void *, const void *))(node, pNodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, node);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphNodeFindInClone(void ** pNode, void * originalNode, void * clonedGraph) {
    int rc = REAL_HIP(hipGraphNodeFindInClone, int, (void **, void *, void *))(pNode, originalNode, clonedGraph);
    api_graph_asked(rc, clonedGraph);
    return rc;
}

EXPORT int hipGraphNodeSetEnabled(void * hGraphExec, void * hNode, unsigned isEnabled) {
    HIP_ENTER(hipGraphNodeSetEnabled, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphNodeSetEnabled, int, (void *, void *, unsigned))(hGraphExec, hNode, isEnabled);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_enables(c, hNode, isEnabled);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphRemoveDependencies(void * graph, void ** from, void ** to, size_t numDependencies) {
    int rc = REAL_HIP(hipGraphRemoveDependencies, int, (void *, void **, void **, size_t))(graph, from, to, numDependencies);
    api_graph_edges(rc, graph, from, to, numDependencies, false);
    return rc;
}

EXPORT int hipGraphicsResourceGetMappedPointer(void ** devPtr, size_t * size, void * resource) {
    int rc = REAL_HIP(hipGraphicsResourceGetMappedPointer, int, (void **, size_t *, void *))(devPtr, size, resource);
    api_graphics_memory(rc, devPtr, size);
    return rc;
}

EXPORT int hipHostAlloc(void ** ptr, size_t size, unsigned flags) {
    HIP_ENTER(hipHostAlloc, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHostAlloc, int, (void **, size_t, unsigned))(ptr, size, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated_host(c, *ptr, size, flags);
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
    api_device_pointer(rc, devPtr, hstPtr);
    return rc;
}

EXPORT int hipHostMalloc(void ** ptr, size_t size, unsigned flags) {
    HIP_ENTER(hipHostMalloc, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipHostMalloc, int, (void **, size_t, unsigned))(ptr, size, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated_host(c, *ptr, size, flags);
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
        api_memory_closes(c, devPtr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipIpcCloseMemHandle, int, (void *))(devPtr);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipIpcGetEventHandle(void ** handle, void * event) {
    int rc = REAL_HIP(hipIpcGetEventHandle, int, (void **, void *))(handle, event);
    api_event_shared(rc, event);
    return rc;
}

EXPORT int hipIpcOpenEventHandle(void ** event, struct hip_ipc_handle handle) {
    HIP_ENTER(hipIpcOpenEventHandle, KIND_EVENT_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipIpcOpenEventHandle, int, (void **, struct hip_ipc_handle))(event, handle);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_event_opened(c, *event);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipIpcOpenMemHandle(void ** devPtr, struct hip_ipc_handle handle, unsigned flags) {
    HIP_ENTER(hipIpcOpenMemHandle, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipIpcOpenMemHandle, int, (void **, struct hip_ipc_handle, unsigned))(devPtr, handle, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_memory_opened(c, *devPtr);
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

EXPORT int hipLaunchCooperativeKernelMultiDevice(void * launchParamsList, int numDevices, unsigned flags) {
    HIP_ENTER(hipLaunchCooperativeKernelMultiDevice, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_first(c, launchParamsList, numDevices);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchCooperativeKernelMultiDevice, int, (void *, int, unsigned))(launchParamsList, numDevices, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_launched_others(c, launchParamsList, numDevices);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipLaunchHostFunc(void * stream, void * fn, void * userData) {
    HIP_ENTER(hipLaunchHostFunc, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, stream), api_runs(c, &fn, &userData);
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

EXPORT int hipMalloc3D(void * pitchedDevPtr, struct api_extent extent) {
    HIP_ENTER(hipMalloc3D, KIND_ALLOC_DEVICE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMalloc3D, int, (void *, struct api_extent))(pitchedDevPtr, extent);
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
        api_allocated_host(c, *ptr, size, 0);
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
        api_allocated_host(c, *ptr, size, 0);
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

EXPORT int hipMemPoolImportPointer(void ** dev_ptr, void * mem_pool, void * export_data) {
    int rc = REAL_HIP(hipMemPoolImportPointer, int, (void **, void *, void *))(dev_ptr, mem_pool, export_data);
    api_pool_memory_opened(rc, dev_ptr);
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
        api_copy_on(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy, int, (void *, const void *, size_t, int))(dst, src, sizeBytes, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2D(void * dst, size_t dpitch, const void * src, size_t spitch, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2D, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_rows_on(c, dst, dpitch, src, spitch, width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2D, int, (void *, size_t, const void *, size_t, size_t, size_t, int))(dst, dpitch, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DAsync(void * dst, size_t dpitch, const void * src, size_t spitch, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        api_copy_rows_on(c, dst, dpitch, src, spitch, width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DAsync, int, (void *, size_t, const void *, size_t, size_t, size_t, int, void *))(dst, dpitch, src, spitch, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArray(void * dst, size_t dpitch, void * src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DFromArray, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dst, NULL, width, dpitch, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DFromArray, int, (void *, size_t, void *, size_t, size_t, size_t, size_t, int))(dst, dpitch, src, wOffset, hOffset, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArrayAsync(void * dst, size_t dpitch, void * src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DFromArrayAsync, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dst, NULL, width, dpitch, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DFromArrayAsync, int, (void *, size_t, void *, size_t, size_t, size_t, size_t, int, void *))(dst, dpitch, src, wOffset, hOffset, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArray(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DToArray, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, src, width, spitch, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DToArray, int, (void *, size_t, size_t, const void *, size_t, size_t, size_t, int))(dst, wOffset, hOffset, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArrayAsync(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DToArrayAsync, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, src, width, spitch, height, stream, API_ASYNC);
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
        api_copy_on(c, dst, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAsync, int, (void *, const void *, size_t, int, void *))(dst, src, sizeBytes, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAtoH(void * dst, void * srcArray, size_t srcOffset, size_t count) {
    HIP_ENTER(hipMemcpyAtoH, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dst, NULL, count, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoH, int, (void *, void *, size_t, size_t))(dst, srcArray, srcOffset, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoD(void * dst, void * src, size_t sizeBytes) {
    HIP_ENTER(hipMemcpyDtoD, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoD, int, (void *, void *, size_t))(dst, src, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoDAsync(void * dst, void * src, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyDtoDAsync, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoDAsync, int, (void *, void *, size_t, void *))(dst, src, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoH(void * dst, void * src, size_t sizeBytes) {
    HIP_ENTER(hipMemcpyDtoH, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_on(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoH, int, (void *, void *, size_t))(dst, src, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoHAsync(void * dst, void * src, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyDtoHAsync, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_on(c, dst, src, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoHAsync, int, (void *, void *, size_t, void *))(dst, src, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyFromArray(void * dst, void * srcArray, size_t wOffset, size_t hOffset, size_t count, int kind) {
    HIP_ENTER(hipMemcpyFromArray, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dst, NULL, count, 0, 0, HIP_LEGACY, API_SYNC);
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
        api_copy_array_on(c, NULL, srcHost, count, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyHtoA, int, (void *, size_t, const void *, size_t))(dstArray, dstOffset, srcHost, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyHtoD(void * dst, const void * src, size_t sizeBytes) {
    HIP_ENTER(hipMemcpyHtoD, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyHtoD, int, (void *, const void *, size_t))(dst, src, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyHtoDAsync(void * dst, const void * src, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyHtoDAsync, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, sizeBytes, stream, API_ASYNC);
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
        api_copy_peer_on(c, dst, dstDeviceId, src, srcDeviceId, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyPeer, int, (void *, int, const void *, int, size_t))(dst, dstDeviceId, src, srcDeviceId, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyPeerAsync(void * dst, int dstDeviceId, const void * src, int srcDevice, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemcpyPeerAsync, KIND_MEMCPY_ASYNC_PEER);
    if (c->op.thread)
        api_copy_peer_on(c, dst, dstDeviceId, src, srcDevice, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyPeerAsync, int, (void *, int, const void *, int, size_t, void *))(dst, dstDeviceId, src, srcDevice, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyToArray(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t count, int kind) {
    HIP_ENTER(hipMemcpyToArray, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, src, count, 0, 0, HIP_LEGACY, API_SYNC);
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
        api_copy_on(c, dst, src, sizeBytes, stream, API_ASYNC_THEN_WAIT);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyWithStream, int, (void *, const void *, size_t, int, void *))(dst, src, sizeBytes, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset(void * dst, int value, size_t sizeBytes) {
    HIP_ENTER(hipMemset, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dst, sizeBytes, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset, int, (void *, int, size_t))(dst, value, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2D(void * dst, size_t pitch, int value, size_t width, size_t height) {
    HIP_ENTER(hipMemset2D, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dst, pitch, width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2D, int, (void *, size_t, int, size_t, size_t))(dst, pitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2DAsync(void * dst, size_t pitch, int value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemset2DAsync, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dst, pitch, width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2DAsync, int, (void *, size_t, int, size_t, size_t, void *))(dst, pitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3D(struct api_pitched pitchedDevPtr, int value, struct api_extent extent) {
    HIP_ENTER(hipMemset3D, KIND_MEMSET);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3D, int, (struct api_pitched, int, struct api_extent))(pitchedDevPtr, value, extent);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3DAsync(struct api_pitched pitchedDevPtr, int value, struct api_extent extent, void * stream) {
    HIP_ENTER(hipMemset3DAsync, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3DAsync, int, (struct api_pitched, int, struct api_extent, void *))(pitchedDevPtr, value, extent, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetAsync(void * dst, int value, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemsetAsync, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dst, sizeBytes, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetAsync, int, (void *, int, size_t, void *))(dst, value, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD16(void * dest, unsigned short value, size_t count) {
    HIP_ENTER(hipMemsetD16, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dest, 2 * count, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD16, int, (void *, unsigned short, size_t))(dest, value, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD16Async(void * dest, unsigned short value, size_t count, void * stream) {
    HIP_ENTER(hipMemsetD16Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dest, 2 * count, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD16Async, int, (void *, unsigned short, size_t, void *))(dest, value, count, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD32(void * dest, int value, size_t count) {
    HIP_ENTER(hipMemsetD32, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dest, 4 * count, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD32, int, (void *, int, size_t))(dest, value, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD32Async(void * dst, int value, size_t count, void * stream) {
    HIP_ENTER(hipMemsetD32Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dst, 4 * count, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD32Async, int, (void *, int, size_t, void *))(dst, value, count, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD8(void * dest, unsigned char value, size_t count) {
    HIP_ENTER(hipMemsetD8, KIND_MEMSET);
    if (c->op.thread)
        api_set_on(c, dest, count, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD8, int, (void *, unsigned char, size_t))(dest, value, count);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD8Async(void * dest, unsigned char value, size_t count, void * stream) {
    HIP_ENTER(hipMemsetD8Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dest, count, stream, API_ASYNC);
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

EXPORT int hipModuleLaunchCooperativeKernelMultiDevice(void * launchParamsList, unsigned numDevices, unsigned flags) {
    HIP_ENTER(hipModuleLaunchCooperativeKernelMultiDevice, KIND_KERNEL);
    if (c->op.thread)
        hip_launches_first_function(c, launchParamsList, numDevices);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipModuleLaunchCooperativeKernelMultiDevice, int, (void *, unsigned, unsigned))(launchParamsList, numDevices, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_launched_other_functions(c, launchParamsList, numDevices);
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
    api_device_was_set(rc, deviceId);
    return rc;
}

EXPORT int hipSignalExternalSemaphoresAsync(void ** extSemArray, const void * paramsArray, unsigned numExtSems, void * stream) {
    HIP_ENTER(hipSignalExternalSemaphoresAsync, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipSignalExternalSemaphoresAsync, int, (void **, const void *, unsigned, void *))(extSemArray, paramsArray, numExtSems, stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_semaphores(c, KIND_VALUE_WRITE, extSemArray, paramsArray, numExtSems);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamAddCallback(void * stream, void * callback, void * userData, unsigned flags) {
    HIP_ENTER(hipStreamAddCallback, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, stream), api_runs_callback(c, &callback, &userData);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamAddCallback, int, (void *, void *, void *, unsigned))(stream, callback, userData, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamBeginCapture(void * stream, int mode) {
    HIP_ENTER(hipStreamBeginCapture, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamBeginCapture, int, (void *, int))(stream, mode);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &hip_graph_asks, NULL, NULL, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamCreate(void ** stream) {
    HIP_ENTER(hipStreamCreate, KIND_STREAM_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamCreate, int, (void **))(stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_stream_created(c, *stream, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamCreateWithFlags(void ** stream, unsigned flags) {
    HIP_ENTER(hipStreamCreateWithFlags, KIND_STREAM_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamCreateWithFlags, int, (void **, unsigned))(stream, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_stream_created(c, *stream, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamCreateWithPriority(void ** stream, unsigned flags, int priority) {
    HIP_ENTER(hipStreamCreateWithPriority, KIND_STREAM_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamCreateWithPriority, int, (void **, unsigned, int))(stream, flags, priority);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_stream_created(c, *stream, flags);
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

EXPORT int hipStreamEndCapture(void * stream, void ** pGraph) {
    HIP_ENTER(hipStreamEndCapture, KIND_CAPTURE_END);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamEndCapture, int, (void *, void **))(stream, pGraph);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_capture_ended(c, pGraph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamGetCaptureInfo_v2(void * stream, void * captureStatus_out, void * id_out, void ** graph_out, const void * dependencies_out, size_t * numDependencies_out) {
    int rc = REAL_HIP(hipStreamGetCaptureInfo_v2, int, (void *, void *, void *, void **, const void *, size_t *))(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
    api_capture_asked(rc, stream, dependencies_out);
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

EXPORT int hipStreamUpdateCaptureDependencies(void * stream, void ** dependencies, size_t numDependencies, unsigned flags) {
    int rc = REAL_HIP(hipStreamUpdateCaptureDependencies, int, (void *, void **, size_t, unsigned))(stream, dependencies, numDependencies, flags);
    api_capture_follows(rc, stream, dependencies, numDependencies, flags);
    return rc;
}

EXPORT int hipStreamWaitEvent(void * stream, void * event, unsigned flags) {
    HIP_ENTER(hipStreamWaitEvent, KIND_EVENT_WAIT);
    if (c->op.thread)
        api_waits_event(c, stream, event, flags);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWaitEvent, int, (void *, void *, unsigned))(stream, event, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamWaitValue32(void * stream, void * ptr, uint32_t value, unsigned flags, uint32_t mask) {
    HIP_ENTER(hipStreamWaitValue32, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWaitValue32, int, (void *, void *, uint32_t, unsigned, uint32_t))(stream, ptr, value, flags, mask);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, ptr, value, flags, mask);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamWaitValue64(void * stream, void * ptr, uint64_t value, unsigned flags, uint64_t mask) {
    HIP_ENTER(hipStreamWaitValue64, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWaitValue64, int, (void *, void *, uint64_t, unsigned, uint64_t))(stream, ptr, value, flags, mask);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_waits_value(c, ptr, value, flags, mask);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamWriteValue32(void * stream, void * ptr, uint32_t value, unsigned flags) {
    HIP_ENTER(hipStreamWriteValue32, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWriteValue32, int, (void *, void *, uint32_t, unsigned))(stream, ptr, value, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, ptr, value);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamWriteValue64(void * stream, void * ptr, uint64_t value, unsigned flags) {
    HIP_ENTER(hipStreamWriteValue64, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWriteValue64, int, (void *, void *, uint64_t, unsigned))(stream, ptr, value, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_writes_value(c, ptr, value);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipWaitExternalSemaphoresAsync(void ** extSemArray, const void * paramsArray, unsigned numExtSems, void * stream) {
    HIP_ENTER(hipWaitExternalSemaphoresAsync, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipWaitExternalSemaphoresAsync, int, (void **, const void *, unsigned, void *))(extSemArray, paramsArray, numExtSems, stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_semaphores(c, KIND_VALUE_WAIT, extSemArray, paramsArray, numExtSems);
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
        api_copy_on(c, dst, src, sizeBytes, HIP_PER_THREAD, API_SYNC);
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
        api_copy_rows_on(c, dst, dpitch, src, spitch, width, height, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2D_spt, int, (void *, size_t, const void *, size_t, size_t, size_t, int))(dst, dpitch, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArray_spt(void * dst, size_t dpitch, void * src, size_t wOffset, size_t hOffset, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DFromArray_spt, KIND_MEMCPY_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dst, NULL, width, dpitch, height, HIP_PER_THREAD, API_SYNC);
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
        api_set_on(c, dst, sizeBytes, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset_spt, int, (void *, int, size_t))(dst, value, sizeBytes);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetAsync_spt(void * dst, int value, size_t sizeBytes, void * stream) {
    HIP_ENTER(hipMemsetAsync_spt, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_on(c, dst, sizeBytes, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetAsync_spt, int, (void *, int, size_t, void *))(dst, value, sizeBytes, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2D_spt(void * dst, size_t pitch, int value, size_t width, size_t height) {
    HIP_ENTER(hipMemset2D_spt, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dst, pitch, width, height, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2D_spt, int, (void *, size_t, int, size_t, size_t))(dst, pitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset2DAsync_spt(void * dst, size_t pitch, int value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemset2DAsync_spt, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dst, pitch, width, height, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset2DAsync_spt, int, (void *, size_t, int, size_t, size_t, void *))(dst, pitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3DAsync_spt(struct api_pitched pitchedDevPtr, int value, struct api_extent extent, void * stream) {
    HIP_ENTER(hipMemset3DAsync_spt, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3DAsync_spt, int, (struct api_pitched, int, struct api_extent, void *))(pitchedDevPtr, value, extent, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemset3D_spt(struct api_pitched pitchedDevPtr, int value, struct api_extent extent) {
    HIP_ENTER(hipMemset3D_spt, KIND_MEMSET);
    if (c->op.thread)
        hip_set_3d(c, pitchedDevPtr, extent, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemset3D_spt, int, (struct api_pitched, int, struct api_extent))(pitchedDevPtr, value, extent);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAsync_spt(void * dst, const void * src, size_t sizeBytes, int kind, void * stream) {
    HIP_ENTER(hipMemcpyAsync_spt, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        api_copy_on(c, dst, src, sizeBytes, SPT(stream), API_ASYNC);
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
        api_copy_rows_on(c, dst, dpitch, src, spitch, width, height, SPT(stream), API_ASYNC);
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
        api_copy_array_on(c, dst, NULL, count, 0, 0, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyFromArray_spt, int, (void *, void *, size_t, size_t, size_t, int))(dst, src, wOffsetSrc, hOffset, count, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArray_spt(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DToArray_spt, KIND_MEMCPY_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, src, width, spitch, height, HIP_PER_THREAD, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DToArray_spt, int, (void *, size_t, size_t, const void *, size_t, size_t, size_t, int))(dst, wOffset, hOffset, src, spitch, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DFromArrayAsync_spt(void * dst, size_t dpitch, void * src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DFromArrayAsync_spt, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dst, NULL, width, dpitch, height, SPT(stream), API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DFromArrayAsync_spt, int, (void *, size_t, void *, size_t, size_t, size_t, size_t, int, void *))(dst, dpitch, src, wOffsetSrc, hOffsetSrc, width, height, kind, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DToArrayAsync_spt(void * dst, size_t wOffset, size_t hOffset, const void * src, size_t spitch, size_t width, size_t height, int kind, void * stream) {
    HIP_ENTER(hipMemcpy2DToArrayAsync_spt, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, src, width, spitch, height, SPT(stream), API_ASYNC);
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
        api_waits_event(c, SPT(stream), event, flags);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamWaitEvent_spt, int, (void *, void *, unsigned))(stream, event, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamAddCallback_spt(void * stream, void * callback, void * userData, unsigned flags) {
    HIP_ENTER(hipStreamAddCallback_spt, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, SPT(stream)), api_runs_callback(c, &callback, &userData);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamAddCallback_spt, int, (void *, void *, void *, unsigned))(stream, callback, userData, flags);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventRecord_spt(void * event, void * stream) {
    HIP_ENTER(hipEventRecord_spt, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_records_event(c, event, SPT(stream), 0);
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

EXPORT int hipGraphLaunch_spt(void * graphExec, void * stream) {
    HIP_ENTER(hipGraphLaunch_spt, KIND_GRAPH_LAUNCH);
    if (c->op.thread)
        executable_launches(c, SPT(stream), graphExec);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphLaunch_spt, int, (void *, void *))(graphExec, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamBeginCapture_spt(void * stream, int mode) {
    HIP_ENTER(hipStreamBeginCapture_spt, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, SPT(stream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamBeginCapture_spt, int, (void *, int))(stream, mode);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &hip_graph_asks, NULL, NULL, 0);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamEndCapture_spt(void * stream, void ** pGraph) {
    HIP_ENTER(hipStreamEndCapture_spt, KIND_CAPTURE_END);
    if (c->op.thread)
        api_on_stream(c, SPT(stream));
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamEndCapture_spt, int, (void *, void **))(stream, pGraph);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_capture_ended(c, pGraph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamGetCaptureInfo_v2_spt(void * stream, void * captureStatus_out, void * id_out, void ** graph_out, const void * dependencies_out, size_t * numDependencies_out) {
    int rc = REAL_HIP(hipStreamGetCaptureInfo_v2_spt, int, (void *, void *, void *, void **, const void *, size_t *))(stream, captureStatus_out, id_out, graph_out, dependencies_out, numDependencies_out);
    api_capture_asked(rc, SPT(stream), dependencies_out);
    return rc;
}

EXPORT int hipLaunchHostFunc_spt(void * stream, void * fn, void * userData) {
    HIP_ENTER(hipLaunchHostFunc_spt, KIND_HOST_FUNC);
    if (c->op.thread)
        api_on_stream(c, SPT(stream)), api_runs(c, &fn, &userData);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipLaunchHostFunc_spt, int, (void *, void *, void *))(stream, fn, userData);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvGraphAddMemsetNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * memsetParams, void * ctx) {
    HIP_ENTER(hipDrvGraphAddMemsetNode, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        hip_node_set(c, memsetParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvGraphAddMemsetNode, int, (void **, void *, void **, size_t, const void *, void *))(phGraphNode, hGraph, dependencies, numDependencies, memsetParams, ctx);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddExternalSemaphoresWaitNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, const void * nodeParams) {
    HIP_ENTER(hipGraphAddExternalSemaphoresWaitNode, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WAIT, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddExternalSemaphoresWaitNode, int, (void **, void *, void **, size_t, const void *))(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddExternalSemaphoresSignalNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, const void * nodeParams) {
    HIP_ENTER(hipGraphAddExternalSemaphoresSignalNode, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WRITE, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddExternalSemaphoresSignalNode, int, (void **, void *, void **, size_t, const void *))(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, graph, pGraphNode, pDependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExternalSemaphoresSignalNodeSetParams(void * hNode, const void * nodeParams) {
    HIP_ENTER(hipGraphExternalSemaphoresSignalNodeSetParams, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WRITE, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExternalSemaphoresSignalNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExternalSemaphoresWaitNodeSetParams(void * hNode, const void * nodeParams) {
    HIP_ENTER(hipGraphExternalSemaphoresWaitNodeSetParams, KIND_VALUE_WAIT);
    if (c->op.thread)
        api_node_semaphores(c, KIND_VALUE_WAIT, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExternalSemaphoresWaitNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecExternalSemaphoresSignalNodeSetParams(void * hGraphExec, void * hNode, const void * nodeParams) {
    HIP_ENTER(hipGraphExecExternalSemaphoresSignalNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_semaphores(c, KIND_VALUE_WRITE, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecExternalSemaphoresSignalNodeSetParams, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecExternalSemaphoresWaitNodeSetParams(void * hGraphExec, void * hNode, const void * nodeParams) {
    HIP_ENTER(hipGraphExecExternalSemaphoresWaitNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_semaphores(c, KIND_VALUE_WAIT, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecExternalSemaphoresWaitNodeSetParams, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddNode(void ** pGraphNode, void * graph, void ** pDependencies, size_t numDependencies, void * nodeParams) {
    HIP_ENTER(hipGraphAddNode, KIND_NONE);
    if (c->op.thread)
        hip_node_any(c, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddNode, int, (void **, void *, void **, size_t, void *))(pGraphNode, graph, pDependencies, numDependencies, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_node_any_added(c, graph, pGraphNode, pDependencies, numDependencies, nodeParams);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphInstantiateWithParams(void ** pGraphExec, void * graph, void * instantiateParams) {
    HIP_ENTER(hipGraphInstantiateWithParams, KIND_GRAPH_CREATE);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphInstantiateWithParams, int, (void **, void *, void *))(pGraphExec, graph, instantiateParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_executable_made(c, pGraphExec, graph);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGetProcAddress(const void * symbol, void ** pfn, int hipVersion, uint64_t flags, void * symbolStatus) {
    int rc = REAL_HIP(hipGetProcAddress, int, (const void *, void **, int, uint64_t, void *))(symbol, pfn, hipVersion, flags, symbolStatus);
    hip_proc_address(rc, symbol, pfn);
    return rc;
}

EXPORT int hipStreamBeginCaptureToGraph(void * stream, void * graph, void ** dependencies, const void * dependencyData, size_t numDependencies, int mode) {
    HIP_ENTER(hipStreamBeginCaptureToGraph, KIND_CAPTURE_BEGIN);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamBeginCaptureToGraph, int, (void *, void *, void **, const void *, size_t, int))(stream, graph, dependencies, dependencyData, numDependencies, mode);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_capture_begun(c, &hip_graph_asks, graph, dependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGetFuncBySymbol(void ** functionPtr, const void * symbolPtr) {
    int rc = REAL_HIP(hipGetFuncBySymbol, int, (void **, const void *))(functionPtr, symbolPtr);
    hip_symbol_function(rc, functionPtr, symbolPtr);
    return rc;
}

EXPORT int hipMemcpyAtoD(void * dstDevice, void * srcArray, size_t srcOffset, size_t ByteCount) {
    HIP_ENTER(hipMemcpyAtoD, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, dstDevice, NULL, ByteCount, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoD, int, (void *, void *, size_t, size_t))(dstDevice, srcArray, srcOffset, ByteCount);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyDtoA(void * dstArray, size_t dstOffset, void * srcDevice, size_t ByteCount) {
    HIP_ENTER(hipMemcpyDtoA, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcDevice, ByteCount, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyDtoA, int, (void *, size_t, void *, size_t))(dstArray, dstOffset, srcDevice, ByteCount);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAtoA(void * dstArray, size_t dstOffset, void * srcArray, size_t srcOffset, size_t ByteCount) {
    HIP_ENTER(hipMemcpyAtoA, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, NULL, ByteCount, 0, 0, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoA, int, (void *, size_t, void *, size_t, size_t))(dstArray, dstOffset, srcArray, srcOffset, ByteCount);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyAtoHAsync(void * dstHost, void * srcArray, size_t srcOffset, size_t ByteCount, void * stream) {
    HIP_ENTER(hipMemcpyAtoHAsync, KIND_MEMCPY_ASYNC_D2H);
    if (c->op.thread)
        api_copy_array_on(c, dstHost, NULL, ByteCount, 0, 0, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyAtoHAsync, int, (void *, void *, size_t, size_t, void *))(dstHost, srcArray, srcOffset, ByteCount, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpyHtoAAsync(void * dstArray, size_t dstOffset, const void * srcHost, size_t ByteCount, void * stream) {
    HIP_ENTER(hipMemcpyHtoAAsync, KIND_MEMCPY_ASYNC_H2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, srcHost, ByteCount, 0, 0, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyHtoAAsync, int, (void *, size_t, const void *, size_t, void *))(dstArray, dstOffset, srcHost, ByteCount, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy2DArrayToArray(void * dst, size_t wOffsetDst, size_t hOffsetDst, void * src, size_t wOffsetSrc, size_t hOffsetSrc, size_t width, size_t height, int kind) {
    HIP_ENTER(hipMemcpy2DArrayToArray, KIND_MEMCPY_D2D);
    if (c->op.thread)
        api_copy_array_on(c, NULL, NULL, width, 0, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy2DArrayToArray, int, (void *, size_t, size_t, void *, size_t, size_t, size_t, size_t, int))(dst, wOffsetDst, hOffsetDst, src, wOffsetSrc, hOffsetSrc, width, height, kind);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvGraphAddMemFreeNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, void * dptr) {
    HIP_ENTER(hipDrvGraphAddMemFreeNode, KIND_FREE_ASYNC);
    if (c->op.thread)
        api_node_frees(c, dptr);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvGraphAddMemFreeNode, int, (void **, void *, void **, size_t, void *))(phGraphNode, hGraph, dependencies, numDependencies, dptr);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvGraphExecMemcpyNodeSetParams(void * hGraphExec, void * hNode, const void * copyParams, void * ctx) {
    HIP_ENTER(hipDrvGraphExecMemcpyNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_copy_drv_3d(c, copyParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvGraphExecMemcpyNodeSetParams, int, (void *, void *, const void *, void *))(hGraphExec, hNode, copyParams, ctx);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvGraphExecMemsetNodeSetParams(void * hGraphExec, void * hNode, const void * memsetParams, void * ctx) {
    HIP_ENTER(hipDrvGraphExecMemsetNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), hip_node_set(c, memsetParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvGraphExecMemsetNodeSetParams, int, (void *, void *, const void *, void *))(hGraphExec, hNode, memsetParams, ctx);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphNodeSetParams(void * node, void * nodeParams) {
    HIP_ENTER(hipGraphNodeSetParams, KIND_NONE);
    if (c->op.thread)
        hip_node_any(c, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphNodeSetParams, int, (void *, void *))(node, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_node_any_changed(c, node, nodeParams);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecNodeSetParams(void * graphExec, void * node, void * nodeParams) {
    HIP_ENTER(hipGraphExecNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, graphExec), hip_node_any(c, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecNodeSetParams, int, (void *, void *, void *))(graphExec, node, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        hip_executable_any(c, node, nodeParams);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipDrvGraphMemcpyNodeSetParams(void * hNode, const void * nodeParams) {
    HIP_ENTER(hipDrvGraphMemcpyNodeSetParams, KIND_MEMCPY_ASYNC_D2D);
    if (c->op.thread)
        hip_node_copy_drv_3d(c, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipDrvGraphMemcpyNodeSetParams, int, (void *, const void *))(hNode, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipExtHostAlloc(void ** ptr, size_t size, unsigned flags) {
    HIP_ENTER(hipExtHostAlloc, KIND_ALLOC_PINNED);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipExtHostAlloc, int, (void **, size_t, unsigned))(ptr, size, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_allocated_host(c, *ptr, size, flags);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipStreamBatchMemOp(void * stream, unsigned count, void * paramArray, unsigned flags) {
    HIP_ENTER(hipStreamBatchMemOp, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipStreamBatchMemOp, int, (void *, unsigned, void *, unsigned))(stream, count, paramArray, flags);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_value_batch(c, paramArray, count);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphAddBatchMemOpNode(void ** phGraphNode, void * hGraph, void ** dependencies, size_t numDependencies, const void * nodeParams) {
    HIP_ENTER(hipGraphAddBatchMemOpNode, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_values(c, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphAddBatchMemOpNode, int, (void **, void *, void **, size_t, const void *))(phGraphNode, hGraph, dependencies, numDependencies, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_added(c, hGraph, phGraphNode, dependencies, numDependencies);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphBatchMemOpNodeSetParams(void * hNode, void * nodeParams) {
    HIP_ENTER(hipGraphBatchMemOpNodeSetParams, KIND_VALUE_WRITE);
    if (c->op.thread)
        api_node_values(c, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphBatchMemOpNodeSetParams, int, (void *, void *))(hNode, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_node_changed(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGraphExecBatchMemOpNodeSetParams(void * hGraphExec, void * hNode, const void * nodeParams) {
    HIP_ENTER(hipGraphExecBatchMemOpNodeSetParams, KIND_GRAPH_UPDATE);
    if (c->op.thread)
        executable_changes(c, hGraphExec), api_node_values(c, nodeParams);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipGraphExecBatchMemOpNodeSetParams, int, (void *, void *, const void *))(hGraphExec, hNode, nodeParams);
    HIP_BACK();
    if (c->op.thread && !rc)
        executable_sets(c, hNode);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipEventRecordWithFlags(void * event, void * stream, unsigned flags) {
    HIP_ENTER(hipEventRecordWithFlags, KIND_EVENT_RECORD);
    if (c->op.thread)
        api_records_event(c, event, stream, flags);
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
        api_set_rows_on(c, dst, dstPitch, width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D8, int, (void *, size_t, unsigned char, size_t, size_t))(dst, dstPitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D8Async(void * dst, size_t dstPitch, unsigned char value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemsetD2D8Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dst, dstPitch, width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D8Async, int, (void *, size_t, unsigned char, size_t, size_t, void *))(dst, dstPitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D16(void * dst, size_t dstPitch, unsigned short value, size_t width, size_t height) {
    HIP_ENTER(hipMemsetD2D16, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dst, dstPitch, 2 * width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D16, int, (void *, size_t, unsigned short, size_t, size_t))(dst, dstPitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D16Async(void * dst, size_t dstPitch, unsigned short value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemsetD2D16Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dst, dstPitch, 2 * width, height, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D16Async, int, (void *, size_t, unsigned short, size_t, size_t, void *))(dst, dstPitch, value, width, height, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D32(void * dst, size_t dstPitch, unsigned value, size_t width, size_t height) {
    HIP_ENTER(hipMemsetD2D32, KIND_MEMSET);
    if (c->op.thread)
        api_set_rows_on(c, dst, dstPitch, 4 * width, height, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemsetD2D32, int, (void *, size_t, unsigned, size_t, size_t))(dst, dstPitch, value, width, height);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemsetD2D32Async(void * dst, size_t dstPitch, unsigned value, size_t width, size_t height, void * stream) {
    HIP_ENTER(hipMemsetD2D32Async, KIND_MEMSET_ASYNC);
    if (c->op.thread)
        api_set_rows_on(c, dst, dstPitch, 4 * width, height, stream, API_ASYNC);
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

EXPORT int hipMemcpyBatchAsync(void ** dsts, void ** srcs, size_t * sizes, size_t count, void * attrs, size_t * attrsIdxs, size_t numAttrs, size_t * failIdx, void * stream) {
    HIP_ENTER(hipMemcpyBatchAsync, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpyBatchAsync, int, (void **, void **, size_t *, size_t, void *, size_t *, size_t, size_t *, void *))(dsts, srcs, sizes, count, attrs, attrsIdxs, numAttrs, failIdx, stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_copied_batch(c, dsts, srcs, sizes, count);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy3DBatchAsync(size_t numOps, void * opList, size_t * failIdx, unsigned long long flags, void * stream) {
    HIP_ENTER(hipMemcpy3DBatchAsync, KIND_BATCH);
    if (c->op.thread)
        api_on_stream(c, stream);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy3DBatchAsync, int, (size_t, void *, size_t *, unsigned long long, void *))(numOps, opList, failIdx, flags, stream);
    HIP_BACK();
    if (c->op.thread && !rc)
        api_copied_3d_batch(c, opList, numOps);
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy3DPeer(void * p) {
    HIP_ENTER(hipMemcpy3DPeer, KIND_MEMCPY_PEER);
    if (c->op.thread)
        hip_copy_3d_peer(c, p, HIP_LEGACY, API_SYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy3DPeer, int, (void *))(p);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipMemcpy3DPeerAsync(void * p, void * stream) {
    HIP_ENTER(hipMemcpy3DPeerAsync, KIND_MEMCPY_ASYNC_PEER);
    if (c->op.thread)
        hip_copy_3d_peer(c, p, stream, API_ASYNC);
    HIP_OUT();
    int rc = HIP_LEFT_OUT() ? 0 : REAL_HIP(hipMemcpy3DPeerAsync, int, (void *, void *))(p, stream);
    HIP_BACK();
    HIP_LEAVE();
    return rc;
}

EXPORT int hipGetDriverEntryPoint(const void * symbol, void ** funcPtr, unsigned long long flags, void * status) {
    int rc = REAL_HIP(hipGetDriverEntryPoint, int, (const void *, void **, unsigned long long, void *))(symbol, funcPtr, flags, status);
    hip_proc_address(rc, symbol, funcPtr);
    return rc;
}

EXPORT int hipGetDriverEntryPoint_spt(const void * symbol, void ** funcPtr, unsigned long long flags, void * status) {
    int rc = REAL_HIP(hipGetDriverEntryPoint_spt, int, (const void *, void **, unsigned long long, void *))(symbol, funcPtr, flags, status);
    hip_proc_address(rc, symbol, funcPtr);
    return rc;
}

EXPORT int hipLibraryLoadData(void ** library, const void * code, void * jitOptions, void ** jitOptionsValues, unsigned numJitOptions, void * libraryOptions, void ** libraryOptionValues, unsigned numLibraryOptions) {
    int rc = REAL_HIP(hipLibraryLoadData, int, (void **, const void *, void *, void **, unsigned, void *, void **, unsigned))(library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
    hip_module(rc, library, code);
    return rc;
}

EXPORT int hipLibraryLoadFromFile(void ** library, const void * fileName, void * jitOptions, void ** jitOptionsValues, unsigned numJitOptions, void * libraryOptions, void ** libraryOptionValues, unsigned numLibraryOptions) {
    int rc = REAL_HIP(hipLibraryLoadFromFile, int, (void **, const void *, void *, void **, unsigned, void *, void **, unsigned))(library, fileName, jitOptions, jitOptionsValues, numJitOptions, libraryOptions, libraryOptionValues, numLibraryOptions);
    hip_module_file(rc, library, fileName);
    return rc;
}

EXPORT int hipLibraryUnload(void * library) {
    int rc = REAL_HIP(hipLibraryUnload, int, (void *))(library);
    hip_module_gone(rc, library);
    return rc;
}

EXPORT int hipLibraryGetKernel(void ** pKernel, void * library, const void * name) {
    int rc = REAL_HIP(hipLibraryGetKernel, int, (void **, void *, const void *))(pKernel, library, name);
    hip_module_function(rc, pKernel, library, name);
    return rc;
}

EXPORT int hipLibraryEnumerateKernels(void ** kernels, unsigned numKernels, void * library) {
    int rc = REAL_HIP(hipLibraryEnumerateKernels, int, (void **, unsigned, void *))(kernels, numKernels, library);
    hip_library_kernels(rc, kernels, numKernels, library);
    return rc;
}

EXPORT int hipGetProcAddress_spt(const void * symbol, void ** pfn, int hipVersion, uint64_t flags, void * symbolStatus) {
    int rc = REAL_HIP(hipGetProcAddress_spt, int, (const void *, void **, int, uint64_t, void *))(symbol, pfn, hipVersion, flags, symbolStatus);
    hip_proc_address(rc, symbol, pfn);
    return rc;
}

EXPORT int hipKernelGetFunction(void ** pFunc, void * kernel) {
    int rc = REAL_HIP(hipKernelGetFunction, int, (void **, void *))(pFunc, kernel);
    hip_kernel_function(rc, pFunc, kernel);
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
