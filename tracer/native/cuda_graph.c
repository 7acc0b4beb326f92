// CUDA's graphs: what the driver is asked, and what nodes do, from the structs that describe them.
#include "cuda_graph.h"
#include "cuda_calls.h"

enum { CAPTURING_NOT = 0 };

static size_t ask_nodes(const void *graph, const void **nodes, size_t room) {
    size_t count = room;
    int (*ask)(const void *, const void **, size_t *) =
        (int (*)(const void *, const void **, size_t *))cuda_function(CUDA_cuGraphGetNodes);
    if (ask(graph, NULL, &count) != 0)
        return 0;
    if (count && count <= room && ask(graph, nodes, &count) != 0)
        return 0;
    return count;
}

enum node_type { // CUgraphNodeType
    NODE_KERNEL,
    NODE_COPY,
    NODE_SET,
    NODE_HOST,
    NODE_GRAPH,
    NODE_EMPTY,
    NODE_WAIT,
    NODE_RECORD,
    NODE_SIGNAL,
    NODE_WAIT_FOR_SIGNAL,
    NODE_ALLOC,
    NODE_FREE,
    NODE_VALUES,
};

static bool is_type(enum kind kind, int type) {
    switch (kind) {
    case KIND_KERNEL:
        return type == NODE_KERNEL;
    case KIND_MEMSET_ASYNC:
        return type == NODE_SET;
    case KIND_HOST_FUNC:
        return type == NODE_HOST;
    case KIND_GRAPH_LAUNCH:
        return type == NODE_GRAPH;
    case KIND_EVENT_WAIT:
        return type == NODE_WAIT;
    case KIND_EVENT_RECORD:
        return type == NODE_RECORD;
    case KIND_ALLOC_ASYNC:
        return type == NODE_ALLOC;
    case KIND_FREE_ASYNC:
        return type == NODE_FREE;
    case KIND_VALUE_WRITE:
        return type == NODE_VALUES || type == NODE_SIGNAL;
    case KIND_VALUE_WAIT:
        return type == NODE_VALUES || type == NODE_WAIT_FOR_SIGNAL;
    default:
        return type == NODE_COPY;
    }
}

static bool ask_kind(const void *node, enum kind kind) {
    int type = 0;
    int (*ask)(const void *, int *) =
        (int (*)(const void *, int *))cuda_unrecorded("cuGraphNodeGetType");
    return ask && ask(node, &type) == 0 && is_type(kind, type);
}

static bool ask_captures(void *stream, const void **graph) {
    int status = CAPTURING_NOT;
    uint64_t id;
    *graph = NULL;
    int (*info)(void *, int *, uint64_t *, const void **, const void *, size_t *) =
        (int (*)(void *, int *, uint64_t *, const void **, const void *, size_t *))cuda_function(
            CUDA_cuStreamGetCaptureInfo_v2);
    return info(stream, &status, &id, graph, NULL, NULL) == 0 && status != CAPTURING_NOT;
}

const struct graph_asks cuda_graph_asks = {ask_nodes, ask_kind, ask_captures};

struct kernel_node { // CUDA_KERNEL_NODE_PARAMS; the first version ends before `kernel`
    void *function;
    unsigned grid[3], block[3], shared;
    void **arguments, **extra;
    void *kernel; // where there is no function
};

struct set_node { // CUDA_MEMSET_NODE_PARAMS
    char *to;
    size_t pitch;
    unsigned value, element;
    size_t width, height; // width in elements
};

struct any_node { // CUgraphNodeParams
    int type;
    int spare[3];
    union {
        struct kernel_node kernel;
        struct {
            int flags, spare;
            void *context;
            char copy[200];
        } copy;
        struct set_node set;
        struct api_alloc_node alloc;
        struct api_values_node values;
        char semaphores[24];
        void *object; // a graph, an event, memory that is freed
    };
};

void cuda_node_kernel(struct api_call *call, const void *parameters) {
    const struct kernel_node *node = parameters;
    api_node_plain(call, KIND_KERNEL);
    if (node)
        cuda_launches(call, node->function ? node->function : node->kernel, node->arguments,
                      node->extra, API_NO_STREAM);
}

void cuda_node_copy(struct api_call *call, const void *parameters) {
    cuda_copy_3d(call, parameters, API_NO_STREAM, API_ASYNC);
}

void cuda_node_set(struct api_call *call, const void *parameters) {
    const struct set_node *node = parameters;
    api_node_plain(call, KIND_MEMSET_ASYNC);
    if (node)
        api_set_rows_on(call, node->to, node->pitch, node->width * node->element, node->height,
                        API_NO_STREAM, API_ASYNC);
}

void cuda_node_any(struct api_call *call, const void *parameters) {
    const struct any_node *node = parameters;
    switch (node ? node->type : -1) {
    case NODE_KERNEL:
        cuda_node_kernel(call, &node->kernel);
        return;
    case NODE_COPY:
        cuda_node_copy(call, node->copy.copy);
        return;
    case NODE_SET:
        cuda_node_set(call, &node->set);
        return;
    case NODE_HOST:
        api_node_plain(call, KIND_HOST_FUNC);
        return;
    case NODE_GRAPH:
        api_node_plain(call, KIND_GRAPH_LAUNCH);
        return;
    case NODE_WAIT:
    case NODE_RECORD:
        api_node_event(call, node->type == NODE_WAIT ? KIND_EVENT_WAIT : KIND_EVENT_RECORD,
                       node->object);
        return;
    case NODE_SIGNAL:
    case NODE_WAIT_FOR_SIGNAL:
        api_node_semaphores(call, node->type == NODE_SIGNAL ? KIND_VALUE_WRITE : KIND_VALUE_WAIT,
                            node->semaphores);
        return;
    case NODE_VALUES:
        api_node_values(call, &node->values);
        return;
    case NODE_FREE:
        api_node_frees(call, node->object);
        return;
    default: // memory is there only after the call; graphs on a condition are not known
        api_node_plain(call, KIND_NONE);
        call->unread = node && node->type != NODE_EMPTY;
    }
}

static bool runs_graph(const struct any_node *node) { return node && node->type == NODE_GRAPH; }

void cuda_node_any_added(struct api_call *call, const void *graph, void *const *node,
                         const void *after, size_t count, const void *parameters) {
    const struct any_node *any = parameters;
    if (any && any->type == NODE_ALLOC) {
        call->unread = false;
        api_node_allocated(call, &any->alloc);
    }
    api_node_with(call, graph, node, after, count, runs_graph(any),
                  runs_graph(any) ? any->object : NULL);
}

void cuda_node_any_changed(struct api_call *call, const void *node, const void *parameters) {
    const struct any_node *any = parameters;
    api_node_changed(call, node);
    if (runs_graph(any))
        api_node_runs(node, any->object);
}

void cuda_executable_any(struct api_call *call, const void *node, const void *parameters) {
    const struct any_node *any = parameters;
    if (runs_graph(any))
        executable_sets_child(call, node, any->object);
    else
        executable_sets(call, node);
}
