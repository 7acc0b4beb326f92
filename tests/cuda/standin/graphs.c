// Edges with data (which say more than these graphs keep: all edges are full ones), captures asked
// for them, and the making and updating of executables.
#include "driver.h"

#define NODES(list) (const hipGraphNode_t *)(list)

CUresult impl_cuGraphAddDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                        const CUgraphNode *to, const CUgraphEdgeData *data,
                                        size_t count) {
    (void)data;
    return impl_hipGraphAddDependencies((hipGraph_t)graph, NODES(from), NODES(to), count);
}
CUresult impl_cuGraphRemoveDependencies_v2(CUgraph graph, const CUgraphNode *from,
                                           const CUgraphNode *to, const CUgraphEdgeData *data,
                                           size_t count) {
    (void)data;
    return impl_hipGraphRemoveDependencies((hipGraph_t)graph, NODES(from), NODES(to), count);
}
static void full_edges(CUgraphEdgeData *data, const size_t *count) {
    for (size_t i = 0; data && i < *count; i++)
        data[i] = (CUgraphEdgeData){0};
}
CUresult impl_cuGraphGetEdges_v2(CUgraph graph, CUgraphNode *from, CUgraphNode *to,
                                 CUgraphEdgeData *data, size_t *count) {
    CUresult result = impl_hipGraphGetEdges((hipGraph_t)graph, (hipGraphNode_t *)from,
                                            (hipGraphNode_t *)to, count);
    if (!result)
        full_edges(data, count);
    return result;
}
CUresult impl_cuGraphNodeGetDependencies_v2(CUgraphNode node, CUgraphNode *list,
                                            CUgraphEdgeData *data, size_t *count) {
    CUresult result =
        impl_hipGraphNodeGetDependencies((hipGraphNode_t)node, (hipGraphNode_t *)list, count);
    if (!result)
        full_edges(data, count);
    return result;
}
CUresult impl_cuGraphNodeGetDependentNodes_v2(CUgraphNode node, CUgraphNode *list,
                                              CUgraphEdgeData *data, size_t *count) {
    CUresult result =
        impl_hipGraphNodeGetDependentNodes((hipGraphNode_t)node, (hipGraphNode_t *)list, count);
    if (!result)
        full_edges(data, count);
    return result;
}

// --- Captures ---

CUresult impl_cuStreamBeginCapture(CUstream stream) {
    return impl_hipStreamBeginCapture((hipStream_t)stream, hipStreamCaptureModeGlobal);
}
CUresult impl_cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status,
                                        cuuint64_t *id, CUgraph *graph, const CUgraphNode **front,
                                        const CUgraphEdgeData **data, size_t *count) {
    hipStreamCaptureStatus known = hipStreamCaptureStatusNone;
    CUresult result = impl_hipStreamGetCaptureInfo_v2((hipStream_t)stream, status ? &known : NULL,
                                                      (unsigned long long *)id, (hipGraph_t *)graph,
                                                      (const hipGraphNode_t **)front, count);
    if (!result)
        *status = (int)known;
    if (data)
        *data = NULL;
    return result;
}
CUresult impl_cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *nodes,
                                                   const CUgraphEdgeData *data, size_t count,
                                                   unsigned flags) {
    (void)data;
    return impl_hipStreamUpdateCaptureDependencies((hipStream_t)stream, (hipGraphNode_t *)nodes,
                                                   count, flags);
}

// --- Executables ---

CUresult impl_cuGraphInstantiateWithParams(CUgraphExec *exec, CUgraph graph,
                                           CUDA_GRAPH_INSTANTIATE_PARAMS *p) {
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult result =
        impl_hipGraphInstantiateWithFlags((hipGraphExec_t *)exec, (hipGraph_t)graph, p->flags);
    p->hErrNode_out = NULL;
    p->result_out = result ? 2 : 0;
    return result;
}
CUresult impl_cuGraphExecUpdate_v2(CUgraphExec exec, CUgraph graph,
                                   CUgraphExecUpdateResultInfo *info) {
    hipGraphNode_t culprit = NULL;
    hipGraphExecUpdateResult told = hipGraphExecUpdateError;
    CUresult result =
        impl_hipGraphExecUpdate((hipGraphExec_t)exec, (hipGraph_t)graph, &culprit, &told);
    if (info)
        *info = (CUgraphExecUpdateResultInfo){(int)told, (CUgraphNode)culprit, NULL};
    return result;
}
