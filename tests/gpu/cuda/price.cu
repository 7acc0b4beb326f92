// What calls of the CUDA runtime cost: prints `NAME ns` for each kind, the least of several rounds.
//
//     price [ROUNDS]
#include "must.h"
#include <chrono>
#include <functional>

__global__ void three(float *to, const float *from, const float *more, int n) {
    if (n < 0)
        to[0] = from[0] + more[0];
}

static double now() {
    return std::chrono::duration<double, std::nano>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

static void measure(const char *name, int rounds, int calls, const std::function<void()> &body) {
    double least = 1e30;
    for (int round = 0; round < rounds; round++) {
        MUST(cudaDeviceSynchronize());
        double start = now();
        for (int i = 0; i < calls; i++)
            body();
        double each = (now() - start) / calls;
        least = each < least ? each : least;
    }
    MUST(cudaDeviceSynchronize());
    printf("%s %.1f\n", name, least);
}

int main(int count, char **arguments) {
    int rounds = count > 1 ? atoi(arguments[1]) : 20;
    float *first, *second, *third, *pinned;
    cudaStream_t one, two;
    cudaEvent_t event;
    MUST(cudaMalloc(&first, 1 << 20));
    MUST(cudaMalloc(&second, 1 << 20));
    MUST(cudaMalloc(&third, 1 << 20));
    MUST(cudaHostAlloc(&pinned, 1 << 20, cudaHostAllocDefault));
    MUST(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
    MUST(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
    MUST(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    MUST(cudaEventRecord(event, one));
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    MUST(cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < 20; i++)
        three<<<1, 32, 0, one>>>(first, second, third, 1);
    MUST(cudaStreamEndCapture(one, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    measure("event_record", rounds, 2000, [&] { MUST(cudaEventRecord(event, one)); });
    measure("event_wait", rounds, 2000, [&] { MUST(cudaStreamWaitEvent(two, event, 0)); });
    measure("event_query", rounds, 1000, [&] { (void)cudaEventQuery(event); });
    measure("stream_sync", rounds, 1000, [&] { MUST(cudaStreamSynchronize(one)); });
    measure("launch", rounds, 500, [&] { three<<<1, 32, 0, one>>>(first, second, third, 1); });
    measure("launch_sync", rounds, 200, [&] {
        three<<<1, 32, 0, one>>>(first, second, third, 1);
        MUST(cudaStreamSynchronize(one));
    });
    measure("copy_d2d", rounds, 500,
            [&] { MUST(cudaMemcpyAsync(first, second, 64, cudaMemcpyDeviceToDevice, one)); });
    measure("copy_h2d_64_sync", rounds, 200, [&] {
        MUST(cudaMemcpyAsync(first, pinned, 64, cudaMemcpyHostToDevice, one));
        MUST(cudaStreamSynchronize(one));
    });
    measure("copy_h2d_64k_sync", rounds, 200, [&] {
        MUST(cudaMemcpyAsync(first, pinned, 65536, cudaMemcpyHostToDevice, one));
        MUST(cudaStreamSynchronize(one));
    });
    measure("copy_d2h_64_sync", rounds, 200, [&] {
        MUST(cudaMemcpyAsync(pinned, first, 64, cudaMemcpyDeviceToHost, one));
        MUST(cudaStreamSynchronize(one));
    });
    measure("graph_20_sync", rounds, 200, [&] {
        MUST(cudaGraphLaunch(executable, one));
        MUST(cudaStreamSynchronize(one));
    });
    measure("pool", rounds, 500, [&] {
        void *made;
        MUST(cudaMallocAsync(&made, 4096, one));
        MUST(cudaFreeAsync(made, one));
    });
    return 0;
}
