// A program on the CUDA runtime, linked statically or not: what it does is chosen by name.
//
//     scenes SCENE race|fixed
//
// Each but `whole` is a bug and its fix. What a scene prints as `fixed` is the same each time.
#include "must.h"
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <thread>

static const int N = 1 << 20;
static const size_t BYTES = N * sizeof(float);
static bool fixed;

__global__ void scale(float *to, const float *from, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = by * from[i];
}
struct Packed {
    const float *from;
    int n;
    float *to;
    double more;
};
__global__ void packed(Packed all) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < all.n)
        all.to[i] = all.from[i] + (float)all.more;
}
__constant__ float table[16];

static float *device_memory() {
    float *made;
    MUST(cudaMalloc(&made, BYTES));
    MUST(cudaMemset(made, 0, BYTES));
    MUST(cudaDeviceSynchronize());
    return made;
}
static float *pinned_memory(float value) {
    float *made;
    MUST(cudaHostAlloc(&made, BYTES, cudaHostAllocDefault));
    for (int i = 0; i < N; i++)
        made[i] = value;
    return made;
}
static void fill(float *memory, float value) {
    for (int i = 0; i < N; i++)
        memory[i] = value;
}
static void print_sum(const float *from) {
    static float host[N];
    MUST(cudaMemcpy(host, from, BYTES, cudaMemcpyDefault));
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += host[i];
    if (fixed)
        printf("%.1f\n", sum);
}
static void delay(cudaStream_t on) { spin<<<1, 1, 0, on>>>(20000000); }

// A staging buffer is filled again while its copy may still read it.
static void staging() {
    float *host = pinned_memory(1), *device = device_memory();
    cudaStream_t copies = stream();
    for (int turn = 1; turn <= 3; turn++) {
        delay(copies);
        MUST(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, copies));
        if (fixed)
            MUST(cudaStreamSynchronize(copies));
        fill(host, (float)turn + 1);
    }
    MUST(cudaStreamSynchronize(copies));
    print_sum(device);
}

// One stream reads what another writes, with or without an event between them.
static void streams() {
    float *first = device_memory(), *second = device_memory();
    cudaStream_t writes = stream(), reads = stream();
    cudaEvent_t written = event();
    delay(writes);
    scale<<<N / 256, 256, 0, writes>>>(first, second, 2, N);
    MUST(cudaEventRecord(written, writes));
    if (fixed)
        MUST(cudaStreamWaitEvent(reads, written, 0));
    packed<<<N / 256, 256, 0, reads>>>(Packed{first, N, second, 1});
    MUST(cudaMemcpyAsync(second, first, BYTES, cudaMemcpyDeviceToDevice, reads));
    MUST(cudaDeviceSynchronize());
    print_sum(second);
}

// A graph reads pinned memory at each launch; the host writes it between two.
static void graph_input() {
    float *host = pinned_memory(1), *device = device_memory();
    cudaStream_t runs = stream();
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    MUST(cudaStreamBeginCapture(runs, cudaStreamCaptureModeThreadLocal));
    delay(runs);
    MUST(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, runs));
    scale<<<N / 256, 256, 0, runs>>>(device, device, 2, N);
    MUST(cudaStreamEndCapture(runs, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    for (int turn = 1; turn <= 3; turn++) {
        MUST(cudaGraphLaunch(executable, runs));
        if (fixed)
            MUST(cudaStreamSynchronize(runs));
        fill(host, (float)turn + 1);
    }
    MUST(cudaStreamSynchronize(runs));
    print_sum(device);
}

// Memory of a pool is given back on one stream while another still uses it.
static void pool() {
    float *result = device_memory(), *made;
    cudaStream_t owns = stream(), uses = stream();
    cudaEvent_t ready = event(), used = event();
    MUST(cudaMallocAsync((void **)&made, BYTES, owns));
    MUST(cudaMemsetAsync(made, 0, BYTES, owns));
    MUST(cudaEventRecord(ready, owns));
    MUST(cudaStreamWaitEvent(uses, ready, 0));
    delay(uses);
    MUST(cudaMemcpyAsync(result, made, BYTES, cudaMemcpyDeviceToDevice, uses));
    MUST(cudaEventRecord(used, uses));
    if (fixed)
        MUST(cudaStreamWaitEvent(owns, used, 0));
    MUST(cudaFreeAsync(made, owns));
    MUST(cudaDeviceSynchronize());
    print_sum(result);
}

// Two threads hand buffers over: one fills and copies, the other computes.
static void threads() {
    float *host = pinned_memory(1), *device = device_memory(), *result = device_memory();
    cudaStream_t copies = stream(), computes = stream();
    cudaEvent_t arrived = event(), done = event();
    std::mutex mutex;
    std::condition_variable changed;
    int copied = 0, computed = 0;
    const int turns = 20;
    std::thread consumer([&] {
        for (int turn = 1; turn <= turns; turn++) {
            std::unique_lock<std::mutex> lock(mutex);
            changed.wait(lock, [&] { return copied >= turn; });
            if (fixed)
                MUST(cudaStreamWaitEvent(computes, arrived, 0));
            scale<<<N / 256, 256, 0, computes>>>(result, device, (float)turn, N);
            MUST(cudaEventRecord(done, computes));
            computed = turn;
            changed.notify_all();
        }
    });
    for (int turn = 1; turn <= turns; turn++) {
        std::unique_lock<std::mutex> lock(mutex);
        changed.wait(lock, [&] { return computed >= turn - 1; });
        MUST(cudaStreamWaitEvent(copies, done, 0));
        MUST(cudaStreamSynchronize(copies));
        fill(host, (float)turn);
        MUST(cudaMemcpyAsync(device, host, BYTES, cudaMemcpyHostToDevice, copies));
        MUST(cudaEventRecord(arrived, copies));
        copied = turn;
        changed.notify_all();
    }
    consumer.join();
    MUST(cudaDeviceSynchronize());
    print_sum(result);
}

// An executable is updated from a new capture in each turn.
static void updates() {
    float *first = device_memory(), *second = device_memory();
    cudaStream_t runs = stream(), other = stream();
    cudaGraphExec_t executable = nullptr;
    for (int turn = 0; turn < 10; turn++) {
        cudaGraph_t graph;
        MUST(cudaStreamBeginCapture(runs, cudaStreamCaptureModeThreadLocal));
        scale<<<N / 256, 256, 0, runs>>>(turn % 2 ? first : second, turn % 2 ? second : first,
                                         (float)turn, N);
        MUST(cudaStreamEndCapture(runs, &graph));
        if (executable) {
            cudaGraphExecUpdateResultInfo info;
            MUST(cudaGraphExecUpdate(executable, graph, &info));
        } else
            MUST(cudaGraphInstantiate(&executable, graph, 0));
        MUST(cudaGraphLaunch(executable, runs));
        if (!fixed && turn == 9)
            MUST(cudaMemsetAsync(first, 0, BYTES, other));
        MUST(cudaGraphDestroy(graph));
    }
    MUST(cudaDeviceSynchronize());
    print_sum(first);
}

static void count_calls(void *number) { ++*(int *)number; }

// Most of what the runtime has, once.
static void whole() {
    float *host = pinned_memory(1), *back = pinned_memory(0), *plain = (float *)malloc(BYTES);
    float *first = device_memory(), *second = device_memory(), *managed, *registered;
    cudaStream_t one = stream(), two = stream(cudaStreamDefault);
    cudaEvent_t ready = event(), done = event();
    int called = 0;
    fill(plain, 3);
    registered = (float *)aligned_alloc(4096, BYTES);
    MUST(cudaHostRegister(registered, BYTES, 0));
    MUST(cudaMallocManaged(&managed, BYTES));
    MUST(cudaMemcpyAsync(first, host, BYTES, cudaMemcpyHostToDevice, one));
    scale<<<N / 256, 256, 0, one>>>(second, first, 2, N);
    MUST(cudaEventRecord(ready, one));
    MUST(cudaStreamWaitEvent(two, ready, 0));
    packed<<<N / 256, 256, 0, two>>>(Packed{second, N, first, 1});
    MUST(cudaMemcpyAsync(back, first, BYTES, cudaMemcpyDeviceToHost, two));
    MUST(cudaEventRecord(done, two));
    while (cudaEventQuery(done) == cudaErrorNotReady)
        ;
    MUST(cudaEventSynchronize(done));
    MUST(cudaStreamSynchronize(two));
    MUST(cudaMemsetAsync(first, 0, BYTES, one));
    MUST(cudaMemcpyAsync(first, second, BYTES, cudaMemcpyDeviceToDevice, one));
    MUST(cudaMemcpyAsync(registered, first, BYTES, cudaMemcpyDefault, one));
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(first, plain, BYTES, cudaMemcpyHostToDevice));
    MUST(cudaMemcpy(plain, first, BYTES, cudaMemcpyDeviceToHost));
    MUST(cudaMemcpy(second, first, BYTES, cudaMemcpyDeviceToDevice)); // the host goes on at once
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy2DAsync(first, 1024, host, 2048, 512, 100, cudaMemcpyHostToDevice, one));
    MUST(cudaMemset2DAsync(first, 1024, 0, 512, 100, one));
    float values[16] = {1, 2, 3};
    MUST(cudaMemcpyToSymbolAsync(table, values, sizeof values, 0, cudaMemcpyHostToDevice, one));
    MUST(cudaLaunchHostFunc(one, count_calls, &called));
    float *pooled;
    MUST(cudaMallocAsync((void **)&pooled, BYTES, one));
    MUST(cudaMemsetAsync(pooled, 1, BYTES, one));
    MUST(cudaFreeAsync(pooled, one));
    MUST(cudaStreamSynchronize(one));
    scale<<<N / 256, 256>>>(managed, first, 1, N);
    MUST(cudaDeviceSynchronize());
    MUST(cudaFree(managed));

    cudaGraph_t graph;
    cudaGraphExec_t executable;
    MUST(cudaStreamBeginCapture(one, cudaStreamCaptureModeThreadLocal));
    MUST(cudaMemcpyAsync(first, host, BYTES, cudaMemcpyHostToDevice, one));
    MUST(cudaEventRecord(ready, one));
    MUST(cudaStreamWaitEvent(two, ready, 0));
    scale<<<N / 256, 256, 0, two>>>(second, first, 2, N);
    MUST(cudaEventRecord(done, two));
    MUST(cudaStreamWaitEvent(one, done, 0));
    MUST(cudaMemcpyAsync(back, second, BYTES, cudaMemcpyDeviceToHost, one));
    MUST(cudaStreamEndCapture(one, &graph));
    MUST(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 3; i++)
        MUST(cudaGraphLaunch(executable, one));
    MUST(cudaStreamSynchronize(one));
    MUST(cudaGraphExecDestroy(executable));
    MUST(cudaGraphDestroy(graph));
    MUST(cudaHostUnregister(registered));
    print_sum(second);
    printf("%d\n", called);
    MUST(cudaFree(first));
    MUST(cudaFree(second));
    MUST(cudaFreeHost(host));
    MUST(cudaFreeHost(back));
    MUST(cudaEventDestroy(ready));
    MUST(cudaStreamDestroy(one));
}

int main(int count, char **arguments) {
    const struct {
        const char *name;
        void (*play)();
    } all[] = {
        {"whole", whole}, {"staging", staging}, {"streams", streams}, {"graph-input", graph_input},
        {"pool", pool},   {"threads", threads}, {"updates", updates}};
    if (count != 3)
        return 2;
    fixed = strcmp(arguments[2], "fixed") == 0;
    for (auto &scene : all)
        if (strcmp(scene.name, arguments[1]) == 0) {
            scene.play();
            return 0;
        }
    return 2;
}
