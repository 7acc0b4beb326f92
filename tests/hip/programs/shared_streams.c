// Threads that call at random on streams and events they share, each on bytes of its own, which
// must come out right: the runtime's own state is what is put to the test, also under a sanitizer.
#include "hip.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, STREAMS = 3, ROUNDS = 150, BYTES = 64 };

static hipStream_t streams[STREAMS + 2]; // with the legacy stream and that of each thread
static hipEvent_t events[STREAMS];

static void ok(hipError_t error, int line) {
    if (error) {
        printf("threads.c:%d: %d\n", line, error);
        exit(1);
    }
}
#define OK(call) ok(call, __LINE__)

static void count_call(void *counter) { ++*(int *)counter; }

static hipGraphExec_t graph_of(char *to, const char *from) {
    hipGraph_t graph;
    hipGraphExec_t exec;
    hipGraphNode_t first, second;
    OK(hipGraphCreate(&graph, 0));
    OK(hipGraphAddMemcpyNode1D(&first, graph, NULL, 0, to, from, BYTES / 2, hipMemcpyDefault));
    OK(hipGraphAddMemcpyNode1D(&second, graph, NULL, 0, to + BYTES / 2, from + BYTES / 2, BYTES / 2,
                               hipMemcpyDefault));
    OK(hipGraphInstantiate(&exec, graph, NULL, NULL, 0));
    OK(hipGraphDestroy(graph));
    return exec;
}

static void *work(void *argument) {
    unsigned seed = (unsigned)(size_t)argument;
    for (int round = 0; round < ROUNDS; round++) {
        void *device, *pinned, *pooled;
        int calls = 0;
        char value = (char)(round + 1), back[BYTES];
        hipStream_t s = streams[rand_r(&seed) % (STREAMS + 2)];
        hipEvent_t e = events[rand_r(&seed) % STREAMS];
        OK(hipSetDevice(0));
        OK(hipMalloc(&device, BYTES));
        OK(hipHostMalloc(&pinned, BYTES, 0));
        OK(hipMallocAsync(&pooled, BYTES, s));
        OK(hipMemsetAsync(device, value, BYTES, s));
        OK(hipEventRecord(e, s));
        OK(hipStreamWaitEvent(streams[rand_r(&seed) % STREAMS], e, 0));
        hipGraphExec_t exec = graph_of(pinned, device);
        OK(hipGraphLaunch(exec, s));
        OK(hipMemcpyAsync(pooled, pinned, BYTES, hipMemcpyDefault, s));
        OK(hipLaunchHostFunc(s, count_call, &calls));
        OK(hipMemcpyAsync(back, pooled, BYTES, hipMemcpyDeviceToHost, s));
        OK(hipFreeAsync(pooled, s));
        OK(hipStreamSynchronize(s));
        for (int i = 0; i < BYTES; i++)
            ok(back[i] == value && calls == 1 ? hipSuccess : hipErrorUnknown, __LINE__);
        OK(hipGraphExecDestroy(exec));
        OK(hipFree(device));
        OK(hipHostFree(pinned));
        if (round % 16 == 0) {
            hipStream_t own;
            OK(hipStreamCreate(&own));
            OK(hipStreamWaitEvent(own, e, 0));
            OK(hipStreamDestroy(own));
        }
    }
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    for (int i = 0; i < STREAMS; i++) {
        OK(hipStreamCreateWithFlags(&streams[i], i ? hipStreamNonBlocking : hipStreamDefault));
        OK(hipEventCreateWithFlags(&events[i], hipEventDisableTiming));
    }
    streams[STREAMS] = NULL;
    streams[STREAMS + 1] = hipStreamPerThread;
    for (size_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
