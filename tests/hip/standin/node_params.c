// Parameters of nodes, asked for and changed: in a graph, or in an executable made of it, where a
// change holds from the next launch on (but see work.h's host functions, which are read when run).
#include "graph.h"

// The executable's copy of a node of the graph that it was made of.
static struct graph_node *copy_in(hipGraphExec_t handle, hipGraphNode_t node) {
    struct graph_exec *exec = (struct graph_exec *)handle;
    const struct nodes *nodes = exec ? &exec->graph->nodes : NULL;
    for (int i = nodes ? nodes->count : 0; i--;)
        if (nodes->list[i]->origin == (struct graph_node *)node)
            return nodes->list[i];
    return NULL;
}

// Takes the lock, and ends the caller's use of the work.
static hipError_t change(hipGraphExec_t exec, hipGraphNode_t handle, hipGraphNodeType type,
                         hipError_t error, struct work *work) {
    if (error)
        return fail(error);
    lock();
    struct graph_node *node = exec ? copy_in(exec, handle) : node_of(handle);
    bool fit = node && node->type == type;
    if (fit) {
        work_over(&node->work);
        node->work = work_again(work);
    }
    work_over(work);
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}

static hipError_t set_kernel(hipGraphExec_t exec, hipGraphNode_t node,
                             const hipKernelNodeParams *params) {
    struct work work;
    lock();
    hipError_t error = kernel_work(params, &work);
    unlock();
    return change(exec, node, hipGraphNodeTypeKernel, error, &work);
}
hipError_t impl_hipGraphKernelNodeSetParams(hipGraphNode_t node,
                                            const hipKernelNodeParams *params) {
    return set_kernel(NULL, node, params);
}
hipError_t impl_hipGraphExecKernelNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                const hipKernelNodeParams *params) {
    return exec ? set_kernel(exec, node, params) : fail(hipErrorInvalidValue);
}

static hipError_t set_copy(hipGraphExec_t exec, hipGraphNode_t node,
                           const hipMemcpy3DParms *params) {
    struct work work;
    hipError_t error = copy_work(params, &work);
    return change(exec, node, hipGraphNodeTypeMemcpy, error, &work);
}
hipError_t impl_hipGraphMemcpyNodeSetParams(hipGraphNode_t node, const hipMemcpy3DParms *params) {
    return set_copy(NULL, node, params);
}
hipError_t impl_hipGraphExecMemcpyNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                hipMemcpy3DParms *params) {
    return exec ? set_copy(exec, node, params) : fail(hipErrorInvalidValue);
}

static hipError_t set_linear(hipGraphExec_t exec, hipGraphNode_t node, void *dst, const void *src,
                             size_t size) {
    struct work work;
    hipError_t error = linear_work(dst, src, size, &work);
    return change(exec, node, hipGraphNodeTypeMemcpy, error, &work);
}
hipError_t impl_hipGraphMemcpyNodeSetParams1D(hipGraphNode_t node, void *dst, const void *src,
                                              size_t size, hipMemcpyKind kind) {
    (void)kind;
    return set_linear(NULL, node, dst, src, size);
}
hipError_t impl_hipGraphExecMemcpyNodeSetParams1D(hipGraphExec_t exec, hipGraphNode_t node,
                                                  void *dst, const void *src, size_t size,
                                                  hipMemcpyKind kind) {
    (void)kind;
    return exec ? set_linear(exec, node, dst, src, size) : fail(hipErrorInvalidValue);
}

static hipError_t set_fill(hipGraphExec_t exec, hipGraphNode_t node,
                           const hipMemsetParams *params) {
    struct work work;
    hipError_t error = fill_work(params, &work);
    return change(exec, node, hipGraphNodeTypeMemset, error, &work);
}
hipError_t impl_hipGraphMemsetNodeSetParams(hipGraphNode_t node, const hipMemsetParams *params) {
    return set_fill(NULL, node, params);
}
hipError_t impl_hipGraphExecMemsetNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                                const hipMemsetParams *params) {
    return exec ? set_fill(exec, node, params) : fail(hipErrorInvalidValue);
}

static hipError_t set_host(hipGraphExec_t exec, hipGraphNode_t node,
                           const hipHostNodeParams *params) {
    struct work work;
    hipError_t error = host_work(params, &work);
    return change(exec, node, hipGraphNodeTypeHost, error, &work);
}
hipError_t impl_hipGraphHostNodeSetParams(hipGraphNode_t node, const hipHostNodeParams *params) {
    return set_host(NULL, node, params);
}
hipError_t impl_hipGraphExecHostNodeSetParams(hipGraphExec_t exec, hipGraphNode_t node,
                                              const hipHostNodeParams *params) {
    return exec ? set_host(exec, node, params) : fail(hipErrorInvalidValue);
}

static hipError_t set_event(hipGraphExec_t exec, hipGraphNode_t handle, hipGraphNodeType type,
                            hipEvent_t event) {
    lock();
    struct graph_node *node = exec ? copy_in(exec, handle) : node_of(handle);
    bool fit = event && node && node->type == type;
    if (fit)
        node->event = event;
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipGraphEventRecordNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
    return set_event(NULL, node, hipGraphNodeTypeEventRecord, event);
}
hipError_t impl_hipGraphEventWaitNodeSetEvent(hipGraphNode_t node, hipEvent_t event) {
    return set_event(NULL, node, hipGraphNodeTypeWaitEvent, event);
}
hipError_t impl_hipGraphExecEventRecordNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                                    hipEvent_t event) {
    return set_event(exec, node, hipGraphNodeTypeEventRecord, exec ? event : NULL);
}
hipError_t impl_hipGraphExecEventWaitNodeSetEvent(hipGraphExec_t exec, hipGraphNode_t node,
                                                  hipEvent_t event) {
    return set_event(exec, node, hipGraphNodeTypeWaitEvent, exec ? event : NULL);
}

hipError_t impl_hipGraphNodeSetEnabled(hipGraphExec_t exec, hipGraphNode_t handle,
                                       unsigned enabled) {
    lock();
    struct graph_node *node = copy_in(exec, handle);
    if (node)
        node->disabled = !enabled;
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipGraphNodeGetEnabled(hipGraphExec_t exec, hipGraphNode_t handle,
                                       unsigned *enabled) {
    lock();
    struct graph_node *node = enabled ? copy_in(exec, handle) : NULL;
    if (node)
        *enabled = !node->disabled;
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}

// --- Asked for ---

static const struct work *work_of(hipGraphNode_t handle, hipGraphNodeType type, const void *out) {
    struct graph_node *node = out ? node_of(handle) : NULL;
    return node && node->type == type ? &node->work : NULL;
}

hipError_t impl_hipGraphKernelNodeGetParams(hipGraphNode_t node, hipKernelNodeParams *params) {
    lock();
    const struct work *work = work_of(node, hipGraphNodeTypeKernel, params);
    if (work) {
        struct launch *launch = work->launch;
        *params = (hipKernelNodeParams){launch->block,
                                        NULL,
                                        (void *)launch->function,
                                        launch->grid,
                                        launch->count ? launch->arguments : NULL,
                                        launch->shared};
    }
    unlock();
    return work ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphMemcpyNodeGetParams(hipGraphNode_t node, hipMemcpy3DParms *params) {
    lock();
    const struct work *work = work_of(node, hipGraphNodeTypeMemcpy, params);
    if (work) {
        const struct copy *copy = &work->copy;
        *params = (hipMemcpy3DParms){
            .srcPtr = {copy->src.base, copy->src.pitch, copy->width, copy->height},
            .dstPtr = {copy->dst.base, copy->dst.pitch, copy->width, copy->height},
            .extent = {copy->width, copy->height, copy->depth},
            .kind = hipMemcpyDefault,
        };
    }
    unlock();
    return work ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphMemsetNodeGetParams(hipGraphNode_t node, hipMemsetParams *params) {
    lock();
    const struct work *work = work_of(node, hipGraphNodeTypeMemset, params);
    if (work) {
        const struct fill *fill = &work->fill;
        *params = (hipMemsetParams){fill->dst.base,  fill->element, fill->height,
                                    fill->dst.pitch, fill->value,   fill->width};
    }
    unlock();
    return work ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphHostNodeGetParams(hipGraphNode_t node, hipHostNodeParams *params) {
    lock();
    const struct work *work = work_of(node, hipGraphNodeTypeHost, params);
    if (work)
        *params = (hipHostNodeParams){work->host.function, work->host.data};
    unlock();
    return work ? hipSuccess : fail(hipErrorInvalidValue);
}

static hipError_t get_event(hipGraphNode_t handle, hipGraphNodeType type, hipEvent_t *event) {
    lock();
    struct graph_node *node = event ? node_of(handle) : NULL;
    bool fit = node && node->type == type;
    if (fit)
        *event = node->event;
    unlock();
    return fit ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipGraphEventRecordNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
    return get_event(node, hipGraphNodeTypeEventRecord, event);
}
hipError_t impl_hipGraphEventWaitNodeGetEvent(hipGraphNode_t node, hipEvent_t *event) {
    return get_event(node, hipGraphNodeTypeWaitEvent, event);
}
