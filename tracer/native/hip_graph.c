// HIP's captures and graphs.
#include "hip_graph.h"
#include "hip_calls.h"
#include "hip_version.h"

enum { CAPTURING_NOT = 0 };

static size_t ask_nodes(const void *graph, const void **nodes, size_t room) {
    size_t count = room;
    int (*ask)(const void *, const void **, size_t *) =
        (int (*)(const void *, const void **, size_t *))hip_function(HIP_hipGraphGetNodes);
    if (ask(graph, NULL, &count) != 0)
        return 0;
    if (count && count <= room && ask(graph, nodes, &count) != 0)
        return 0;
    return count;
}

// HIP has one type for copies of all kinds; those of symbols have their own since HIP 6.
static bool is_type(enum kind kind, int type) {
    enum { KERNEL, MEMCPY, MEMSET, HOST, GRAPH, EMPTY, WAIT, RECORD, SIGNAL, SEMAPHORE_WAIT };
    enum { ALLOC = 10, FREE, FROM_SYMBOL, TO_SYMBOL, VALUES };
    switch (kind) {
    case KIND_KERNEL:
        return hip_node_type_is(type, KERNEL);
    case KIND_MEMSET_ASYNC:
        return hip_node_type_is(type, MEMSET);
    case KIND_HOST_FUNC:
        return hip_node_type_is(type, HOST);
    case KIND_GRAPH_LAUNCH:
        return hip_node_type_is(type, GRAPH);
    case KIND_EVENT_WAIT:
        return hip_node_type_is(type, WAIT);
    case KIND_EVENT_RECORD:
        return hip_node_type_is(type, RECORD);
    case KIND_ALLOC_ASYNC:
        return hip_node_type_is(type, ALLOC);
    case KIND_FREE_ASYNC:
        return hip_node_type_is(type, FREE);
    case KIND_VALUE_WRITE:
        return hip_node_type_is(type, VALUES) || hip_node_type_is(type, SIGNAL);
    case KIND_VALUE_WAIT:
        return hip_node_type_is(type, VALUES) || hip_node_type_is(type, SEMAPHORE_WAIT);
    default:
        return hip_node_type_is(type, MEMCPY) || hip_node_type_is(type, FROM_SYMBOL) ||
               hip_node_type_is(type, TO_SYMBOL);
    }
}

static bool ask_kind(const void *node, enum kind kind) {
    int type = 0;
    int (*ask)(const void *, int *) =
        (int (*)(const void *, int *))hip_unrecorded("hipGraphNodeGetType");
    return ask && ask(node, &type) == 0 && is_type(kind, type);
}

static bool ask_captures(void *stream, const void **graph) {
    int status = CAPTURING_NOT;
    unsigned long long id;
    *graph = NULL;
    int (*info)(void *, int *, unsigned long long *, const void **, const void *, size_t *) =
        (int (*)(void *, int *, unsigned long long *, const void **, const void *,
                 size_t *))hip_function(HIP_hipStreamGetCaptureInfo_v2);
    if (info(stream, &status, &id, graph, NULL, NULL) == 0)
        return status != CAPTURING_NOT;
    int (*ask)(void *, int *) = (int (*)(void *, int *))hip_unrecorded("hipStreamIsCapturing");
    return ask && ask(stream, &status) == 0 && status != CAPTURING_NOT;
}

const struct graph_asks hip_graph_asks = {ask_nodes, ask_kind, ask_captures};
