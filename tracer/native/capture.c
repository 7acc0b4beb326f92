#include "capture.h"
#include "api_executable.h"
#include "api_graph_handles.h"
#include <string.h>

static struct capture *captures; // that go on
static uint64_t last_number;

static struct capture *numbered(uint64_t number) {
    struct capture *capture = number ? captures : NULL;
    while (capture && capture->number != number)
        capture = capture->next;
    return capture;
}

struct set {
    uint32_t count;
    const uint32_t *nodes;
};

static struct set set_of(const struct capture *capture, uint32_t front) {
    const uint32_t *at = front ? (const uint32_t *)capture->sets.items + front - 1 : NULL;
    return at ? (struct set){*at, at + 1} : (struct set){0, NULL};
}

static bool holds(struct set set, uint32_t node) {
    for (uint32_t i = 0; i < set.count; i++)
        if (set.nodes[i] == node)
            return true;
    return false;
}

// The front that has all nodes of both.
static uint32_t joined(struct capture *capture, uint32_t one, uint32_t other) {
    if (!one || one == other || !other)
        return one ? one : other;
    uint32_t most = 1 + set_of(capture, one).count + set_of(capture, other).count;
    if (!list_grow(&capture->sets, sizeof(uint32_t), most)) {
        capture->graph->opaque = true;
        return one;
    }
    struct set first = set_of(capture, one), second = set_of(capture, other);
    uint32_t place = capture->sets.count, *made = (uint32_t *)capture->sets.items + place;
    memcpy(made + 1, first.nodes, first.count * sizeof *made);
    *made = first.count;
    for (uint32_t i = 0; i < second.count; i++)
        if (!holds(first, second.nodes[i]))
            made[++*made] = second.nodes[i];
    capture->sets.count += 1 + *made;
    return place + 1;
}

static uint32_t front_of(struct capture *capture, const uint32_t *nodes, uint32_t count) {
    if (!count)
        return 0;
    if (!list_grow(&capture->sets, sizeof(uint32_t), 1 + count)) {
        capture->graph->opaque = true;
        return 0;
    }
    uint32_t place = capture->sets.count, *made = (uint32_t *)capture->sets.items + place;
    *made = count;
    memcpy(made + 1, nodes, count * sizeof *made);
    capture->sets.count += 1 + count;
    return place + 1;
}

static bool joins(struct capture *capture, struct api_stream *stream) {
    struct api_stream **place = list_append(&capture->streams, sizeof *place);
    if (!place)
        return false;
    *place = stream;
    stream->front = 0;
    atomic_store_explicit(&stream->capture, capture, memory_order_release);
    return true;
}

static struct capture *new_capture(struct api_stream *stream, struct graph *into) {
    struct capture *capture = block_take(sizeof *capture);
    struct graph *graph = into ? into : graph_new();
    if (!capture || !graph || !joins(capture, stream)) {
        if (!into)
            graph_drop(graph);
        block_give(capture, sizeof *capture);
        atomic_fetch_add(&process.control->untracked, 1);
        return NULL;
    }
    capture->number = ++last_number;
    capture->graph = graph;
    capture->into_known = into != NULL;
    capture->next = captures;
    captures = capture;
    return capture;
}

// A node that is not known is not the graph's only one.
static void comes_after(struct capture *capture, struct api_stream *stream,
                        const void *const *nodes, size_t count) {
    struct graph *graph = capture->graph;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = node_place(graph, nodes[i]);
        if (place < graph->nodes.count)
            stream->front = joined(capture, stream->front, front_of(capture, &place, 1));
        else
            graph->opaque = true;
    }
}

void capture_begins(struct api_call *call, const void *graph, const void *const *after,
                    size_t count) {
    struct api_stream *stream = call->stream;
    if (!stream)
        return;
    graphs_lock();
    struct capture *capture = new_capture(stream, graph_of(graph));
    if (capture) {
        call->op.record.graph = graph_number(capture->graph);
        comes_after(capture, stream, after, count);
    }
    graphs_unlock();
}

static void release(struct capture *capture) {
    for (struct capture **at = &captures; *at; at = &(*at)->next)
        if (*at == capture) {
            *at = capture->next;
            break;
        }
    struct api_stream *const *streams = capture->streams.items;
    for (uint32_t i = 0; i < capture->streams.count; i++)
        if (capture_of(streams[i]) == capture)
            atomic_store_explicit(&streams[i]->capture, NULL, memory_order_release);
    list_drop(&capture->streams, sizeof(struct api_stream *));
    list_drop(&capture->sets, sizeof(uint32_t));
    block_give(capture, sizeof *capture);
}

void capture_ends(struct api_call *call, const void *handle) {
    graphs_lock();
    struct capture *capture = call->stream ? capture_of(call->stream) : NULL;
    struct graph *graph = capture ? capture->graph : NULL;
    bool into_known = capture && capture->into_known;
    if (capture) {
        call->op.record.graph = graph->id;
        release(capture);
    }
    bool over = graph && !handle && !into_known;
    const void *asked = over ? graph->key : NULL;
    if (over && !asked)
        graph_drop(graph);
    graphs_unlock();
    if (asked)
        graph_gone(asked);
    if (graph && handle && !into_known)
        graph_named(handle, graph);
}

void capture_asked(const struct api_stream *stream, const void *handle) {
    graphs_lock();
    struct capture *capture = capture_of(stream);
    struct graph *graph = capture && !capture->graph->key ? capture->graph : NULL;
    graphs_unlock();
    if (graph && handle)
        graph_named(handle, graph);
}

void capture_follows(struct api_stream *stream, const void *const *nodes, size_t count, bool too) {
    graphs_lock();
    struct capture *capture = capture_of(stream);
    if (capture) {
        stream->front = too ? stream->front : 0;
        comes_after(capture, stream, nodes, count);
    }
    graphs_unlock();
}

static void store(struct capture *capture, struct api_call *call) {
    struct graph *graph = capture->graph;
    struct api_stream *stream = call->stream;
    struct set after = set_of(capture, stream->front);
    struct graph_node *node = graph_add(graph, call, after.nodes, after.count);
    if (!node)
        return;
    if (call->executable)
        graph_set_child(graph, node, executable_graph(call->executable));
    uint32_t place = graph->nodes.count - 1;
    stream->front = front_of(capture, &place, 1);
}

// An event of a graph's own is a node; any other makes an edge between others.
static void take(struct capture *capture, struct api_call *call) {
    struct api_event *event = call->event;
    struct api_stream *stream = call->stream;
    const struct record_op *record = &call->op.record;
    bool external = record->flags & FLAG_EXTERNAL;
    if (!event || (record->kind != KIND_EVENT_RECORD && record->kind != KIND_EVENT_WAIT)) {
        store(capture, call);
    } else if (external) {
        api_orders(call, &(struct api_order){.kind = record->kind,
                                             .object = (void *)atomic_load(&event->handle.key)});
        store(capture, call);
    } else if (record->kind == KIND_EVENT_RECORD) {
        event->front = stream->front;
        atomic_store(&event->capture, capture->number);
    } else if (atomic_load(&event->capture) == capture->number) {
        if (capture_of(stream) == capture || joins(capture, stream))
            stream->front = joined(capture, stream->front, event->front);
    }
}

static bool is_stored(enum kind kind) {
    switch (kind) {
    case KIND_STREAM_CREATE:
    case KIND_STREAM_DESTROY:
    case KIND_STREAM_SYNC:
    case KIND_STREAM_QUERY:
    case KIND_CAPTURE_BEGIN:
    case KIND_CAPTURE_END:
        return false;
    default:
        return true;
    }
}

// The one that the call belongs to: that of its stream, or that of the event it waits for.
static struct capture *meant(const struct api_call *call) {
    struct capture *capture = capture_of(call->stream);
    if (!capture && call->event && call->op.record.kind == KIND_EVENT_WAIT &&
        !(call->op.record.flags & FLAG_EXTERNAL))
        capture = numbered(atomic_load(&call->event->capture));
    return capture;
}

static void stored(struct api_call *call) {
    call->op.record.flags |= FLAG_CAPTURED;
    call->op.record.walk = 0;
    call->op.record.peer = call->stream ? call->op.record.peer : 0;
    call->op.accesses = 0;
}

bool capture_takes_some(struct api_call *call) {
    struct api_stream *stream = call->stream;
    struct api_event *event = call->event;
    enum kind kind = (enum kind)call->op.record.kind;
    if (!stream) { // a node that was made by itself
        if (call->captures && !call->executable)
            stored(call);
        else if (call->captures)
            call->op.accesses = 0;
        return call->captures;
    }
    if (!is_stored(kind))
        return false;
    graphs_lock();
    struct capture *capture = meant(call);
    uint32_t id = 0;
    if (capture) {
        id = capture->graph->id;
        take(capture, call);
    } else if (event && kind == KIND_EVENT_RECORD) {
        atomic_store(&event->capture, 0);
    }
    graphs_unlock();
    if (capture) {
        call->op.record.graph = id;
        stored(call);
    }
    return capture != NULL;
}
