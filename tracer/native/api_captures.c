// Captures as the functions of a GPU API begin, steer and end them.
#include "api_graph_calls.h"
#include "capture.h"

enum { ADD_DEPENDENCIES = 0 };

void api_capture_begun(struct api_call *call, const struct graph_asks *asks, const void *graph,
                       const void *after, size_t count) {
    graph_asks = asks;
    capture_begins(call, graph, after, after ? count : 0);
}

void api_capture_ended(struct api_call *call, void *const *graph) {
    capture_ends(call, graph ? *graph : NULL);
}

// Ended on another stream or thread than it must be, it goes on.
void api_capture_failed(struct api_call *call) {
    const struct api_stream *stream = call->stream;
    const void *graph;
    if (!stream || !capture_of(stream))
        return;
    void *handle = stream->flags & STREAM_FLAG_PER_THREAD
                       ? (void *)API_PER_THREAD
                       : (void *)atomic_load(&stream->handle.key);
    if (!graph_asks->captures(handle, &graph))
        capture_ends(call, NULL);
}

static struct api_stream *stream_of(void *handle) {
    struct thread *thread = (uintptr_t)handle < API_SPECIAL_STREAMS ? thread_self() : NULL;
    if (handle == (void *)API_PER_THREAD && thread) {
        struct api_thread *api = api_thread_of(thread);
        return api && api->device >= 0 ? api_per_thread_stream(thread, api->device) : NULL;
    }
    return thread ? NULL : api_stream_find(handle);
}

void api_capture_follows(int rc, void *handle, const void *nodes, size_t count, unsigned how) {
    struct api_stream *stream = rc == 0 ? stream_of(handle) : NULL;
    if (stream && capture_of(stream))
        capture_follows(stream, nodes, nodes ? count : 0, how == ADD_DEPENDENCIES);
}

// Whoever asks for nodes may name them afterwards.
void api_capture_asked(int rc, void *handle, const void *nodes) {
    struct api_stream *stream = rc == 0 && nodes ? stream_of(handle) : NULL;
    if (!stream || !capture_of(stream))
        return;
    const void *graph = NULL;
    if (!graph_asks->captures(handle, &graph) || !graph)
        return;
    capture_asked(stream, graph);
    graph_asked(graph);
}
