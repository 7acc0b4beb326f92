// Launches of executable graphs: the host memory they leave in use, and what they wait for and
// signal.
#include "api_executable.h"
#include "api_values.h"
#include <string.h>

static void append_part(struct executable *executable, struct list *to, const struct list *from,
                        struct graph_part part, size_t item) {
    if (!part.count)
        return;
    if (!list_grow(to, item, part.count)) {
        executable->graph->opaque = true;
        return;
    }
    memcpy((char *)to->items + to->count * item, (const char *)from->items + part.first * item,
           part.count * item);
    to->count += part.count;
}

static void gather(struct executable *executable, const struct graph *graph) {
    for (uint32_t i = 0; i < graph->nodes.count; i++) {
        const struct graph_node *node = graph_node(graph, i);
        if (node->disabled)
            continue;
        append_part(executable, &executable->sources, &graph->sources, node->sources,
                    sizeof(struct api_source));
        append_part(executable, &executable->orders, &graph->orders, node->orders,
                    sizeof(struct api_order));
        if (node->child)
            gather(executable, node->child);
    }
}

static void settle(struct executable *executable) {
    if (!executable->changed)
        return;
    executable->sources.count = executable->orders.count = 0;
    gather(executable, executable->graph);
    executable->changed = false;
}

// The launch keeps a copy: the list may go before the launch has returned.
static void take_sources(struct api_call *call, const struct list *sources) {
    struct api_thread *api = sources->count ? api_thread_of(call->op.thread) : NULL;
    const struct api_source *from = sources->items;
    uint32_t taken = !api ? 0 : sources->count < API_LAUNCHED ? sources->count : API_LAUNCHED;
    if (taken)
        memcpy(api->launched, from, taken * sizeof *from);
    for (uint32_t i = taken; i < sources->count; i++)
        atomic_fetch_add_explicit(&process.control->unwatched, from[i].size, memory_order_relaxed);
    call->launched = api ? api->launched : NULL;
    call->launched_sources = taken;
}

static bool is_wait(enum kind kind) { return kind == KIND_EVENT_WAIT || kind == KIND_VALUE_WAIT; }

// An op on the launch's stream that the launch implies.
static void imply(const struct api_call *launch, struct api_stream *stream,
                  const struct api_order *order) {
    API_CALL(call);
    if (!api_enter_more(&call, launch, (enum kind)order->kind))
        return;
    call.op.record.flags |= FLAG_IMPLIED;
    api_acts_on(&call, stream);
    if (order->kind == KIND_EVENT_RECORD || order->kind == KIND_EVENT_WAIT)
        api_on_event(&call, order->object);
    else
        api_value(&call, order);
    api_leave(&call, 0, false);
}

// Its waits, or what it signals.
static void imply_orders(const struct api_call *launch, struct api_stream *stream,
                         const void *handle, bool waits) {
    for (uint32_t i = 0;; i++) {
        struct api_order order = {0};
        graphs_lock();
        struct executable *executable = executable_of(handle);
        if (executable && i < executable->orders.count)
            order = ((const struct api_order *)executable->orders.items)[i];
        graphs_unlock();
        if (!order.kind)
            return;
        if (is_wait((enum kind)order.kind) == waits)
            imply(launch, stream, &order);
    }
}

// Whether the launch waits for something, which then comes before it.
static bool starts(struct api_call *call, const void *handle) {
    bool waits = false;
    graphs_lock();
    struct executable *executable = executable_of(handle);
    if (executable) {
        settle(executable);
        const struct api_order *order = executable->orders.items;
        for (uint32_t i = 0; i < executable->orders.count; i++) {
            waits |= is_wait((enum kind)order[i].kind);
            call->signals |= !is_wait((enum kind)order[i].kind);
        }
        call->op.record.graph = executable->id;
        call->op.record.walk = executable_walk(call->op.thread, executable);
        take_sources(call, &executable->sources);
    }
    graphs_unlock();
    return waits;
}

void executable_launches(struct api_call *call, void *stream, const void *handle) {
    api_on_stream(call, stream);
    call->executable = handle;
    if (call->captures || !starts(call, handle))
        return;
    struct api_stream *on = call->stream;
    op_cancel(&call->op);
    imply_orders(call, on, handle, true);
    if (api_enter_more(call, call, KIND_GRAPH_LAUNCH)) {
        api_acts_on(call, on);
        call->executable = handle;
        starts(call, handle);
    }
}

void executable_launched(const struct api_call *call) {
    if (call->signals && call->stream)
        imply_orders(call, call->stream, call->executable, false);
}
