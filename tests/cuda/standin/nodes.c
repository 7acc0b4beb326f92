// Nodes of graphs and their parameters where CUDA's layouts differ from HIP's, edges with data, and
// executables.
#include "driver.h"

static hipKernelNodeParams launch_of(const CUDA_KERNEL_NODE_PARAMS *p, bool first_version) {
    void *function = p->func || first_version ? (void *)p->func : (void *)p->kern;
    return (hipKernelNodeParams){
        {p->blockDimX, p->blockDimY, p->blockDimZ}, p->extra,        function,
        {p->gridDimX, p->gridDimY, p->gridDimZ},    p->kernelParams, p->sharedMemBytes};
}
static hipMemsetParams fill_of(const CUDA_MEMSET_NODE_PARAMS *p) {
    return (hipMemsetParams){
        (void *)(uintptr_t)p->dst, p->elementSize, p->height, p->pitch, p->value, p->width};
}
// HIP's parameters of a copy are those of its runtime: a box within two pitched memories.
static hipError_t copy_of(const CUDA_MEMCPY3D *p, hipMemcpy3DParms *to) {
    struct work work;
    hipError_t error = work_of_copy(p, &work);
    if (error)
        return error;
    const struct copy *copy = &work.copy;
    *to = (hipMemcpy3DParms){
        .srcPtr = {copy->src.base, copy->src.pitch, copy->width, copy->src.slice / copy->src.pitch},
        .dstPtr = {copy->dst.base, copy->dst.pitch, copy->width, copy->dst.slice / copy->dst.pitch},
        .extent = {copy->width, copy->height, copy->depth},
        .kind = hipMemcpyDefault,
    };
    return hipSuccess;
}

// Where a node is to be: the first arguments of every function that adds one.
#define SPOT CUgraphNode *node, CUgraph graph, const CUgraphNode *before, size_t count
#define THERE (hipGraphNode_t *)node, (hipGraph_t)graph, (const hipGraphNode_t *)before, count
#define NODE (hipGraphNode_t) node
#define EXEC (hipGraphExec_t) exec

// --- Kernels ---

static CUresult add_kernel(SPOT, const CUDA_KERNEL_NODE_PARAMS *p, bool first_version) {
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    hipKernelNodeParams launch = launch_of(p, first_version);
    return impl_hipGraphAddKernelNode(THERE, &launch);
}
CUresult impl_cuGraphAddKernelNode_v2(SPOT, const CUDA_KERNEL_NODE_PARAMS *p) {
    return add_kernel(node, graph, before, count, p, false);
}
CUresult impl_cuGraphAddKernelNode(SPOT, const CUDA_KERNEL_NODE_PARAMS_v1 *p) {
    return add_kernel(node, graph, before, count, p, true);
}
static CUresult set_kernel(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p,
                           bool first_version) {
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    hipKernelNodeParams launch = launch_of(p, first_version);
    return exec ? impl_hipGraphExecKernelNodeSetParams(EXEC, NODE, &launch)
                : impl_hipGraphKernelNodeSetParams(NODE, &launch);
}
CUresult impl_cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS *p) {
    return set_kernel(NULL, node, p, false);
}
CUresult impl_cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1 *p) {
    return set_kernel(NULL, node, p, true);
}
CUresult impl_cuGraphExecKernelNodeSetParams_v2(CUgraphExec exec, CUgraphNode node,
                                                const CUDA_KERNEL_NODE_PARAMS *p) {
    return exec ? set_kernel(exec, node, p, false) : CUDA_ERROR_INVALID_VALUE;
}
CUresult impl_cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const CUDA_KERNEL_NODE_PARAMS_v1 *p) {
    return exec ? set_kernel(exec, node, p, true) : CUDA_ERROR_INVALID_VALUE;
}
CUresult impl_cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p) {
    hipKernelNodeParams launch;
    CUresult result = p ? impl_hipGraphKernelNodeGetParams(NODE, &launch) : hipErrorInvalidValue;
    if (!result)
        *p = (CUDA_KERNEL_NODE_PARAMS){
            .func = launch.func,
            .gridDimX = launch.gridDim.x,
            .gridDimY = launch.gridDim.y,
            .gridDimZ = launch.gridDim.z,
            .blockDimX = launch.blockDim.x,
            .blockDimY = launch.blockDim.y,
            .blockDimZ = launch.blockDim.z,
            .sharedMemBytes = launch.sharedMemBytes,
            .kernelParams = launch.kernelParams,
        };
    return result;
}

// --- Copies and fills ---

CUresult impl_cuGraphAddMemcpyNode(SPOT, const CUDA_MEMCPY3D *p, CUcontext context) {
    (void)context;
    hipMemcpy3DParms copy;
    hipError_t error = copy_of(p, &copy);
    return error ? fail(error) : impl_hipGraphAddMemcpyNode(THERE, &copy);
}
static CUresult set_copy(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D *p) {
    hipMemcpy3DParms copy;
    hipError_t error = copy_of(p, &copy);
    if (error)
        return fail(error);
    return exec ? impl_hipGraphExecMemcpyNodeSetParams(EXEC, NODE, &copy)
                : impl_hipGraphMemcpyNodeSetParams(NODE, &copy);
}
CUresult impl_cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D *p) {
    return set_copy(NULL, node, p);
}
CUresult impl_cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const CUDA_MEMCPY3D *p, CUcontext context) {
    (void)context;
    return exec ? set_copy(exec, node, p) : CUDA_ERROR_INVALID_VALUE;
}
CUresult impl_cuGraphAddMemsetNode(SPOT, const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context) {
    (void)context;
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    hipMemsetParams fill = fill_of(p);
    return impl_hipGraphAddMemsetNode(THERE, &fill);
}
static CUresult set_fill(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p) {
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    hipMemsetParams fill = fill_of(p);
    return exec ? impl_hipGraphExecMemsetNodeSetParams(EXEC, NODE, &fill)
                : impl_hipGraphMemsetNodeSetParams(NODE, &fill);
}
CUresult impl_cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS *p) {
    return set_fill(NULL, node, p);
}
CUresult impl_cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node,
                                             const CUDA_MEMSET_NODE_PARAMS *p, CUcontext context) {
    (void)context;
    return exec ? set_fill(exec, node, p) : CUDA_ERROR_INVALID_VALUE;
}

// --- Any node ---

static CUresult add_any(SPOT, CUgraphNodeParams *p) {
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return impl_cuGraphAddKernelNode_v2(node, graph, before, count, &p->kernel);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return impl_cuGraphAddMemcpyNode(node, graph, before, count, &p->memcpy.copyParams, NULL);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return impl_cuGraphAddMemsetNode(node, graph, before, count, &p->memset, NULL);
    case CU_GRAPH_NODE_TYPE_HOST:
        return impl_hipGraphAddHostNode(THERE, &p->host);
    case CU_GRAPH_NODE_TYPE_GRAPH:
        return impl_hipGraphAddChildGraphNode(THERE, (hipGraph_t)p->graph);
    case CU_GRAPH_NODE_TYPE_EMPTY:
        return impl_hipGraphAddEmptyNode(THERE);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return impl_hipGraphAddEventWaitNode(THERE, (hipEvent_t)p->event);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return impl_hipGraphAddEventRecordNode(THERE, (hipEvent_t)p->event);
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        return impl_hipGraphAddMemAllocNode(THERE, &p->alloc);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        return impl_hipGraphAddMemFreeNode(THERE, (void *)(uintptr_t)p->free);
    default:
        return standin_answer;
    }
}
CUresult impl_cuGraphAddNode(SPOT, CUgraphNodeParams *p) {
    return add_any(node, graph, before, count, p);
}
CUresult impl_cuGraphAddNode_v2(CUgraphNode *node, CUgraph graph, const CUgraphNode *before,
                                const CUgraphEdgeData *data, size_t count, CUgraphNodeParams *p) {
    (void)data;
    return add_any(node, graph, before, count, p);
}
static CUresult set_any(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *p) {
    if (!p)
        return CUDA_ERROR_INVALID_VALUE;
    switch (p->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return set_kernel(exec, node, &p->kernel, false);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return set_copy(exec, node, &p->memcpy.copyParams);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return set_fill(exec, node, &p->memset);
    default:
        return standin_answer;
    }
}
CUresult impl_cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams *p) {
    return set_any(NULL, node, p);
}
CUresult impl_cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams *p) {
    return exec ? set_any(exec, node, p) : CUDA_ERROR_INVALID_VALUE;
}

CUresult impl_cuGraphNodeGetType(CUgraphNode node, CUgraphNodeType *type) {
    hipGraphNodeType known = hipGraphNodeTypeKernel;
    CUresult result = type ? impl_hipGraphNodeGetType(NODE, &known) : CUDA_ERROR_INVALID_VALUE;
    if (!result)
        *type = known == hipGraphNodeTypeBatchMemOp ? CU_GRAPH_NODE_TYPE_BATCH_MEM_OP : (int)known;
    return result;
}
