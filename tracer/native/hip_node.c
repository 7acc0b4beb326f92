// What the nodes of HIP's graphs do, from the structs that describe them (HIP 7.1; the same since
// 5.0 but for what hip_node_any reads).
#include "api_executable.h"
#include "api_graph_handles.h"
#include "api_kernel.h"
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
        struct api_alloc_node alloc;
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

void hip_node_kernel(struct api_call *call, const void *parameters) {
    const struct kernel_node *node = parameters;
    api_node_plain(call, KIND_KERNEL);
    if (!node)
        return;
    if (kernel_of_stub(node->function))
        hip_launches(call, node->function, node->arguments, API_NO_STREAM);
    else
        hip_launches_function(call, node->function, node->arguments, node->extra, API_NO_STREAM);
}

void hip_node_copy(struct api_call *call, void *to, const void *from, size_t size) {
    api_copy_on(call, to, from, size, API_NO_STREAM, API_ASYNC);
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
    api_node_plain(call, KIND_MEMSET_ASYNC);
    if (node)
        api_set_rows_on(call, node->to, node->pitch, node->width * node->element, node->height,
                        API_NO_STREAM, API_ASYNC);
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
        api_node_plain(call, KIND_HOST_FUNC);
        return;
    case ANY_GRAPH:
        api_node_plain(call, KIND_GRAPH_LAUNCH);
        return;
    case ANY_WAIT:
    case ANY_RECORD:
        api_node_event(call, node->type == ANY_WAIT ? KIND_EVENT_WAIT : KIND_EVENT_RECORD,
                       node->object);
        return;
    case ANY_SIGNAL:
    case ANY_SEMAPHORE_WAIT:
        api_node_semaphores(call, node->type == ANY_SIGNAL ? KIND_VALUE_WRITE : KIND_VALUE_WAIT,
                            &node->object);
        return;
    case ANY_FREE:
        api_node_frees(call, node->object);
        return;
    default: // memory is there only after the call; the rest is not known
        api_node_plain(call, KIND_NONE);
        call->unread = node && node->type != ANY_EMPTY;
    }
}

static const void *child_of(const struct any_node *node) {
    return node && node->type == ANY_GRAPH ? node->object : NULL;
}

void hip_node_any_added(struct api_call *call, const void *graph, void *const *node,
                        const void *after, size_t count, const void *parameters) {
    const struct any_node *any = parameters;
    if (any && any->type == ANY_ALLOC) {
        call->unread = false;
        api_node_allocated(call, &any->alloc);
    }
    api_node_with(call, graph, node, after, count, any && any->type == ANY_GRAPH, child_of(any));
}

void hip_node_any_changed(struct api_call *call, const void *handle, const void *parameters) {
    const struct any_node *any = parameters;
    api_node_changed(call, handle);
    if (any && any->type == ANY_GRAPH)
        api_node_runs(handle, any->object);
}

void hip_executable_any(struct api_call *call, const void *node, const void *parameters) {
    const struct any_node *any = parameters;
    if (any && any->type == ANY_GRAPH)
        executable_sets_child(call, node, child_of(any));
    else
        executable_sets(call, node);
}
