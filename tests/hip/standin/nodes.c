// Making nodes: what their parameters mean as work. Pointers and sizes are taken when the node is
// made, a kernel's arguments too; the bytes of copies are read at each launch.
#include "graph.h"
#include <stdlib.h>

hipError_t kernel_work(const hipKernelNodeParams *params, struct work *work) {
    if (!params || !params->func)
        return params ? hipErrorInvalidDeviceFunction : hipErrorInvalidValue;
    *work =
        (struct work){WORK_KERNEL, .launch = new_launch(params->func, params->gridDim,
                                                        params->blockDim, params->sharedMemBytes,
                                                        params->kernelParams, params->extra)};
    work_again(work);
    return hipSuccess;
}
hipError_t copy_work(const hipMemcpy3DParms *params, struct work *work) {
    *work = (struct work){.kind = WORK_COPY};
    return copy_of_3d(params, &work->copy);
}
hipError_t linear_work(void *dst, const void *src, size_t size, struct work *work) {
    *work = (struct work){WORK_COPY, .copy = linear_copy(dst, src, size)};
    return dst && src ? hipSuccess : hipErrorInvalidValue;
}
hipError_t fill_work(const hipMemsetParams *params, struct work *work) {
    if (!params || !params->dst)
        return hipErrorInvalidValue;
    unsigned element = params->elementSize;
    if (element != 1 && element != 2 && element != 4)
        return hipErrorInvalidValue;
    *work = (struct work){WORK_FILL,
                          .fill = {{params->dst, params->pitch, params->pitch * params->height},
                                   params->width,
                                   params->height ? params->height : 1,
                                   1,
                                   params->value,
                                   element}};
    return hipSuccess;
}
hipError_t host_work(const hipHostNodeParams *params, struct work *work) {
    if (!params || !params->fn)
        return hipErrorInvalidValue;
    *work = (struct work){WORK_HOST, .host = {params->fn, NULL, params->userData, NULL}};
    return hipSuccess;
}

// Where a node is to be: the first three arguments of every function that adds one.
struct spot {
    hipGraph_t graph;
    const hipGraphNode_t *before;
    size_t count;
};

static struct graph_node *add(hipGraphNode_t *out, struct spot spot, hipGraphNodeType type,
                              const struct work *work) {
    struct graph *graph = out ? graph_of(spot.graph) : NULL;
    if (!graph || (spot.count && !spot.before))
        return NULL;
    for (size_t i = 0; i < spot.count; i++) {
        struct graph_node *before = node_of(spot.before[i]);
        if (!before || before->graph != graph)
            return NULL;
    }
    struct graph_node *node = new_node(graph, type, work);
    for (size_t i = 0; i < spot.count; i++)
        nodes_add(&node->before, node_of(spot.before[i]));
    *out = (hipGraphNode_t)node;
    return node;
}

// Takes the lock, and ends the caller's use of the work.
static hipError_t add_work(hipGraphNode_t *out, struct spot spot, hipGraphNodeType type,
                           hipError_t error, struct work *work) {
    if (error)
        return fail(error);
    lock();
    struct graph_node *node = add(out, spot, type, work);
    if (work)
        work_over(work);
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}

hipError_t impl_hipGraphAddEmptyNode(hipGraphNode_t *out, hipGraph_t graph,
                                     const hipGraphNode_t *before, size_t count) {
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeEmpty, hipSuccess,
                    NULL);
}
hipError_t impl_hipGraphAddKernelNode(hipGraphNode_t *out, hipGraph_t graph,
                                      const hipGraphNode_t *before, size_t count,
                                      const hipKernelNodeParams *params) {
    struct work work;
    lock();
    hipError_t error = kernel_work(params, &work);
    unlock();
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeKernel, error, &work);
}
hipError_t impl_hipGraphAddMemcpyNode(hipGraphNode_t *out, hipGraph_t graph,
                                      const hipGraphNode_t *before, size_t count,
                                      const hipMemcpy3DParms *params) {
    struct work work;
    hipError_t error = copy_work(params, &work);
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeMemcpy, error, &work);
}
hipError_t impl_hipGraphAddMemcpyNode1D(hipGraphNode_t *out, hipGraph_t graph,
                                        const hipGraphNode_t *before, size_t count, void *dst,
                                        const void *src, size_t size, hipMemcpyKind kind) {
    (void)kind;
    struct work work;
    hipError_t error = linear_work(dst, src, size, &work);
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeMemcpy, error, &work);
}
hipError_t impl_hipGraphAddMemcpyNodeToSymbol(hipGraphNode_t *out, hipGraph_t graph,
                                              const hipGraphNode_t *before, size_t count,
                                              const void *symbol, const void *src, size_t size,
                                              size_t offset, hipMemcpyKind kind) {
    char *dst;
    hipError_t error = address_in_symbol(symbol, offset, size, &dst);
    return error ? fail(error)
                 : impl_hipGraphAddMemcpyNode1D(out, graph, before, count, dst, src, size, kind);
}
hipError_t impl_hipGraphAddMemcpyNodeFromSymbol(hipGraphNode_t *out, hipGraph_t graph,
                                                const hipGraphNode_t *before, size_t count,
                                                void *dst, const void *symbol, size_t size,
                                                size_t offset, hipMemcpyKind kind) {
    char *src;
    hipError_t error = address_in_symbol(symbol, offset, size, &src);
    return error ? fail(error)
                 : impl_hipGraphAddMemcpyNode1D(out, graph, before, count, dst, src, size, kind);
}
hipError_t impl_hipGraphAddMemsetNode(hipGraphNode_t *out, hipGraph_t graph,
                                      const hipGraphNode_t *before, size_t count,
                                      const hipMemsetParams *params) {
    struct work work;
    hipError_t error = fill_work(params, &work);
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeMemset, error, &work);
}
hipError_t impl_hipGraphAddHostNode(hipGraphNode_t *out, hipGraph_t graph,
                                    const hipGraphNode_t *before, size_t count,
                                    const hipHostNodeParams *params) {
    struct work work;
    hipError_t error = host_work(params, &work);
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeHost, error, &work);
}
hipError_t impl_hipDrvGraphAddMemcpyNode(hipGraphNode_t *out, hipGraph_t graph,
                                         const hipGraphNode_t *before, size_t count,
                                         const HIP_MEMCPY3D *params, hipCtx_t context) {
    (void)context;
    struct work work = {.kind = WORK_COPY};
    hipError_t error = copy_of_driver_3d(params, &work.copy);
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeMemcpy, error, &work);
}
hipError_t impl_hipDrvGraphAddMemsetNode(hipGraphNode_t *out, hipGraph_t graph,
                                         const hipGraphNode_t *before, size_t count,
                                         const hipMemsetParams *params, hipCtx_t context) {
    (void)context;
    return impl_hipGraphAddMemsetNode(out, graph, before, count, params);
}

static hipError_t add_event(hipGraphNode_t *out, struct spot spot, hipGraphNodeType type,
                            hipEvent_t event) {
    lock();
    struct graph_node *node = event ? add(out, spot, type, NULL) : NULL;
    if (node)
        node->event = event;
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}
hipError_t impl_hipGraphAddEventRecordNode(hipGraphNode_t *out, hipGraph_t graph,
                                           const hipGraphNode_t *before, size_t count,
                                           hipEvent_t event) {
    return add_event(out, (struct spot){graph, before, count}, hipGraphNodeTypeEventRecord, event);
}
hipError_t impl_hipGraphAddEventWaitNode(hipGraphNode_t *out, hipGraph_t graph,
                                         const hipGraphNode_t *before, size_t count,
                                         hipEvent_t event) {
    return add_event(out, (struct spot){graph, before, count}, hipGraphNodeTypeWaitEvent, event);
}

hipError_t impl_hipGraphAddChildGraphNode(hipGraphNode_t *out, hipGraph_t graph,
                                          const hipGraphNode_t *before, size_t count,
                                          hipGraph_t child) {
    lock();
    struct graph *inner = graph_of(child);
    struct graph_node *node =
        inner ? add(out, (struct spot){graph, before, count}, hipGraphNodeTypeGraph, NULL) : NULL;
    if (node) {
        node->child = graph_copy(inner);
        node->child->inner = true;
    }
    unlock();
    return node ? hipSuccess : fail(hipErrorInvalidValue);
}

// The memory is there from now on and until the graph goes; the nodes only stand in the order.
hipError_t impl_hipGraphAddMemAllocNode(hipGraphNode_t *out, hipGraph_t graph,
                                        const hipGraphNode_t *before, size_t count,
                                        hipMemAllocNodeParams *params) {
    if (!params || !params->bytesize || !is_device_ordinal(params->poolProps.location.id))
        return fail(hipErrorInvalidValue);
    lock();
    struct spot spot = {graph, before, count};
    struct graph_node *node = add(out, spot, hipGraphNodeTypeMemAlloc, NULL);
    if (node) {
        int device = params->poolProps.location.id;
        node->memory = new_memory(params->bytesize, hipMemoryTypeDevice, device, 0);
        params->dptr = node->memory ? node->memory->base : NULL;
        if (node->memory)
            node->memory->of_graph = true;
    }
    bool made = node && node->memory;
    unlock();
    return made ? hipSuccess : fail(node ? hipErrorOutOfMemory : hipErrorInvalidValue);
}
hipError_t impl_hipGraphAddMemFreeNode(hipGraphNode_t *out, hipGraph_t graph,
                                       const hipGraphNode_t *before, size_t count, void *address) {
    if (!address)
        return fail(hipErrorInvalidValue);
    return add_work(out, (struct spot){graph, before, count}, hipGraphNodeTypeMemFree, hipSuccess,
                    NULL);
}
