// Every function of CUDA's driver that captures, makes, changes or launches graphs, called once.
#include "every.h"

enum { SET_DEPENDENCIES = 1 };
static CUgraph graph, child, other_child;
static CUevent event, other_event;
static const CUgraphEdgeData full[1];

static void nothing(void *of) { (void)of; }
static void launch_fill(CUstream where) {
    OK(cuLaunchKernel(fill, 1, 1, 1, 1, 1, 1, 0, where, of_fill, NULL));
}
static void launch(CUgraphExec exec) {
    OK(cuGraphLaunch(exec, stream));
    OK(cuStreamSynchronize(stream));
}

// What is captured begins in one stream and is asked for and changed on the way.
static void captures(void) {
    CUgraph made, known;
    CUgraphExec exec;
    CUgraphNode first, found;
    CUstreamCaptureStatus status;
    uint64_t id;
    const CUgraphNode *last;
    const CUgraphEdgeData *data;
    size_t count;
    OK(cuGraphCreate(&made, 0));
    OK(cuGraphAddEmptyNode(&first, made, NULL, 0));
    OK(cuStreamBeginCaptureToGraph(stream, made, &first, NULL, 1, 1));
    launch_fill(stream);
    OK(cuStreamGetCaptureInfo_v2(stream, &status, &id, &known, &last, &count));
    found = last[0];
    OK(cuStreamUpdateCaptureDependencies(stream, &first, 1, SET_DEPENDENCIES));
    launch_fill(stream);
    OK(cuStreamGetCaptureInfo_v3(stream, &status, &id, &known, &last, &data, &count));
    OK(cuStreamUpdateCaptureDependencies_v2(stream, &found, NULL, 1, 0));
    OK(cuStreamEndCapture(stream, &made));
    OK(cuGraphInstantiate(&exec, made, NULL, NULL, 0));
    launch(exec);
    OK(cuStreamBeginCapture(stream));
    launch_fill(stream);
    OK(cuStreamEndCapture(stream, &made));
    OK(cuGraphDestroy(made));
    OK(cuStreamBeginCapture_v2(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuStreamEndCapture(stream, &made));
    OK(cuGraphDestroy(made));
}

// The same in the thread's own stream.
static void own_captures(void) {
    CUgraph made, known;
    CUgraphExec exec;
    CUgraphNode first, found;
    CUstreamCaptureStatus status;
    uint64_t id;
    const CUgraphNode *last;
    const CUgraphEdgeData *data;
    size_t count;
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {0};
    OK(cuGraphCreate(&made, 0));
    OK(cuGraphAddEmptyNode(&first, made, NULL, 0));
    OK(cuStreamBeginCaptureToGraph_ptsz(NULL, made, &first, NULL, 1, 1));
    launch_fill(CU_STREAM_PER_THREAD);
    OK(cuStreamGetCaptureInfo_v2_ptsz(NULL, &status, &id, &known, &last, &count));
    found = last[0];
    OK(cuStreamUpdateCaptureDependencies_ptsz(NULL, &first, 1, SET_DEPENDENCIES));
    launch_fill(CU_STREAM_PER_THREAD);
    OK(cuStreamGetCaptureInfo_v3_ptsz(NULL, &status, &id, &known, &last, &data, &count));
    OK(cuStreamUpdateCaptureDependencies_v2_ptsz(NULL, &found, NULL, 1, 0));
    OK(cuStreamEndCapture_ptsz(NULL, &made));
    OK(cuGraphInstantiateWithParams_ptsz(&exec, made, &how));
    OK(cuGraphLaunch_ptsz(exec, NULL));
    OK(cuGraphExecDestroy(exec));
    OK(cuStreamBeginCapture_ptsz(NULL));
    OK(cuStreamEndCapture_ptsz(NULL, &made));
    OK(cuStreamBeginCapture_v2_ptsz(NULL, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
    OK(cuStreamEndCapture_ptsz(NULL, &made));
}

static CUDA_MEMCPY3D box_to(CUdeviceptr to) {
    return (CUDA_MEMCPY3D){.srcMemoryType = CU_MEMORYTYPE_HOST,
                           .srcHost = host,
                           .srcPitch = PITCH,
                           .dstMemoryType = CU_MEMORYTYPE_DEVICE,
                           .dstDevice = to,
                           .dstPitch = PITCH,
                           .WidthInBytes = WIDTH,
                           .Height = ROWS,
                           .Depth = 1};
}
static CUDA_MEMSET_NODE_PARAMS set_of(CUdeviceptr to) {
    return (CUDA_MEMSET_NODE_PARAMS){
        .dst = to, .value = 1, .elementSize = 4, .width = 16, .height = 1};
}
static CUDA_KERNEL_NODE_PARAMS kernel_of(CUfunction function, void **arguments) {
    return (CUDA_KERNEL_NODE_PARAMS){function, 1, 1, 1, 1, 1, 1, 0, arguments, NULL, NULL, NULL};
}

enum { OLD_KERNEL, KERNEL, BOX, SET, HOST, CHILD, RECORD, WAIT, ALLOC, FREE, ANY, ANY_2, NODES };
static CUgraphNode node[NODES];

static void nodes(void) {
    CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(fill, of_fill);
    CUDA_MEMCPY3D box = box_to(device);
    CUDA_MEMSET_NODE_PARAMS set = set_of(device);
    CUDA_HOST_NODE_PARAMS called = {nothing, NULL};
    CUDA_MEM_ALLOC_NODE_PARAMS memory = {.poolProps = {.allocType = 1, .location = {1, 0}},
                                         .bytesize = BYTES};
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = set_of(other)};
    CUgraphNode made;
    OK(cuGraphCreate(&child, 0));
    OK(cuGraphAddMemsetNode(&made, child, NULL, 0, &set, context));
    set = set_of(other);
    OK(cuGraphCreate(&other_child, 0));
    OK(cuGraphAddMemsetNode(&made, other_child, NULL, 0, &set, context));
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphAddKernelNode(&node[OLD_KERNEL], graph, NULL, 0, &kernel));
    OK(cuGraphAddKernelNode_v2(&node[KERNEL], graph, &node[OLD_KERNEL], 1, &kernel));
    OK(cuGraphAddMemcpyNode(&node[BOX], graph, &node[KERNEL], 1, &box, context));
    OK(cuGraphAddMemsetNode(&node[SET], graph, &node[BOX], 1, &set, context));
    OK(cuGraphAddHostNode(&node[HOST], graph, &node[SET], 1, &called));
    OK(cuGraphAddChildGraphNode(&node[CHILD], graph, &node[HOST], 1, child));
    OK(cuGraphAddEventRecordNode(&node[RECORD], graph, &node[CHILD], 1, event));
    OK(cuGraphAddEventWaitNode(&node[WAIT], graph, &node[RECORD], 1, event));
    OK(cuGraphAddMemAllocNode(&node[ALLOC], graph, &node[WAIT], 1, &memory));
    OK(cuGraphAddMemFreeNode(&node[FREE], graph, &node[ALLOC], 1,
                             (CUdeviceptr)(uintptr_t)memory.dptr));
    OK(cuGraphAddNode(&node[ANY], graph, NULL, 0, &any));
    OK(cuGraphAddNode_v2(&node[ANY_2], graph, NULL, NULL, 0, &any));
    OK(cuGraphAddDependencies(graph, &node[FREE], &node[ANY], 1));
    OK(cuGraphAddDependencies_v2(graph, &node[ANY], &node[ANY_2], full, 1));
    OK(cuGraphAddDependencies(graph, &node[FREE], &node[ANY_2], 1));
    OK(cuGraphRemoveDependencies(graph, &node[FREE], &node[ANY_2], 1));
    OK(cuGraphAddDependencies(graph, &node[FREE], &node[ANY_2], 1));
    OK(cuGraphRemoveDependencies_v2(graph, &node[FREE], &node[ANY_2], full, 1));
}

static void asked(void) {
    CUgraph clone, within;
    CUgraphNode found, many[NODES];
    size_t count = NODES;
    OK(cuGraphClone(&clone, graph));
    OK(cuGraphNodeFindInClone(&found, node[ANY_2], clone));
    OK(cuGraphDestroyNode(found));
    OK(cuGraphChildGraphNodeGetGraph(node[CHILD], &within));
    OK(cuGraphGetNodes(graph, many, &count));
    count = NODES;
    OK(cuGraphGetRootNodes(graph, many, &count));
    OK(cuGraphGetEdges(graph, NULL, NULL, &count));
    OK(cuGraphGetEdges_v2(graph, NULL, NULL, NULL, &count));
    OK(cuGraphDestroy(clone));
}

// The kernel reads then, and the others go from `device` to `other` or back.
static void changed_nodes(void) {
    CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(pass, of_pass);
    CUDA_MEMCPY3D box = box_to(other);
    CUDA_MEMSET_NODE_PARAMS set = set_of(device);
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = set_of(device)};
    OK(cuGraphKernelNodeSetParams(node[OLD_KERNEL], &kernel));
    OK(cuGraphKernelNodeSetParams_v2(node[KERNEL], &kernel));
    OK(cuGraphMemcpyNodeSetParams(node[BOX], &box));
    OK(cuGraphMemsetNodeSetParams(node[SET], &set));
    OK(cuGraphEventRecordNodeSetEvent(node[RECORD], other_event));
    OK(cuGraphEventWaitNodeSetEvent(node[WAIT], other_event));
    OK(cuGraphNodeSetParams(node[ANY], &any));
}

// And back.
static void changed_executable(CUgraphExec exec) {
    CUDA_KERNEL_NODE_PARAMS kernel = kernel_of(fill, of_fill);
    CUDA_MEMCPY3D box = box_to(device);
    CUDA_MEMSET_NODE_PARAMS set = set_of(other);
    CUgraphNodeParams any = {.type = CU_GRAPH_NODE_TYPE_MEMSET, .memset = set_of(other)};
    OK(cuGraphExecKernelNodeSetParams(exec, node[OLD_KERNEL], &kernel));
    OK(cuGraphExecKernelNodeSetParams_v2(exec, node[KERNEL], &kernel));
    OK(cuGraphExecMemcpyNodeSetParams(exec, node[BOX], &box, context));
    OK(cuGraphExecMemsetNodeSetParams(exec, node[SET], &set, context));
    OK(cuGraphExecEventRecordNodeSetEvent(exec, node[RECORD], event));
    OK(cuGraphExecEventWaitNodeSetEvent(exec, node[WAIT], event));
    OK(cuGraphExecChildGraphNodeSetParams(exec, node[CHILD], other_child));
    OK(cuGraphExecNodeSetParams(exec, node[ANY], &any));
    launch(exec);
    OK(cuGraphNodeSetEnabled(exec, node[SET], 0));
    launch(exec);
}

static void executables(void) {
    CUgraphExec exec, old, updated;
    CUDA_GRAPH_INSTANTIATE_PARAMS how = {0};
    CUgraphNode failed;
    CUgraphExecUpdateResult result;
    CUgraphExecUpdateResultInfo info;
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphInstantiate_v2(&old, graph, NULL, NULL, 0));
    OK(cuGraphInstantiateWithParams(&updated, graph, &how));
    launch(exec);
    changed_nodes();
    OK(cuGraphExecUpdate(old, graph, &failed, &result));
    launch(old);
    OK(cuGraphExecUpdate_v2(updated, graph, &info));
    launch(updated);
    changed_executable(updated);
}

// Nodes that the stand-in has not: it takes these calls and does nothing, so that they get handles
// here. What is launched is empty to it.
static void others(void) {
    enum { SIGNALS, WAITS, VALUES, OTHERS };
    static char handles[OTHERS];
    CUgraphNode made[OTHERS];
    CUdeviceptr word;
    OK(cuMemAlloc_v2(&word, 16));
    void *at = (void *)(uintptr_t)word;
    uint64_t far[18] = {7}, further[18] = {8}, *semaphores[] = {(uint64_t *)at + 1};
    const void *signals[] = {semaphores, far, (void *)1},
               *waits[] = {semaphores, further, (void *)1};
    CUstreamBatchMemOpParams write = {.writeValue = {hipStreamMemOpWriteValue32, at, {3}, 0, NULL}};
    CUstreamBatchMemOpParams rewrite = {
        .writeValue = {hipStreamMemOpWriteValue32, at, {4}, 0, NULL}};
    CUDA_BATCH_MEM_OP_NODE_PARAMS values = {context, 1, &write, 0},
                                  other_values = {context, 1, &rewrite, 0};
    CUgraph empty;
    CUgraphExec exec;
    for (unsigned i = 0; i < OTHERS; i++)
        made[i] = (CUgraphNode)&handles[i];
    OK(cuGraphCreate(&empty, 0));
    OK(cuGraphAddExternalSemaphoresSignalNode(&made[SIGNALS], empty, NULL, 0, (void *)signals));
    OK(cuGraphAddExternalSemaphoresWaitNode(&made[WAITS], empty, &made[SIGNALS], 1,
                                            (void *)signals));
    OK(cuGraphAddBatchMemOpNode(&made[VALUES], empty, NULL, 0, &values));
    OK(cuGraphInstantiateWithFlags(&exec, empty, 0));
    launch(exec);
    OK(cuGraphExternalSemaphoresSignalNodeSetParams(made[SIGNALS], (void *)waits));
    OK(cuGraphExternalSemaphoresWaitNodeSetParams(made[WAITS], (void *)waits));
    OK(cuGraphBatchMemOpNodeSetParams(made[VALUES], &other_values));
    OK(cuGraphInstantiateWithFlags(&exec, empty, 0));
    launch(exec);
    OK(cuGraphExecExternalSemaphoresSignalNodeSetParams(exec, made[SIGNALS], (void *)signals));
    OK(cuGraphExecExternalSemaphoresWaitNodeSetParams(exec, made[WAITS], (void *)signals));
    OK(cuGraphExecBatchMemOpNodeSetParams(exec, made[VALUES], &values));
    launch(exec);
}

int main(void) {
    begin();
    OK(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    OK(cuEventCreate(&other_event, CU_EVENT_DISABLE_TIMING));
    captures();
    own_captures();
    nodes();
    asked();
    executables();
    others();
    return 0;
}
