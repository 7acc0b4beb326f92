// Captures: calls on a capturing stream become nodes and do nothing else.
//
// A record of an event there is the nodes so far, and a stream that waits for it joins the capture;
// all must be joined back before the end. The synchronous hipMemcpy and hipMemset and a device
// synchronization end every capture of the process as invalid, and so do a query or synchronization
// of a capturing stream, or of an event last recorded in one, and the legacy stream while a
// blocking stream captures. A capture's mode says which threads may not allocate meanwhile.
#include "graph.h"
#include <stdlib.h>

static unsigned long long ids;
static __thread hipStreamCaptureMode thread_mode = hipStreamCaptureModeGlobal;

bool is_capturing(const struct stream *stream) { return stream->capture; }
bool is_capture_invalid(const struct stream *stream) { return stream->capture->invalid; }

static void drop(struct capture *capture) {
    if (capture && !--capture->refs)
        free(capture);
}

static void join_capture(struct stream *stream, struct capture *capture) {
    stream->capture = capture;
    capture->refs++;
}

static void leave_capture(struct stream *stream) {
    drop(stream->capture);
    stream->capture = NULL;
    stream->front.count = 0;
}

void end_capture_of(struct stream *stream) { // that goes
    if (stream->capture) {
        stream->capture->invalid = true;
        leave_capture(stream);
    }
}

static hipError_t invalid(struct capture *capture, hipError_t error) {
    capture->invalid = true;
    return error;
}

hipError_t refuse_capturing(struct stream *stream) {
    return stream->capture ? invalid(stream->capture, hipErrorStreamCaptureUnsupported)
                           : hipSuccess;
}

hipError_t refuse_while_capturing(hipError_t why) {
    hipError_t error = hipSuccess;
    for (struct stream *s = all_streams(); s; s = s->next)
        if (s->capture)
            error = invalid(s->capture, why);
    return error;
}

hipError_t refuse_legacy(int device) {
    hipError_t error = hipSuccess;
    for (struct stream *s = all_streams(); s; s = s->next)
        if (s->capture && s->device == device && !(s->flags & hipStreamNonBlocking))
            error = invalid(s->capture, hipErrorStreamCaptureImplicit);
    return error;
}

hipError_t refuse_unsafe(void) {
    if (thread_mode == hipStreamCaptureModeRelaxed)
        return hipSuccess;
    for (struct stream *s = all_streams(); s; s = s->next) {
        struct capture *c = s->capture;
        if (!c || c->mode == hipStreamCaptureModeRelaxed)
            continue;
        bool own = pthread_equal(c->thread, pthread_self());
        if (own ||
            (c->mode == hipStreamCaptureModeGlobal && thread_mode == hipStreamCaptureModeGlobal))
            return hipErrorStreamCaptureUnsupported;
    }
    return hipSuccess;
}

hipError_t refuse_event_of_capture(struct event *event) {
    for (struct stream *s = all_streams(); s; s = s->next)
        if (s->capture && s->id == event->recorded_on)
            return invalid(s->capture, hipErrorStreamCaptureUnsupported);
    return hipSuccess;
}

struct graph_node *capture_node(struct stream *stream, hipGraphNodeType type,
                                const struct work *work) {
    struct graph_node *node = new_node(stream->capture->graph, type, work);
    nodes_set(&node->before, &stream->front);
    stream->front.count = 0;
    nodes_add(&stream->front, node);
    return node;
}

void capture_work(struct stream *stream, const struct work *work) {
    static const hipGraphNodeType types[] = {
        [WORK_NONE] = hipGraphNodeTypeEmpty,      [WORK_COPY] = hipGraphNodeTypeMemcpy,
        [WORK_FILL] = hipGraphNodeTypeMemset,     [WORK_KERNEL] = hipGraphNodeTypeKernel,
        [WORK_HOST] = hipGraphNodeTypeHost,       [WORK_WRITE] = hipGraphNodeTypeBatchMemOp,
        [WORK_WAIT] = hipGraphNodeTypeBatchMemOp,
    };
    capture_node(stream, types[work->kind], work);
}

struct memory *capture_allocation(struct stream *stream, size_t size) {
    struct memory *memory = new_memory(size, hipMemoryTypeDevice, stream->device, 0);
    if (memory) {
        memory->of_graph = true;
        capture_node(stream, hipGraphNodeTypeMemAlloc, NULL)->memory = memory;
    }
    return memory;
}
void capture_free(struct stream *stream) { capture_node(stream, hipGraphNodeTypeMemFree, NULL); }

// --- Events ---

void capture_record(struct event *event, hipEvent_t handle, struct stream *stream, bool external) {
    if (external) {
        capture_node(stream, hipGraphNodeTypeEventRecord, NULL)->event = handle;
        return;
    }
    drop(event->capture);
    event->capture = stream->capture;
    event->capture->refs++;
    nodes_set(&event->captured, &stream->front);
}

void forget_capture(struct event *event) {
    drop(event->capture);
    event->capture = NULL;
    event->captured.count = 0;
}

bool is_captured(const struct event *event) { return event->capture && !event->capture->ended; }

// One of the two is of a capture: the stream, the event, or both.
hipError_t capture_wait(struct stream *stream, struct event *event, hipEvent_t handle,
                        bool external) {
    struct capture *to = stream->capture, *of = is_captured(event) ? event->capture : NULL;
    if (to && external) {
        capture_node(stream, hipGraphNodeTypeWaitEvent, NULL)->event = handle;
        return hipSuccess;
    }
    if (!of)
        return invalid(to, hipErrorStreamCaptureIsolation);
    if (of->invalid)
        return hipErrorStreamCaptureInvalidated;
    if (stream->null)
        return invalid(of, hipErrorStreamCaptureImplicit);
    if (to && to != of) {
        invalid(to, 0);
        return invalid(of, hipErrorStreamCaptureMerge);
    }
    if (!to)
        join_capture(stream, of);
    for (int i = 0; i < event->captured.count; i++)
        nodes_add(&stream->front, event->captured.list[i]);
    return hipSuccess;
}

// --- The API ---

static hipError_t begin_capture(hipStream_t handle, hipStreamCaptureMode mode, struct graph *into,
                                const struct nodes *front) {
    struct stream *stream;
    hipError_t error = find_stream(handle, &stream);
    if (error)
        return error;
    if (stream->null)
        return hipErrorStreamCaptureUnsupported;
    if (stream->capture)
        return hipErrorIllegalState;
    struct capture *capture = calloc(1, sizeof *capture);
    *capture = (struct capture){0,    ++ids,          into ? into : new_graph(), stream,
                                mode, pthread_self(), .own_graph = !into};
    join_capture(stream, capture);
    nodes_set(&stream->front, front);
    return hipSuccess;
}

hipError_t impl_hipStreamBeginCapture(hipStream_t handle, hipStreamCaptureMode mode) {
    if (mode > hipStreamCaptureModeRelaxed)
        return fail(hipErrorInvalidValue);
    lock();
    hipError_t error = begin_capture(handle, mode, NULL, NULL);
    unlock();
    return fail(error);
}

hipError_t impl_hipStreamBeginCaptureToGraph(hipStream_t handle, hipGraph_t into,
                                             const hipGraphNode_t *before,
                                             const hipGraphEdgeData *edges, size_t count,
                                             hipStreamCaptureMode mode) {
    if (edges || (count && !before) || mode > hipStreamCaptureModeRelaxed)
        return fail(hipErrorInvalidValue);
    struct nodes front = {0};
    lock();
    struct graph *graph = graph_of(into);
    hipError_t error = graph ? hipSuccess : hipErrorInvalidValue;
    for (size_t i = 0; i < count && !error; i++) {
        struct graph_node *node = node_of(before[i]);
        error = node && node->graph == graph ? hipSuccess : hipErrorInvalidValue;
        if (!error)
            nodes_add(&front, node);
    }
    if (!error)
        error = begin_capture(handle, mode, graph, &front);
    unlock();
    free(front.list);
    return fail(error);
}

static bool is_joined(const struct capture *capture) {
    const struct graph *graph = capture->graph;
    for (int i = 0; i < graph->nodes.count; i++) {
        struct graph_node *node = graph->nodes.list[i];
        if (!has_followers(graph, node) && !nodes_have(&capture->origin->front, node))
            return false;
    }
    return true;
}

static hipError_t end(struct stream *origin, hipGraph_t *out) {
    struct capture *capture = origin->capture;
    if (!capture)
        return hipErrorIllegalState;
    if (capture->origin != origin)
        return hipErrorStreamCaptureUnmatched;
    hipError_t error = hipSuccess;
    if (capture->mode != hipStreamCaptureModeRelaxed &&
        !pthread_equal(capture->thread, pthread_self()))
        return hipErrorStreamCaptureWrongThread;
    if (capture->invalid)
        error = hipErrorStreamCaptureInvalidated;
    else if (!is_joined(capture))
        error = hipErrorStreamCaptureUnjoined;
    *out = error ? NULL : (hipGraph_t)capture->graph;
    if (error && capture->own_graph)
        free_graph(capture->graph);
    capture->ended = true;
    capture->refs++;
    for (struct stream *s = all_streams(); s; s = s->next)
        if (s->capture == capture)
            leave_capture(s);
    drop(capture);
    return error;
}

hipError_t impl_hipStreamEndCapture(hipStream_t handle, hipGraph_t *out) {
    struct stream *stream;
    if (!out)
        return fail(hipErrorInvalidValue);
    lock();
    hipError_t error = find_stream(handle, &stream);
    if (!error)
        error = end(stream, out);
    unlock();
    return fail(error);
}

hipError_t impl_hipThreadExchangeStreamCaptureMode(hipStreamCaptureMode *mode) {
    if (!mode || *mode > hipStreamCaptureModeRelaxed)
        return fail(hipErrorInvalidValue);
    hipStreamCaptureMode before = thread_mode;
    thread_mode = *mode;
    *mode = before;
    return hipSuccess;
}
