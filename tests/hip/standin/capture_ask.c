// What can be asked of a stream about its capture, and changed in it from outside.
#include "graph.h"

static hipStreamCaptureStatus status_of(const struct stream *stream) {
    return !stream->capture           ? hipStreamCaptureStatusNone
           : stream->capture->invalid ? hipStreamCaptureStatusInvalidated
                                      : hipStreamCaptureStatusActive;
}

hipError_t impl_hipStreamGetCaptureInfo_v2(hipStream_t handle, hipStreamCaptureStatus *status,
                                           unsigned long long *id, hipGraph_t *graph,
                                           const hipGraphNode_t **front, size_t *count) {
    struct stream *stream;
    if (!status)
        return fail(hipErrorInvalidValue);
    lock();
    hipError_t error = find_stream(handle, &stream);
    if (!error)
        *status = status_of(stream);
    if (!error && *status == hipStreamCaptureStatusActive) {
        if (id)
            *id = stream->capture->id;
        if (graph)
            *graph = (hipGraph_t)stream->capture->graph;
        if (front)
            *front = (const hipGraphNode_t *)stream->front.list;
        if (count)
            *count = (size_t)stream->front.count;
    }
    unlock();
    return fail(error);
}
hipError_t impl_hipStreamGetCaptureInfo(hipStream_t handle, hipStreamCaptureStatus *status,
                                        unsigned long long *id) {
    return impl_hipStreamGetCaptureInfo_v2(handle, status, id, NULL, NULL, NULL);
}
hipError_t impl_hipStreamIsCapturing(hipStream_t handle, hipStreamCaptureStatus *status) {
    return impl_hipStreamGetCaptureInfo_v2(handle, status, NULL, NULL, NULL, NULL);
}

hipError_t impl_hipStreamUpdateCaptureDependencies(hipStream_t handle, hipGraphNode_t *nodes,
                                                   size_t count, unsigned flags) {
    struct stream *stream;
    if ((count && !nodes) || flags > hipStreamSetCaptureDependencies)
        return fail(hipErrorInvalidValue);
    lock();
    hipError_t error = find_stream(handle, &stream);
    if (!error && status_of(stream) != hipStreamCaptureStatusActive)
        error = hipErrorIllegalState;
    for (size_t i = 0; i < count && !error; i++) {
        struct graph_node *node = node_of(nodes[i]);
        if (!node || node->graph != stream->capture->graph)
            error = hipErrorInvalidValue;
    }
    if (!error && flags == hipStreamSetCaptureDependencies)
        stream->front.count = 0;
    for (size_t i = 0; i < count && !error; i++)
        nodes_add(&stream->front, node_of(nodes[i]));
    unlock();
    return fail(error);
}
