#include "api_executable.h"
#include "api_graph_handles.h"
#include "api_kernel.h"
#include <string.h>

struct executable_handle {
    struct handle handle;
    struct executable *executable;
};
enum { EXECUTABLES = 8192 };
static struct executable_handle entries[EXECUTABLES];
static const struct handles table = {entries, sizeof *entries, EXECUTABLES};

struct executable *executable_of(const void *handle) {
    const struct executable_handle *found = handle_find(&table, handle);
    return found ? found->executable : NULL;
}

const struct graph *executable_graph(const void *handle) {
    const struct executable *executable = executable_of(handle);
    return executable ? executable->graph : NULL;
}

static void has_changed(struct executable *executable) {
    executable->changed = true;
    memset(executable->told, 0, sizeof executable->told);
}

uint32_t executable_walk(struct thread *thread, struct executable *executable) {
    bool bare = api_in_known_launch(thread);
    uint32_t epoch = process_epoch();
    if (!executable->told[bare].walk || executable->told[bare].epoch != epoch) {
        executable->told[bare].walk =
            graph_tell(thread, executable->graph, executable->key, executable->id, bare);
        executable->told[bare].epoch = epoch;
    }
    return executable->told[bare].walk;
}

// The first one has the number by which captured calls name their graph.
static uint32_t number_of(struct graph *of) {
    if (!of || of->has_executable)
        return take_id(ID_GRAPH);
    of->has_executable = true;
    return graph_number(of);
}

static struct graph *copy_or_unknown(const struct graph *of) {
    struct graph *copy = of ? graph_copy(of, true) : NULL;
    if (copy)
        return copy;
    copy = graph_new();
    if (copy)
        copy->opaque = true;
    return copy;
}

void executable_made(struct api_call *call, const void *handle, const void *graph) {
    graphs_lock();
    struct graph *of = graph_of(graph);
    struct executable *executable = block_take(sizeof *executable);
    if (executable) {
        executable->graph = copy_or_unknown(of);
        executable->key = handle;
        executable->id = number_of(of);
        has_changed(executable);
    }
    if (executable && executable->graph) {
        call->op.record.graph = executable->id;
        call->op.record.walk = executable_walk(call->op.thread, executable);
    } else {
        block_give(executable, sizeof *executable);
        executable = NULL;
    }
    graphs_unlock();
    struct executable_handle fresh = {.executable = executable};
    handle_remove(&table, handle); // one of that address whose end was not seen
    if (executable)
        handle_add(&table, handle, &fresh);
    else
        atomic_fetch_add(&process.control->untracked, 1);
}

void executable_changes(struct api_call *call, const void *handle) {
    call->executable = handle;
    graphs_lock();
    const struct executable *executable = executable_of(handle);
    call->op.record.graph = executable ? executable->id : 0;
    graphs_unlock();
}

void executable_goes(struct api_call *call, const void *handle) {
    executable_changes(call, handle);
    struct executable *executable = executable_of(handle);
    if (!executable)
        return;
    handle_remove(&table, handle);
    graphs_lock();
    graph_drop(executable->graph);
    list_drop(&executable->sources, sizeof(struct api_source));
    list_drop(&executable->orders, sizeof(struct api_order));
    block_give(executable, sizeof *executable);
    graphs_unlock();
}

// Its nodes stay those of the graph that it was made from.
static void keep_identity(struct graph *fresh, const struct graph *old) {
    for (uint32_t i = 0; fresh->nodes.count == old->nodes.count && i < old->nodes.count; i++) {
        graph_node(fresh, i)->number = graph_node(old, i)->number;
        graph_node(fresh, i)->disabled = graph_node(old, i)->disabled;
    }
}

void executable_follows(struct api_call *call, const void *graph) {
    graphs_lock();
    struct executable *executable = executable_of(call->executable);
    struct graph *fresh = executable ? copy_or_unknown(graph_of(graph)) : NULL;
    if (fresh) {
        keep_identity(fresh, executable->graph);
        executable->changed = true; // what it leaves in use need not be told
        if (!graph_same(executable->graph, fresh))
            has_changed(executable);
        graph_drop(executable->graph);
        executable->graph = fresh;
        call->op.record.walk = executable_walk(call->op.thread, executable);
    } else if (executable) {
        executable->graph->opaque = true;
    }
    graphs_unlock();
}

// Under the lock. Null: a node that is not known, so that nobody knows what the executable does.
static struct graph_node *node_of(const struct api_call *call, const void *node,
                                  struct executable **found) {
    struct executable *executable = *found = executable_of(call->executable);
    if (!executable)
        return NULL;
    has_changed(executable);
    uint32_t place = graph_place(executable->graph, node_number(node));
    if (place < executable->graph->nodes.count)
        return graph_node(executable->graph, place);
    executable->graph->opaque = true;
    return NULL;
}

void executable_sets(struct api_call *call, const void *handle) {
    struct executable *executable;
    graphs_lock();
    struct graph_node *node = node_of(call, handle, &executable);
    if (node)
        graph_set(executable->graph, node, call);
    graphs_unlock();
}

void executable_sets_child(struct api_call *call, const void *handle, const void *graph) {
    struct executable *executable;
    graphs_lock();
    struct graph_node *node = node_of(call, handle, &executable);
    if (node)
        graph_set_child(executable->graph, node, graph_of(graph));
    graphs_unlock();
}

void executable_enables(struct api_call *call, const void *handle, bool enabled) {
    struct executable *executable;
    graphs_lock();
    struct graph_node *node = node_of(call, handle, &executable);
    if (node)
        node->disabled = !enabled;
    graphs_unlock();
}
