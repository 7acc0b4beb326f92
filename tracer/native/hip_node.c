// What the nodes of HIP's graphs do, from the structs that describe them (HIP 7.1; the same since
// 5.0 but for what hip_node_any reads).
#include "api_executable.h"
#include "api_graph_handles.h"
#include "api_kernel.h"
#include "api_values.h"
#include "hip_calls.h"
#include "hip_graph.h"

struct kernel_node {
    struct hip_dim3 block;
    void **extra;
    const void *function;
    struct hip_dim3 grid;
    void **arguments;
    unsigned shared;
};

struct memset_node {
    char *to;
    unsigned element;
    size_t height, pitch;
    unsigned value;
    size_t width; // in elements
};

struct alloc_node {
    char pool[88];
    const void *access;
    size_t accesses, size;
    void *memory;
};

struct values_node {
    void *context;
    unsigned count;
    const void *values;
    unsigned flags;
};

// Of all types; those known have these numbers.
struct any_node {
    int type;
    int spare[3];
    union {
        struct kernel_node kernel;
        struct {
            int spare[4];
            char copy[160];
        } copy;
        struct memset_node set;
        struct alloc_node alloc;
        void *object; // a graph, an event, memory that is freed; the first of semaphores
    };
};
enum any_type {
    ANY_KERNEL,
    ANY_COPY,
    ANY_SET,
    ANY_HOST,
    ANY_GRAPH,
    ANY_EMPTY,
    ANY_WAIT,
    ANY_RECORD,
    ANY_SIGNAL,
    ANY_SEMAPHORE_WAIT,
    ANY_ALLOC,
    ANY_FREE,
};

void hip_node_plain(struct api_call *call, enum kind kind) {
    api_on_stream(call, API_NO_STREAM);
    call->op.record.kind = (uint8_t)kind;
}

void hip_node_kernel(struct api_call *call, const void *parameters) {
    const struct kernel_node *node = parameters;
    hip_node_plain(call, KIND_KERNEL);
    if (!node)
        return;
    if (kernel_of_stub(node->function))
        hip_launches(call, node->function, node->arguments, API_NO_STREAM);
    else
        hip_launches_function(call, node->function, node->arguments, node->extra, API_NO_STREAM);
}

void hip_node_copy(struct api_call *call, void *to, const void *from, size_t size) {
    hip_copy(call, to, from, size, API_NO_STREAM, API_ASYNC);
}

void hip_node_copy_3d(struct api_call *call, const void *parameters) {
    hip_copy_3d(call, parameters, API_NO_STREAM, API_ASYNC);
}

void hip_node_copy_drv_3d(struct api_call *call, const void *parameters) {
    hip_copy_drv_3d(call, parameters, API_NO_STREAM, API_ASYNC);
}

void hip_node_to_symbol(struct api_call *call, const void *symbol, size_t offset, const void *from,
                        size_t size) {
    hip_copy_to_symbol(call, symbol, offset, from, size, API_NO_STREAM, API_ASYNC);
}

void hip_node_from_symbol(struct api_call *call, void *to, const void *symbol, size_t offset,
                          size_t size) {
    hip_copy_from_symbol(call, to, symbol, offset, size, API_NO_STREAM, API_ASYNC);
}

void hip_node_set(struct api_call *call, const void *parameters) {
    const struct memset_node *node = parameters;
    hip_node_plain(call, KIND_MEMSET_ASYNC);
    if (node)
        hip_set_2d(call, node->to, node->pitch, node->width * node->element, node->height,
                   API_NO_STREAM, API_ASYNC);
}

void hip_node_event(struct api_call *call, enum kind kind, void *event) {
    hip_node_plain(call, kind);
    api_on_event(call, event);
    call->op.record.flags |= FLAG_EXTERNAL;
    api_orders(call, &(struct api_order){.kind = (uint8_t)kind, .object = event});
}

void hip_node_values(struct api_call *call, const void *parameters) {
    const struct values_node *node = parameters;
    hip_node_plain(call, KIND_VALUE_WRITE);
    for (unsigned i = 0; node && i < node->count; i++)
        hip_value_op(call, node->values, i);
}

void hip_node_frees(struct api_call *call, void *memory) {
    hip_node_plain(call, KIND_FREE_ASYNC);
    api_frees(call, memory);
}

void hip_node_allocated(struct api_call *call, const void *parameters) {
    const struct alloc_node *node = parameters;
    hip_node_plain(call, KIND_ALLOC_ASYNC);
    if (node)
        api_pool_allocated(call, node->memory, node->size);
}

void hip_node_any(struct api_call *call, const void *parameters) {
    const struct any_node *node = parameters;
    switch (node ? node->type : -1) {
    case ANY_KERNEL:
        hip_node_kernel(call, &node->kernel);
        return;
    case ANY_COPY:
        hip_node_copy_3d(call, &node->copy.copy);
        return;
    case ANY_SET:
        hip_node_set(call, &node->set);
        return;
    case ANY_HOST:
        hip_node_plain(call, KIND_HOST_FUNC);
        return;
    case ANY_GRAPH:
        hip_node_plain(call, KIND_GRAPH_LAUNCH);
        return;
    case ANY_WAIT:
    case ANY_RECORD:
        hip_node_event(call, node->type == ANY_WAIT ? KIND_EVENT_WAIT : KIND_EVENT_RECORD,
                       node->object);
        return;
    case ANY_SIGNAL:
    case ANY_SEMAPHORE_WAIT:
        hip_node_semaphores(call, node->type == ANY_SIGNAL ? KIND_VALUE_WRITE : KIND_VALUE_WAIT,
                            &node->object);
        return;
    case ANY_FREE:
        hip_node_frees(call, node->object);
        return;
    default: // memory is there only after the call; the rest is not known
        hip_node_plain(call, KIND_NONE);
        call->unread = node && node->type != ANY_EMPTY;
    }
}

static const void *child_of(const struct any_node *node) {
    return node && node->type == ANY_GRAPH ? node->object : NULL;
}

static void added(struct api_call *call, const void *handle, void *const *node, const void *after,
                  size_t count, bool has_child, const void *child) {
    const void *const *nodes = after;
    graphs_lock();
    struct graph *graph = graph_of(handle);
    struct graph_node *made = graph ? graph_add(graph, call, NULL, 0) : NULL;
    uint32_t last = graph ? graph->nodes.count - 1 : 0;
    for (size_t i = 0; made && nodes && i < count; i++) {
        uint32_t place = node_place(graph, nodes[i]);
        if (place < last)
            graph_add_edge(graph, place, last);
        else
            graph->opaque = true;
    }
    if (made && has_child)
        graph_set_child(graph, made, graph_of(child));
    call->op.record.graph = graph ? graph_number(graph) : 0;
    uint64_t number = made ? made->number : 0;
    if (made)
        made->key = *node;
    graphs_unlock();
    if (made)
        node_named(*node, graph, number);
}

void hip_node_added(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count) {
    added(call, graph, node, after, count, false, NULL);
}

void hip_node_child(struct api_call *call, const void *graph, void *const *node, const void *after,
                    size_t count, const void *child) {
    added(call, graph, node, after, count, true, child);
}

void hip_node_any_added(struct api_call *call, const void *graph, void *const *node,
                        const void *after, size_t count, const void *parameters) {
    const struct any_node *any = parameters;
    if (any && any->type == ANY_ALLOC) {
        call->unread = false;
        hip_node_allocated(call, &any->alloc);
    }
    added(call, graph, node, after, count, any && any->type == ANY_GRAPH, child_of(any));
}

// Of a graph, or of the executable that the call changes.
void hip_node_changed(struct api_call *call, const void *handle) {
    uint32_t place;
    if (call->executable) {
        executable_sets(call, handle);
        return;
    }
    graphs_lock();
    struct graph *graph = node_find(handle, &place);
    if (graph) {
        graph_set(graph, graph_node(graph, place), call);
        call->op.record.graph = graph_number(graph);
    } else {
        atomic_fetch_add(&process.control->coverage[COVERAGE_UNREAD_NODES], 1);
    }
    graphs_unlock();
}

void hip_node_any_changed(struct api_call *call, const void *handle, const void *parameters) {
    const struct any_node *any = parameters;
    uint32_t place;
    hip_node_changed(call, handle);
    if (!any || any->type != ANY_GRAPH)
        return;
    graphs_lock();
    struct graph *graph = node_find(handle, &place);
    if (graph)
        graph_set_child(graph, graph_node(graph, place), graph_of(any->object));
    graphs_unlock();
}

void hip_executable_any(struct api_call *call, const void *node, const void *parameters) {
    const struct any_node *any = parameters;
    if (any && any->type == ANY_GRAPH)
        executable_sets_child(call, node, child_of(any));
    else
        executable_sets(call, node);
}
