// Actors, events, memory and graphs that Python tells of.
#include "kinds.h"
#include "python_op.h"
#include "python_tell.h"
#include <string.h>

static uint64_t now(void) { return atomic_load(&process.control->ticket); }

uint64_t tell_object(uint32_t id, uint16_t type, void *record, size_t size, const char *name) {
    struct thread *thread = thread_enter();
    bool whole = thread && thread->ring && ring_put_named(thread->ring, type, record, size, name);
    thread_leave(thread);
    return whole ? id : 0;
}

// What has no handle of its own is no other's next life.
static uint64_t handle(object_t *given, uint32_t id) {
    uint64_t value = number(given);
    return value ? value : id;
}

FUNCTION(actor) { // kind, name, device, flags, handle
    TAKES(5);
    uint32_t id = take_id(ID_ACTOR);
    struct record_actor record = {
        .handle = handle(a[4], id),
        .born = now(),
        .id = id,
        .device = (int32_t)number(a[2]),
        .flags = (uint32_t)number(a[3]),
        .kind = (uint32_t)number(a[0]),
    };
    return unless_error(
        told(tell_object(record.id, RECORD_ACTOR, &record, sizeof record, text(a[1]))));
}

FUNCTION(event) { // name, device, handle
    TAKES(3);
    uint32_t id = take_id(ID_EVENT);
    struct record_event record = {
        .handle = handle(a[2], id),
        .born = now(),
        .id = id,
        .device = (int32_t)number(a[1]),
    };
    return unless_error(
        told(tell_object(record.id, RECORD_EVENT, &record, sizeof record, text(a[0]))));
}

FUNCTION(storage) { // name, device, base, size, memory kind, handle
    TAKES(6);
    uint32_t id = take_id(ID_STORAGE);
    struct record_storage record = {
        .handle = handle(a[5], id),
        .base = number(a[2]),
        .size = number(a[3]),
        .born = now(),
        .id = id,
        .device = (int32_t)number(a[1]),
        .memory = (uint32_t)number(a[4]),
    };
    return unless_error(
        told(tell_object(record.id, RECORD_STORAGE, &record, sizeof record, text(a[0]))));
}

FUNCTION(graph) { // a number for a graph
    (void)a;
    TAKES(0);
    return told(take_id(ID_GRAPH));
}

// Nothing of Python runs while a record is open.
static bool put_ranges(struct thread *thread, uint32_t walk, object_t *ranges) {
    intptr_t many = python.PyTuple_Size(ranges);
    bool whole = true;
    for (intptr_t i = 0; i < many; i++) {
        const struct range *range =
            python_range_of((uint32_t)number(python.PyTuple_GetItem(ranges, i)));
        struct record_ranges *record = range ? ring_reserve(thread->ring, RECORD_RANGES, 1,
                                                            sizeof *record + sizeof *range, now())
                                             : NULL;
        whole &= record != NULL;
        if (!record)
            continue;
        record->walk = walk;
        record->spare = 0;
        memcpy(record + 1, range, sizeof *range);
        ring_commit(thread->ring, record);
    }
    return whole;
}

static bool put_graph(struct thread *thread, const struct record_graph *graph,
                      const char *operations, const char *name) {
    size_t first = strnlen(operations, 199) + 1, second = strnlen(name, 199) + 1;
    struct record_graph *record =
        ring_reserve(thread->ring, RECORD_GRAPH, 1, sizeof *record + first + second, now());
    if (!record)
        return false;
    record->handle = record->graph = graph->graph;
    record->walk = graph->walk;
    record->nodes = graph->nodes;
    record->spare = 0;
    char *names = (char *)(record + 1);
    memcpy(names, operations, first - 1);
    names[first - 1] = 0;
    memcpy(names + first, name, second - 1);
    names[first + second - 1] = 0;
    ring_commit(thread->ring, record);
    return true;
}

// A version of the graph: what its launches touch. The number of the walk; 0: it could not be told.
FUNCTION(captured) { // graph, ranges, nodes, operations, name
    TAKES(5);
    struct record_graph graph = {.graph = (uint32_t)number(a[0]), .nodes = (uint32_t)number(a[2])};
    const char *operations = text(a[3]), *name = text(a[4]);
    if (python.PyErr_Occurred())
        return NULL;
    struct thread *thread = thread_enter();
    bool whole = thread && thread->ring;
    if (whole) {
        graph.walk = take_id(ID_WALK);
        whole = put_ranges(thread, graph.walk, a[1]) && put_graph(thread, &graph, operations, name);
    }
    thread_leave(thread);
    return unless_error(told(whole ? graph.walk : 0));
}
