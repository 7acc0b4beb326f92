// Every function of HIP that captures, makes, changes or launches graphs, called once.
#include "kernels_code.h"
#include "program.h"

enum { WIDTH = 16, PITCH = 64, ROWS = 4 };
static hipStream_t stream;
static uint32_t *host, *a, *b, value = 1;
static char symbol[WORDS];
static void *of_a[] = {&a, &value}, *of_b[] = {&b, &value};
static const dim3 one = {1, 1, 1};
static hipMemcpyKind up = hipMemcpyHostToDevice, down = hipMemcpyDeviceToHost;

static const struct {
    uint32_t magic, version;
    const void *binary;
    void *unused;
} wrapper = {0x48495046, 1, code_object, NULL};
static void stub(void) { __asm__ volatile("" ::"r"(__func__)); }
static void nothing(void *of) { (void)of; }

static void captures(void) {
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t first, found;
    hipStreamCaptureStatus status;
    unsigned long long id;
    const hipGraphNode_t *last;
    size_t count;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddEmptyNode(&first, graph, NULL, 0));
    OK(hipStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1,
                                    hipStreamCaptureModeThreadLocal));
    fill(stream, a, 1);
    OK(hipStreamGetCaptureInfo_v2(stream, &status, &id, &graph, &last, &count));
    found = last[0];
    OK(hipStreamUpdateCaptureDependencies(stream, &first, 1, hipStreamSetCaptureDependencies));
    fill(stream, b, 1);
    OK(hipStreamUpdateCaptureDependencies(stream, &found, 1, hipStreamAddCaptureDependencies));
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphLaunch(exec, stream));
    OK(hipStreamBeginCapture(stream, hipStreamCaptureModeThreadLocal));
    fill(stream, a, 1);
    OK(hipStreamEndCapture(stream, &graph));
    OK(hipGraphDestroy(graph));
    OK(hipStreamBeginCapture_spt(NULL, hipStreamCaptureModeThreadLocal));
    fill(hipStreamPerThread, a, 1);
    OK(hipStreamGetCaptureInfo_v2_spt(NULL, &status, &id, &graph, &last, &count));
    OK(hipStreamEndCapture_spt(NULL, &graph));
    OK(hipGraphInstantiateWithFlags(&exec, graph, 0));
    OK(hipGraphLaunch_spt(exec, NULL));
    OK(hipGraphExecDestroy(exec));
}

static hipMemcpy3DParms box_to(void *to) {
    return (hipMemcpy3DParms){.srcPtr = {host, PITCH, PITCH, ROWS},
                              .dstPtr = {to, PITCH, PITCH, ROWS},
                              .extent = {WIDTH, ROWS, 1},
                              .kind = hipMemcpyHostToDevice};
}
static HIP_MEMCPY3D drivers_to(void *to) {
    return (HIP_MEMCPY3D){.srcMemoryType = hipMemoryTypeHost,
                          .srcHost = host,
                          .srcPitch = PITCH,
                          .dstMemoryType = hipMemoryTypeDevice,
                          .dstDevice = to,
                          .dstPitch = PITCH,
                          .WidthInBytes = WIDTH,
                          .Height = ROWS,
                          .Depth = 1};
}
static hipMemsetParams set_of(void *to) { return (hipMemsetParams){to, 4, 1, 0, 1, WIDTH}; }
static hipKernelNodeParams kernel_on(void **arguments) {
    return (hipKernelNodeParams){one, NULL, (void *)stub, one, arguments, 0};
}

enum {
    KERNEL,
    BOX,
    LINE,
    TO,
    FROM,
    SET,
    HOST,
    CHILD,
    RECORD,
    WAIT,
    ALLOC,
    FREE,
    DRIVERS_BOX,
    DRIVERS_SET,
    NODES
};
static hipGraphNode_t node[NODES];
static hipGraph_t graph, child, other_child;
static hipEvent_t event, other_event;

static void launch(hipGraphExec_t exec) {
    OK(hipGraphLaunch(exec, stream));
    drain(stream);
}

static void nodes(void) {
    hipKernelNodeParams kernel = kernel_on(of_a);
    hipMemcpy3DParms box = box_to(a);
    HIP_MEMCPY3D drivers = drivers_to(a);
    hipMemsetParams set = set_of(a);
    hipHostNodeParams called = {nothing, NULL};
    hipMemAllocNodeParams memory = {.poolProps = {.allocType = 1, .location = {1, 0}},
                                    .bytesize = BYTES};
    hipGraphNode_t made;
    hipCtx_t context;
    OK(hipDevicePrimaryCtxRetain(&context, 0));
    OK(hipGraphCreate(&child, 0));
    OK(hipGraphAddMemsetNode(&made, child, NULL, 0, &set));
    set = set_of(b);
    OK(hipGraphCreate(&other_child, 0));
    OK(hipGraphAddMemsetNode(&made, other_child, NULL, 0, &set));
    set = set_of(a);
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddKernelNode(&node[KERNEL], graph, NULL, 0, &kernel));
    OK(hipGraphAddMemcpyNode(&node[BOX], graph, &node[KERNEL], 1, &box));
    OK(hipGraphAddMemcpyNode1D(&node[LINE], graph, &node[BOX], 1, a, host, WIDTH, up));
    OK(hipGraphAddMemcpyNodeToSymbol(&node[TO], graph, &node[LINE], 1, symbol, host, WIDTH, 8, up));
    OK(hipGraphAddMemcpyNodeFromSymbol(&node[FROM], graph, &node[TO], 1, host, symbol, WIDTH, 8,
                                       down));
    OK(hipGraphAddMemsetNode(&node[SET], graph, &node[FROM], 1, &set));
    OK(hipGraphAddHostNode(&node[HOST], graph, &node[SET], 1, &called));
    OK(hipGraphAddChildGraphNode(&node[CHILD], graph, &node[HOST], 1, child));
    OK(hipGraphAddEventRecordNode(&node[RECORD], graph, &node[CHILD], 1, event));
    OK(hipGraphAddEventWaitNode(&node[WAIT], graph, &node[RECORD], 1, event));
    OK(hipGraphAddMemAllocNode(&node[ALLOC], graph, &node[WAIT], 1, &memory));
    OK(hipGraphAddMemFreeNode(&node[FREE], graph, &node[ALLOC], 1, memory.dptr));
    OK(hipDrvGraphAddMemcpyNode(&node[DRIVERS_BOX], graph, &node[FREE], 1, &drivers, context));
    OK(hipDrvGraphAddMemsetNode(&node[DRIVERS_SET], graph, NULL, 0, &set, context));
    OK(hipGraphAddDependencies(graph, &node[DRIVERS_BOX], &node[DRIVERS_SET], 1));
    OK(hipGraphRemoveDependencies(graph, &node[DRIVERS_BOX], &node[DRIVERS_SET], 1));
}

static void asked(void) {
    hipGraph_t clone, within;
    hipGraphNode_t found, many[NODES];
    size_t count = NODES;
    OK(hipGraphClone(&clone, graph));
    OK(hipGraphNodeFindInClone(&found, node[DRIVERS_SET], clone));
    OK(hipGraphDestroyNode(found));
    OK(hipGraphChildGraphNodeGetGraph(node[CHILD], &within));
    OK(hipGraphGetNodes(graph, many, &count));
    count = NODES;
    OK(hipGraphGetRootNodes(graph, many, &count));
    OK(hipGraphGetEdges(graph, NULL, NULL, &count));
    OK(hipGraphDestroy(clone));
}

// From `a` to `b`.
static void changed_nodes(void) {
    hipKernelNodeParams kernel = kernel_on(of_b);
    hipMemcpy3DParms box = box_to(b);
    HIP_MEMCPY3D drivers = drivers_to(b);
    hipMemsetParams set = set_of(b);
    OK(hipGraphKernelNodeSetParams(node[KERNEL], &kernel));
    OK(hipGraphMemcpyNodeSetParams(node[BOX], &box));
    OK(hipGraphMemcpyNodeSetParams1D(node[LINE], b, host, WIDTH, up));
    OK(hipGraphMemcpyNodeSetParamsToSymbol(node[TO], symbol, host, WIDTH, 16, up));
    OK(hipGraphMemcpyNodeSetParamsFromSymbol(node[FROM], host, symbol, WIDTH, 16, down));
    OK(hipGraphMemsetNodeSetParams(node[SET], &set));
    OK(hipGraphEventRecordNodeSetEvent(node[RECORD], other_event));
    OK(hipGraphEventWaitNodeSetEvent(node[WAIT], other_event));
    OK(hipDrvGraphMemcpyNodeSetParams(node[DRIVERS_BOX], &drivers));
}

// And back.
static void changed_executable(hipGraphExec_t exec) {
    hipKernelNodeParams kernel = kernel_on(of_a);
    hipMemcpy3DParms box = box_to(a);
    HIP_MEMCPY3D drivers = drivers_to(a);
    hipMemsetParams set = set_of(a);
    OK(hipGraphExecKernelNodeSetParams(exec, node[KERNEL], &kernel));
    OK(hipGraphExecMemcpyNodeSetParams(exec, node[BOX], &box));
    OK(hipGraphExecMemcpyNodeSetParams1D(exec, node[LINE], a, host, WIDTH, up));
    OK(hipGraphExecMemcpyNodeSetParamsToSymbol(exec, node[TO], symbol, host, WIDTH, 8, up));
    OK(hipGraphExecMemcpyNodeSetParamsFromSymbol(exec, node[FROM], host, symbol, WIDTH, 8, down));
    OK(hipGraphExecMemsetNodeSetParams(exec, node[SET], &set));
    OK(hipGraphExecEventRecordNodeSetEvent(exec, node[RECORD], event));
    OK(hipGraphExecEventWaitNodeSetEvent(exec, node[WAIT], event));
    OK(hipGraphExecChildGraphNodeSetParams(exec, node[CHILD], other_child));
    OK(hipDrvGraphExecMemcpyNodeSetParams(exec, node[DRIVERS_BOX], &drivers, NULL));
    set = set_of(b);
    OK(hipDrvGraphExecMemsetNodeSetParams(exec, node[DRIVERS_SET], &set, NULL));
    launch(exec);
    OK(hipGraphNodeSetEnabled(exec, node[LINE], 0));
    launch(exec);
}

static void executables(void) {
    hipGraphExec_t exec, updated;
    hipGraphInstantiateParams how = {0};
    hipGraphNode_t failed;
    hipGraphExecUpdateResult result;
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphInstantiateWithParams(&updated, graph, &how));
    launch(exec);
    changed_nodes();
    OK(hipGraphExecUpdate(updated, graph, &failed, &result));
    launch(updated);
    changed_executable(updated);
}

// Nodes that the stand-in has not: it takes these calls and does nothing, so that they get handles
// here. What is launched is empty to it.
static void others(void) {
    enum { SIGNALS, WAITS, VALUES, FREES, ANY_SET, ANY_CHILD, ANY_SIGNAL, OTHERS };
    static char handles[OTHERS];
    hipGraphNode_t made[OTHERS];
    void *memory;
    OK(hipExtMallocWithFlags(&memory, 16, hipMallocSignalMemory));
    uint64_t *word = memory, far[18] = {7}, further[18] = {8}, *semaphores[] = {word + 1};
    const void *signals[] = {semaphores, far, (void *)1},
               *waits[] = {semaphores, further, (void *)1};
    hipStreamBatchMemOpParams write = {
        .writeValue = {hipStreamMemOpWriteValue32, word, {3}, 0, NULL}};
    hipStreamBatchMemOpParams rewrite = {
        .writeValue = {hipStreamMemOpWriteValue32, word, {4}, 0, NULL}};
    struct {
        void *context;
        unsigned count;
        void *values;
        unsigned flags;
    } values = {NULL, 1, &write, 0}, others_values = {NULL, 1, &rewrite, 0};
    struct any {
        int type, spare[3];
        union {
            long long room[29];
            hipMemsetParams set;
            hipGraph_t graph;
            const void *semaphores[3];
        };
        long long more;
    } set = {.type = hipGraphNodeTypeMemset, .set = set_of(a)},
      within = {.type = hipGraphNodeTypeGraph, .graph = child},
      signal = {.type = 8, .semaphores = {semaphores, far, (void *)1}};
    hipGraph_t empty;
    hipGraphExec_t exec;
    void *gone;
    OK(hipMallocAsync(&gone, BYTES, stream));
    for (unsigned i = 0; i < OTHERS; i++)
        made[i] = (hipGraphNode_t)&handles[i];
    OK(hipGraphCreate(&empty, 0));
    OK(hipGraphAddExternalSemaphoresSignalNode(&made[SIGNALS], empty, NULL, 0, (void *)signals));
    OK(hipGraphAddExternalSemaphoresWaitNode(&made[WAITS], empty, &made[SIGNALS], 1,
                                             (void *)signals));
    OK(hipGraphAddBatchMemOpNode(&made[VALUES], empty, NULL, 0, (void *)&values));
    OK(hipDrvGraphAddMemFreeNode(&made[FREES], empty, NULL, 0, gone));
    OK(hipGraphAddNode(&made[ANY_SET], empty, NULL, 0, (void *)&set));
    OK(hipGraphAddNode(&made[ANY_CHILD], empty, &made[ANY_SET], 1, (void *)&within));
    OK(hipGraphAddNode(&made[ANY_SIGNAL], empty, &made[ANY_CHILD], 1, (void *)&signal));
    OK(hipGraphInstantiate(&exec, empty, NULL, NULL, 0));
    launch(exec);
    OK(hipGraphExternalSemaphoresSignalNodeSetParams(made[SIGNALS], (void *)waits));
    OK(hipGraphExternalSemaphoresWaitNodeSetParams(made[WAITS], (void *)waits));
    OK(hipGraphBatchMemOpNodeSetParams(made[VALUES], (void *)&others_values));
    set.set = set_of(b);
    OK(hipGraphNodeSetParams(made[ANY_SET], (void *)&set));
    within.graph = other_child;
    OK(hipGraphNodeSetParams(made[ANY_CHILD], (void *)&within));
    OK(hipGraphInstantiate(&exec, empty, NULL, NULL, 0));
    launch(exec);
    OK(hipGraphExecExternalSemaphoresSignalNodeSetParams(exec, made[SIGNALS], (void *)signals));
    OK(hipGraphExecExternalSemaphoresWaitNodeSetParams(exec, made[WAITS], (void *)signals));
    OK(hipGraphExecBatchMemOpNodeSetParams(exec, made[VALUES], (void *)&values));
    set.set = set_of(a);
    OK(hipGraphExecNodeSetParams(exec, made[ANY_SET], (void *)&set));
    launch(exec);
}

int main(void) {
    stream = new_stream();
    event = new_event();
    other_event = new_event();
    host = pinned_words(WORDS);
    a = device_words(WORDS);
    b = device_words(WORDS);
    set_words(host, 1);
    __hipRegisterVar(NULL, symbol, "symbol", "symbol", 0, sizeof symbol, 0, 0);
    void **modules = __hipRegisterFatBinary(&wrapper);
    __hipRegisterFunction(modules, (const void *)stub, "fill", "fill", ~0u, NULL, NULL, NULL, NULL,
                          NULL);
    captures();
    nodes();
    asked();
    executables();
    others();
    return 0;
}
