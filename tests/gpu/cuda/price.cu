// What calls of the CUDA runtime cost: prints `NAME=ns` for each kind on one line, for each line
// that it reads.
#include "must.h"
#include <chrono>
#include <functional>
#include <vector>

__global__ void three(float *to, const float *from, const float *more, int n) {
    if (n < 0)
        to[0] = from[0] + more[0];
}

static double now() {
    return std::chrono::duration<double, std::nano>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

struct kind {
    const char *name;
    int calls;
    std::function<void()> body;
};

static void measure(const kind &one) {
    one.body(); // others ran in between
    MUST(cudaDeviceSynchronize());
    double start = now();
    for (int i = 0; i < one.calls; i++)
        one.body();
    printf("%s=%.1f ", one.name, (now() - start) / one.calls);
    MUST(cudaDeviceSynchronize());
}

int main() {
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
    const std::vector<kind> kinds = {
        {"event_record", 2000, [&] { MUST(cudaEventRecord(event, one)); }},
        {"event_wait", 2000, [&] { MUST(cudaStreamWaitEvent(two, event, 0)); }},
        {"event_query", 1000, [&] { (void)cudaEventQuery(event); }},
        {"stream_sync", 1000, [&] { MUST(cudaStreamSynchronize(one)); }},
        {"launch", 500, [&] { three<<<1, 32, 0, one>>>(first, second, third, 1); }},
        {"launch_sync", 200,
         [&] {
             three<<<1, 32, 0, one>>>(first, second, third, 1);
             MUST(cudaStreamSynchronize(one));
         }},
        {"copy_d2d", 500,
         [&] { MUST(cudaMemcpyAsync(first, second, 64, cudaMemcpyDeviceToDevice, one)); }},
        {"copy_h2d_64_sync", 200,
         [&] {
             MUST(cudaMemcpyAsync(first, pinned, 64, cudaMemcpyHostToDevice, one));
             MUST(cudaStreamSynchronize(one));
         }},
        {"copy_h2d_64k_sync", 200,
         [&] {
             MUST(cudaMemcpyAsync(first, pinned, 65536, cudaMemcpyHostToDevice, one));
             MUST(cudaStreamSynchronize(one));
         }},
        {"copy_d2h_64_sync", 200,
         [&] {
             MUST(cudaMemcpyAsync(pinned, first, 64, cudaMemcpyDeviceToHost, one));
             MUST(cudaStreamSynchronize(one));
         }},
        {"graph_20_sync", 200,
         [&] {
             MUST(cudaGraphLaunch(executable, one));
             MUST(cudaStreamSynchronize(one));
         }},
        {"pool", 500,
         [&] {
             void *made;
             MUST(cudaMallocAsync(&made, 4096, one));
             MUST(cudaFreeAsync(made, one));
         }},
    };
    char line[64];
    while (fgets(line, sizeof line, stdin)) {
        for (const kind &one_kind : kinds)
            measure(one_kind);
        printf("\n");
        fflush(stdout);
    }
    return 0;
}
