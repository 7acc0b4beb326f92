// Captures of streams: calls that are stored in a graph instead of being run.
//
// Each stream of a capture has a front: the nodes that its next one comes after. An event recorded
// there stands for the front of its stream; a stream that waits for it comes after that, too, and
// belongs to the capture from then on. Fronts are sets that do not change: a stream gets another.
#pragma once
#include "api_graph.h"

struct capture {
    struct capture *next; // of those that go on
    uint64_t number;      // from 1, never used again
    struct graph *graph;
    bool into_known;     // the graph was there before, and stays where the capture fails
    struct list streams; // struct api_stream *
    struct list sets;    // uint32_t: of each its size and its nodes; a front is its place, from 1
};

static inline struct capture *capture_of(const struct api_stream *stream) {
    return atomic_load_explicit(&stream->capture, memory_order_acquire);
}

// The stream is captured from here on: into the graph of this handle after these nodes, or (null)
// into a new one.
void capture_begins(struct api_call *call, const void *graph, const void *const *after,
                    size_t count);
// The graph that came of it; null: the capture failed, and is over.
void capture_ends(struct api_call *call, const void *graph);
// Its stream's front is now these nodes, or these too.
void capture_follows(struct api_stream *stream, const void *const *nodes, size_t count, bool too);

// The call was accepted: whether it was stored, and so had no effect of its own.
bool capture_takes_some(struct api_call *call);
static inline bool capture_takes(struct api_call *call) {
    const struct api_event *event = call->event;
    bool runs = call->stream && !capture_of(call->stream) &&
                !(event && atomic_load_explicit(&event->capture, memory_order_relaxed));
    return !runs && capture_takes_some(call);
}

// The program has asked for the graph of a capture that goes on: its handle is this.
void capture_asked(const struct api_stream *stream, const void *graph);
