// HIP's captures and graphs.
#include "hip_graph.h"
#include "api_executable.h"
#include "api_graph_handles.h"
#include "capture.h"
#include "hip_calls.h"
#include "hip_version.h"

enum { CAPTURING_NOT = 0, ADD_DEPENDENCIES = 0 };

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

static const struct graph_asks asks = {ask_nodes, ask_kind};

void hip_capture_begun(struct api_call *call, const void *graph, const void *after, size_t count) {
    graph_asks = &asks;
    capture_begins(call, graph, after, after ? count : 0);
}

void hip_capture_ended(struct api_call *call, void *const *graph) {
    capture_ends(call, graph ? *graph : NULL);
}

// Ended on another stream or thread than it must be, it goes on.
void hip_capture_failed(struct api_call *call) {
    int status = CAPTURING_NOT;
    int (*ask)(void *, int *) = (int (*)(void *, int *))hip_unrecorded("hipStreamIsCapturing");
    const struct api_stream *stream = call->stream;
    if (!stream || !capture_of(stream))
        return;
    void *handle = stream->flags & STREAM_FLAG_PER_THREAD
                       ? HIP_PER_THREAD
                       : (void *)atomic_load(&stream->handle.key);
    if (!ask || ask(handle, &status) != 0 || status == CAPTURING_NOT)
        capture_ends(call, NULL);
}

static struct api_stream *stream_of(void *handle) {
    struct thread *thread = (uintptr_t)handle < API_SPECIAL_STREAMS ? thread_self() : NULL;
    if (handle == HIP_PER_THREAD && thread) {
        struct api_thread *api = api_thread_of(thread);
        return api && api->device >= 0 ? api_per_thread_stream(thread, api->device) : NULL;
    }
    return thread ? NULL : api_stream_find(handle);
}

void hip_capture_follows(int rc, void *handle, const void *nodes, size_t count, unsigned how) {
    struct api_stream *stream = rc == 0 ? stream_of(handle) : NULL;
    if (stream && capture_of(stream))
        capture_follows(stream, nodes, nodes ? count : 0, how == ADD_DEPENDENCIES);
}

// Whoever asks for nodes may name them afterwards.
void hip_capture_asked(int rc, void *handle, const void *nodes) {
    struct api_stream *stream = rc == 0 && nodes ? stream_of(handle) : NULL;
    if (!stream || !capture_of(stream))
        return;
    int status = CAPTURING_NOT;
    unsigned long long id;
    const void *graph = NULL;
    int (*ask)(void *, int *, unsigned long long *, const void **, const void *, size_t *) =
        (int (*)(void *, int *, unsigned long long *, const void **, const void *,
                 size_t *))hip_function(HIP_hipStreamGetCaptureInfo_v2);
    if (ask(handle, &status, &id, &graph, NULL, NULL) != 0 || status == CAPTURING_NOT || !graph)
        return;
    capture_asked(stream, graph);
    graph_asked(graph);
}

void hip_graph_made(int rc, void *const *handle) {
    if (rc != 0)
        return;
    graph_asks = &asks;
    graphs_lock();
    struct graph *graph = graph_new();
    graphs_unlock();
    if (graph)
        graph_named(*handle, graph);
}

void hip_graph_cloned(int rc, void *const *clone, const void *of) {
    if (rc != 0)
        return;
    graphs_lock();
    struct graph *known = graph_of(of), *graph = known ? graph_copy(known, false) : NULL;
    graphs_unlock();
    if (graph)
        graph_named(*clone, graph);
}

// Executables made from it go on.
void hip_graph_goes(struct api_call *call, const void *handle) {
    graphs_lock();
    const struct graph *graph = graph_of(handle);
    call->op.record.graph = graph && !graph->has_executable ? graph->id : 0;
    graphs_unlock();
    graph_gone(handle);
}

// The graph within a node can be changed, too.
void hip_graph_child(int rc, const void *node, void *const *handle) {
    uint32_t place;
    if (rc != 0)
        return;
    graphs_lock();
    struct graph *graph = node_find(node, &place);
    struct graph *child = graph ? graph_node(graph, place)->child : NULL;
    graphs_unlock();
    if (child && !child->key)
        graph_named(*handle, child);
}

void hip_graph_asked(int rc, const void *graph) {
    if (rc == 0)
        graph_asked(graph);
}

void hip_edges(int rc, const void *handle, const void *from, const void *to, size_t count,
               bool add) {
    const void *const *first = from, *const *second = to;
    if (rc != 0)
        return;
    graphs_lock();
    struct graph *graph = graph_of(handle);
    for (size_t i = 0; graph && i < count; i++) {
        uint32_t a = node_place(graph, first[i]), b = node_place(graph, second[i]);
        if (a >= graph->nodes.count || b >= graph->nodes.count)
            graph->opaque = true;
        else if (add)
            graph_add_edge(graph, a, b);
        else
            graph_remove_edge(graph, a, b);
    }
    graphs_unlock();
}

// Before the call: the handle may be another node's as soon as it is made.
void hip_node_goes(const void *node) { node_gone(node); }

void hip_executable_made(struct api_call *call, void *const *executable, const void *graph) {
    executable_made(call, *executable, graph);
}
