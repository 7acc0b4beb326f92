// Executables of graphs: a copy of a graph's nodes, in an order to launch them.
//
// A launch puts each node's work into a queue: a node that goes on a chain into the chain's, the
// first chain into the launch stream itself, each further branch into a stream of the runtime's
// own. Roots come after what the launch stream had, and the launch stream goes on after all leaves.
// Nothing orders two launches of one executable in two streams. Copies between host memory alone
// are done by the host within the launch. In CUDA a launch comes after the last one of its
// executable; pageable sources are read within the call, and pageable destinations waited for.
#include "graph.h"
#include <stdlib.h>

static bool are_made(const struct nodes *nodes) {
    for (int i = 0; i < nodes->count; i++)
        if (!nodes->list[i]->made)
            return false;
    return true;
}

static struct graph_node *make(struct graph *into, struct graph_node *origin,
                               hipGraphNodeType type) {
    struct graph_node *made = new_node(into, type, &origin->work);
    made->origin = origin;
    made->event = origin->event;
    return made;
}

static bool flatten(struct graph *into, const struct graph *graph, struct graph_node *entry);

// A child graph is an empty node before its nodes and one behind them, which stands for the child.
static bool make_child(struct graph *into, struct graph_node *node, struct graph_node *entry) {
    int first = into->nodes.count;
    if (!flatten(into, node->child, entry))
        return false;
    int end = into->nodes.count;
    struct graph_node *exit = make(into, node, hipGraphNodeTypeEmpty);
    nodes_add(&exit->before, entry);
    for (int i = first; i < end; i++)
        if (!has_followers(into, into->nodes.list[i]))
            nodes_add(&exit->before, into->nodes.list[i]);
    node->made = exit;
    return true;
}

static bool flatten(struct graph *into, const struct graph *graph, struct graph_node *entry) {
    for (int i = 0; i < graph->nodes.count; i++)
        graph->nodes.list[i]->made = NULL;
    for (int left = graph->nodes.count, before = -1; left && left != before;) {
        before = left;
        for (int i = 0; i < graph->nodes.count; i++) {
            struct graph_node *node = graph->nodes.list[i];
            if (node->made || !are_made(&node->before))
                continue;
            bool child = node->type == hipGraphNodeTypeGraph;
            struct graph_node *made = make(into, node, child ? hipGraphNodeTypeEmpty : node->type);
            for (int j = 0; j < node->before.count; j++)
                nodes_add(&made->before, node->before.list[j]->made);
            if (!node->before.count && entry)
                nodes_add(&made->before, entry);
            node->made = made;
            if (child && !make_child(into, node, made))
                return false;
            left--;
        }
        if (!left)
            return true;
    }
    return !graph->nodes.count;
}

struct graph *flattened(const struct graph *graph) {
    struct graph *flat = new_graph();
    flat->inner = true;
    if (flatten(flat, graph, NULL))
        return flat;
    free_graph(flat);
    return NULL;
}

static void exec_drop(void *exec) {
    struct graph_exec *dropped = exec;
    if (--dropped->refs)
        return;
    free_graph(dropped->graph);
    command_drop(dropped->last);
    free(dropped);
}

// --- Launching ---

static struct stream *branch_of(struct graph_node *node, struct stream *launch, bool *first) {
    for (int i = 0; i < node->before.count; i++) {
        struct graph_node *before = node->before.list[i];
        if (!before->followed) {
            before->followed = true;
            return before->command->stream;
        }
    }
    if (*first && !node->before.count) {
        *first = false;
        return launch;
    }
    return idle_stream(launch->device);
}

static bool is_between_hosts(const struct graph_node *node) {
    return node->work.kind == WORK_COPY && !find_memory(node->work.copy.dst.base) &&
           !find_memory(node->work.copy.src.base);
}

static void push_node(struct graph_exec *exec, struct graph_node *node, struct stream *launch,
                      struct command *start, bool *first) {
    bool by_host = is_between_hosts(node);
    struct stream *branch = branch_of(node, launch, first);
    struct command *command = new_command(node->disabled || by_host ? NULL : &node->work, launch);
    if (standin_is_cuda && command->work.kind == WORK_COPY &&
        !find_memory(node->work.copy.src.base))
        stage(command, &node->work.copy);
    if (command->work.kind == WORK_HOST) {
        command->work.late_host = &node->work.host;
        command->after = exec_drop;
        command->owner = exec;
        exec->refs++;
    }
    if (!node->before.count && branch != launch)
        wait_also(command, start);
    for (int i = 0; i < node->before.count; i++)
        if (node->before.list[i]->command->stream != branch)
            wait_also(command, node->before.list[i]->command);
    struct event *event = event_of(node->event);
    if (node->type == hipGraphNodeTypeWaitEvent)
        wait_also(command, event->command);
    node->command = command_hold(push(branch, command));
    if (node->type == hipGraphNodeTypeEventRecord)
        record_command(event, command);
    if (by_host && !node->disabled) {
        host_wait(command);
        unlock();
        work_perform(&node->work);
        lock();
    }
}

void exec_launch(struct graph_exec *exec, struct stream *stream) {
    const struct nodes *nodes = &exec->graph->nodes;
    if (standin_is_cuda && exec->last && !exec->last->done)
        push_marker(stream, exec->last);
    struct command *start = command_hold(stream->last);
    bool first = true, to_pageable = false;
    for (int i = 0; i < nodes->count; i++)
        nodes->list[i]->followed = false;
    for (int i = 0; i < nodes->count; i++)
        push_node(exec, nodes->list[i], stream, start, &first);
    struct command *end = new_command(NULL, stream);
    for (int i = 0; i < nodes->count; i++) {
        struct graph_node *node = nodes->list[i];
        if (node->command->stream != stream)
            wait_also(end, node->command);
        if (node->command->work.kind == WORK_COPY && !find_memory(node->work.copy.dst.base))
            to_pageable = true;
        command_drop(node->command);
        node->command = NULL;
    }
    push(stream, end);
    command_drop(start);
    command_drop(exec->last);
    exec->last = command_hold(end);
    if (standin_is_cuda && to_pageable)
        host_wait(end);
}

hipError_t impl_hipGraphLaunch(hipGraphExec_t handle, hipStream_t on) {
    struct graph_exec *exec = (struct graph_exec *)handle;
    struct stream *stream;
    if (!exec)
        return fail(hipErrorInvalidValue);
    lock();
    hipError_t error = begin(on, &stream);
    if (!error && is_capturing(stream)) {
        struct graph_node *node = capture_node(stream, hipGraphNodeTypeGraph, NULL);
        node->child = graph_copy(exec->graph);
        node->child->inner = true;
    } else if (!error) {
        exec->refs++;
        exec_launch(exec, stream);
        exec_drop(exec);
    }
    unlock();
    return fail(error);
}
hipError_t impl_hipGraphUpload(hipGraphExec_t exec, hipStream_t on) {
    struct stream *stream;
    lock();
    hipError_t error = exec ? find_stream(on, &stream) : hipErrorInvalidValue;
    unlock();
    return fail(error);
}

// --- Making, updating, destroying ---

hipError_t impl_hipGraphInstantiateWithFlags(hipGraphExec_t *handle, hipGraph_t from,
                                             unsigned long long flags) {
    hipError_t error = hipErrorInvalidValue;
    lock();
    struct graph *graph = handle ? graph_of(from) : NULL;
    struct graph *flat = graph ? flattened(graph) : NULL;
    if (flat) {
        struct graph_exec *exec = calloc(1, sizeof *exec);
        *exec = (struct graph_exec){.refs = 1, .graph = flat, .flags = flags};
        *handle = (hipGraphExec_t)exec;
        error = hipSuccess;
    }
    unlock();
    return fail(error);
}
hipError_t impl_hipGraphInstantiate(hipGraphExec_t *handle, hipGraph_t from, hipGraphNode_t *node,
                                    char *log, size_t size) {
    if (node)
        *node = NULL;
    if (log && size)
        *log = 0;
    return impl_hipGraphInstantiateWithFlags(handle, from, 0);
}
hipError_t impl_hipGraphInstantiateWithParams(hipGraphExec_t *handle, hipGraph_t from,
                                              hipGraphInstantiateParams *params) {
    if (!params)
        return fail(hipErrorInvalidValue);
    hipError_t error = impl_hipGraphInstantiateWithFlags(handle, from, params->flags);
    params->errNode_out = NULL;
    params->result_out = error ? hipGraphInstantiateInvalidStructure : hipGraphInstantiateSuccess;
    return error;
}
hipError_t impl_hipGraphExecGetFlags(hipGraphExec_t handle, unsigned long long *flags) {
    if (!handle || !flags)
        return fail(hipErrorInvalidValue);
    *flags = ((struct graph_exec *)handle)->flags;
    return hipSuccess;
}
hipError_t impl_hipGraphExecDestroy(hipGraphExec_t handle) {
    if (!handle)
        return fail(hipErrorInvalidValue);
    lock();
    exec_drop(handle);
    unlock();
    return hipSuccess;
}

static bool same_edges(const struct graph *one, const struct graph *two, int node) {
    const struct nodes *first = &one->nodes.list[node]->before;
    const struct nodes *second = &two->nodes.list[node]->before;
    if (first->count != second->count)
        return false;
    for (int i = 0; i < node; i++)
        if (nodes_have(first, one->nodes.list[i]) != nodes_have(second, two->nodes.list[i]))
            return false;
    return true;
}

static hipGraphExecUpdateResult compare(const struct graph *old, const struct graph *new,
                                        hipGraphNode_t *culprit) {
    if (old->nodes.count != new->nodes.count)
        return hipGraphExecUpdateErrorTopologyChanged;
    for (int i = 0; i < old->nodes.count; i++) {
        *culprit = (hipGraphNode_t) new->nodes.list[i]->origin;
        if (old->nodes.list[i]->type != new->nodes.list[i]->type)
            return hipGraphExecUpdateErrorNodeTypeChanged;
        if (!same_edges(old, new, i))
            return hipGraphExecUpdateErrorTopologyChanged;
    }
    *culprit = NULL;
    return hipGraphExecUpdateSuccess;
}

// The nodes of both are in the order that flattening gives, which is that of their making.
hipError_t impl_hipGraphExecUpdate(hipGraphExec_t handle, hipGraph_t from, hipGraphNode_t *culprit,
                                   hipGraphExecUpdateResult *result) {
    struct graph_exec *exec = (struct graph_exec *)handle;
    hipGraphNode_t node = NULL;
    hipGraphExecUpdateResult told = hipGraphExecUpdateError;
    lock();
    struct graph *graph = exec && result ? graph_of(from) : NULL;
    struct graph *flat = graph ? flattened(graph) : NULL;
    if (flat)
        told = compare(exec->graph, flat, &node);
    for (int i = 0; !told && i < flat->nodes.count; i++) {
        struct graph_node *to = exec->graph->nodes.list[i];
        work_over(&to->work);
        to->work = work_again(&flat->nodes.list[i]->work);
        to->event = flat->nodes.list[i]->event;
    }
    if (flat)
        free_graph(flat);
    unlock();
    if (culprit)
        *culprit = node;
    if (result)
        *result = told;
    return fail(!graph  ? hipErrorInvalidValue
                : !told ? hipSuccess
                        : hipErrorGraphExecUpdateFailure);
}
