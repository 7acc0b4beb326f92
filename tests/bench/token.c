// Tokens of a small model on the stand-in ggml, whose calls do nothing: token COUNT PAUSE_US.
//
// Prints the median time of a token's calls, ns. Between tokens it spins, as a program does that
// has work to do. A token is `ii h g[CPU] sasc sc sc sc sc g d S:ss`, as llama.cpp's on one device.
#include "ggml_abi.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { INPUTS = 5, NODES = 32, BYTES = 512, MASK = 32 << 10 };

struct graph {
    int count;
    tensor_t *nodes[64];
};

static backend_t device, cpu;
static tensor_t input[INPUTS], copy[INPUTS], embedding, embedding_copy, node[NODES];
static struct graph device_graph, cpu_graph;

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ll + t.tv_nsec;
}

static size_t place(tensor_t *tensor, const char *name, void *buffer, size_t at, size_t bytes) {
    tensor->buffer = buffer;
    tensor->data = (char *)ggml_backend_buffer_get_base(buffer) + at;
    tensor->ne[0] = (int64_t)bytes;
    snprintf(tensor->name, sizeof tensor->name, "%s", name);
    return at + bytes;
}

static void set_up(void) {
    device = ggml_backend_dev_init((void *)1, NULL);
    cpu = ggml_backend_dev_init((void *)0, NULL);
    void *there = ggml_backend_buft_alloc_buffer((void *)1, 1 << 20);
    void *here = ggml_backend_buft_alloc_buffer((void *)0, 1 << 20);
    size_t host = 0, remote = 0;
    for (int i = 0; i < INPUTS; i++) {
        size_t bytes = i ? BYTES : MASK;
        char name[16];
        snprintf(name, sizeof name, "input %d", i);
        host = place(&input[i], name, here, host, bytes);
        remote = place(&copy[i], name, there, remote, bytes);
        input[i].flags = TENSOR_FLAG_INPUT;
    }
    host = place(&embedding, "embedding", here, host, BYTES);
    remote = place(&embedding_copy, "embedding copy", there, remote, BYTES);
    for (int i = 0; i < NODES; i++) {
        remote = place(&node[i], "node", there, remote, BYTES);
        node[i].op = 1;
        node[i].src[0] = i ? &node[i - 1] : &embedding_copy;
        node[i].src[1] = &copy[i % INPUTS];
        device_graph.nodes[device_graph.count++] = &node[i];
    }
    embedding.op = 4;
    embedding.src[0] = &input[1];
    for (int i = 0; i < INPUTS; i++)
        embedding.src[1 + i] = &input[i];
    cpu_graph.nodes[cpu_graph.count++] = &embedding;
}

static void token(void *sched, int value) {
    static char logits[BYTES];
    ggml_backend_tensor_set(&input[1], logits, 0, 8);
    ggml_backend_tensor_set(&input[2], logits, 0, 8);
    memset(input[3].data, value, 8);
    memset(input[4].data, value, 64);
    memset(input[0].data, value, 256);
    ggml_backend_sched_graph_compute_async(sched, &cpu_graph); // its s and g[CPU]
    ggml_backend_synchronize(device);
    ggml_backend_tensor_copy_async(cpu, device, &embedding, &embedding_copy);
    for (int i = 0; i < INPUTS; i++) {
        ggml_backend_synchronize(device);
        ggml_backend_tensor_copy(&input[i], &copy[i]);
    }
    ggml_backend_graph_compute_async(device, &device_graph);
    ggml_backend_tensor_get_async(device, &node[NODES - 1], logits, 0, sizeof logits);
    ggml_backend_sched_synchronize(sched);
}

static int order(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    int count = atoi(argv[1]);
    long long pause = atoll(argv[2]) * 1000, *took = calloc((size_t)count, sizeof *took);
    set_up();
    void *sched = ggml_backend_sched_new((backend_t[]){cpu, device}, NULL, 2, 64, false, false);
    ggml_backend_sched_alloc_graph(sched, &cpu_graph);
    for (int i = 0; i < count; i++) {
        long long start = now();
        token(sched, i);
        long long end = now();
        took[i] = end - start;
        while (now() < end + pause)
            ;
    }
    qsort(took, (size_t)count, sizeof *took, order);
    printf("%lld\n", took[count / 2]);
    return 0;
}
