// What scenarios share: two backends, a scheduler, some tensors, a graph.
#pragma once
#include "fake.h"

enum { OP_ADD = 1, OP_VIEW = 2, OP_SET_ROWS = 3, TENSOR_BYTES = 256 };

struct graph {
    int count;
    tensor_t *nodes[64];
};

struct machine {
    backend_t device, cpu;
    char *device_memory, *host_memory; // buffers
    void *sched;
    tensor_t input, copy, weight, result, cache, rows, side;
    struct graph graph;
};

void place(tensor_t *tensor, const char *name, void *buffer, size_t offset, size_t bytes);
void start(struct machine *m);

// Of scenario_plugin.c.
void moves(int count);
void elsewhere(int count);
void registries(int unused);

// Of scenario_ranges.c.
void changes(int unused);
void shapes(int unused);
void lives(int count);
void borrowed(int count);
void many(int count);
