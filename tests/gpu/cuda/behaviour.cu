// What the CUDA runtime does, and what a program may therefore rely on: one line a case, with
// `hazard` where the later of two accesses did not wait for the earlier one.
//
//     behaviour
//
// Ahead of each pair a kernel spins, so that who does not wait comes first every time. Each case is
// an annotated range: a recorded run is judged case by case (tests/gpu/behaviour.py).
#include "must.h"
#include "synctrace.h"
#include <chrono>
#include <cstring>
#include <functional>
#include <string>
#include <unistd.h>
#include <vector>

static const size_t KIB = 1 << 10, MIB = 1 << 20;
static const char BEFORE = 1, AFTER = 2;
static const long long SPIN_CYCLES = 80000000; // about 45 ms

static void delay(cudaStream_t on) { spin<<<1, 1, 0, on>>>(SPIN_CYCLES); }

enum Kind { PAGEABLE, PINNED, REGISTERED };
static const char *const KIND_NAMES[] = {"pageable", "pinned", "registered"};

static char *host(Kind kind, size_t bytes, char value) {
    char *made;
    if (kind == PINNED)
        MUST(cudaHostAlloc(&made, bytes, cudaHostAllocDefault));
    else
        made = (char *)aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
    memset(made, value, bytes);
    if (kind == REGISTERED)
        MUST(cudaHostRegister(made, bytes, cudaHostRegisterDefault));
    return made;
}
static char *device(size_t bytes, char value) {
    char *made;
    MUST(cudaMalloc(&made, bytes));
    MUST(cudaMemset(made, value, bytes));
    MUST(cudaDeviceSynchronize());
    return made;
}
static void refill(char *memory, size_t bytes) {
    synctrace_host_write(memory, bytes, "refill");
    memset(memory, AFTER, bytes);
}
static bool host_sees(const char *memory, char value, size_t bytes) {
    synctrace_host_read(memory, bytes, "look");
    return memory[0] == value && memory[bytes - 1] == value;
}
static bool device_holds(const char *memory, char value, size_t bytes) {
    std::vector<char> copy(bytes);
    MUST(cudaDeviceSynchronize());
    MUST(cudaMemcpy(copy.data(), memory, bytes, cudaMemcpyDeviceToHost));
    return copy[0] == value && copy[bytes - 1] == value;
}

// The source of a copy to the device is written as soon as the call has returned.
static bool to_device(Kind kind, size_t bytes) {
    char *from = host(kind, bytes, BEFORE), *to = device(bytes, 0);
    cudaStream_t copies = stream();
    delay(copies);
    MUST(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, copies));
    refill(from, bytes);
    return !device_holds(to, BEFORE, bytes);
}
// The destination of a copy from the device is read as soon as the call has returned.
static bool from_device(Kind kind, size_t bytes) {
    char *from = device(bytes, AFTER), *to = host(kind, bytes, BEFORE);
    cudaStream_t copies = stream();
    delay(copies);
    MUST(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, copies));
    return !host_sees(to, AFTER, bytes);
}

// What has been asked for on a stream that no other waits for; the host reads it behind a call.
struct Pending {
    cudaStream_t on;
    char *from, *to;
};
static Pending pending(unsigned flags = cudaStreamNonBlocking) {
    Pending made = {stream(flags), device(KIB, AFTER), host(PINNED, KIB, BEFORE)};
    delay(made.on);
    MUST(cudaMemcpyAsync(made.to, made.from, KIB, cudaMemcpyDeviceToHost, made.on));
    return made;
}
static bool unseen(const Pending &copy) { return !host_sees(copy.to, AFTER, KIB); }

// A copy from pageable memory that follows it on its stream.
static bool staged_behind(size_t bytes) {
    char *from = host(PAGEABLE, bytes, BEFORE), *to = device(bytes, 0);
    Pending copy = pending();
    MUST(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, copy.on));
    return unseen(copy);
}

static cudaGraphExec_t copying(char *to, const char *from, cudaMemcpyKind kind, bool slowly) {
    cudaGraph_t graph;
    cudaGraphNode_t first, copy;
    cudaGraphExec_t made;
    long long cycles = SPIN_CYCLES;
    void *arguments[] = {&cycles};
    cudaKernelNodeParams spins = {};
    spins.func = (void *)spin;
    spins.gridDim = spins.blockDim = dim3(1);
    spins.kernelParams = arguments;
    MUST(cudaGraphCreate(&graph, 0));
    if (slowly)
        MUST(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &spins));
    MUST(cudaGraphAddMemcpyNode1D(&copy, graph, &first, slowly, to, from, KIB, kind));
    MUST(cudaGraphInstantiate(&made, graph, 0));
    return made;
}
static bool graph_to_device(Kind kind, bool launched_first) {
    char *from = host(kind, KIB, BEFORE), *to = device(KIB, 0);
    cudaGraphExec_t copy = copying(to, from, cudaMemcpyHostToDevice, false);
    cudaStream_t runs = stream();
    delay(runs);
    if (!launched_first)
        refill(from, KIB);
    MUST(cudaGraphLaunch(copy, runs));
    if (launched_first)
        refill(from, KIB);
    return !device_holds(to, launched_first ? BEFORE : AFTER, KIB);
}
static bool graph_from_device(Kind kind) {
    char *from = device(KIB, AFTER), *to = host(kind, KIB, BEFORE);
    cudaGraphExec_t copy = copying(to, from, cudaMemcpyDeviceToHost, false);
    cudaStream_t runs = stream();
    delay(runs);
    MUST(cudaGraphLaunch(copy, runs));
    return !host_sees(to, AFTER, KIB);
}
// Two launches that write the same, on two streams: of one executable, or of two.
static bool launched_twice(bool one_executable) {
    char *from = device(KIB, AFTER), *to = device(KIB, BEFORE);
    cudaGraphExec_t first = copying(to, from, cudaMemcpyDeviceToDevice, true);
    cudaGraphExec_t second =
        one_executable ? first : copying(to, from, cudaMemcpyDeviceToDevice, true);
    cudaStream_t one = stream(), two = stream();
    MUST(cudaGraphUpload(first, one));
    MUST(cudaGraphUpload(second, two));
    MUST(cudaDeviceSynchronize());
    auto start = std::chrono::steady_clock::now();
    delay(one);
    MUST(cudaDeviceSynchronize());
    auto alone = std::chrono::steady_clock::now() - start;
    start = std::chrono::steady_clock::now();
    MUST(cudaGraphLaunch(first, one));
    MUST(cudaGraphLaunch(second, two));
    MUST(cudaDeviceSynchronize());
    return std::chrono::steady_clock::now() - start < alone * 3 / 2;
}

// Work of the legacy stream, and a reader on a stream that does not wait for it.
static bool legacy_write(bool copy) {
    char *from = device(KIB, AFTER), *to = device(KIB, BEFORE), *out = device(KIB, 0);
    cudaStream_t reads = stream();
    delay(nullptr);
    if (copy)
        MUST(cudaMemcpy(to, from, KIB, cudaMemcpyDeviceToDevice));
    else
        MUST(cudaMemset(to, AFTER, KIB));
    MUST(cudaMemcpyAsync(out, to, KIB, cudaMemcpyDeviceToDevice, reads));
    return !device_holds(out, AFTER, KIB);
}
static bool legacy_memset_of_pinned() {
    char *to = host(PINNED, KIB, BEFORE);
    delay(nullptr);
    MUST(cudaMemset(to, AFTER, KIB));
    return !host_sees(to, AFTER, KIB);
}
static bool host_to_host(bool legacy) {
    char *from = host(PINNED, KIB, BEFORE), *to = host(PINNED, KIB, BEFORE);
    char *filled = device(KIB, AFTER);
    cudaStream_t copies = legacy ? nullptr : stream();
    delay(copies);
    MUST(cudaMemcpyAsync(from, filled, KIB, cudaMemcpyDeviceToHost, copies));
    if (legacy)
        MUST(cudaMemcpy(to, from, KIB, cudaMemcpyHostToHost));
    else
        MUST(cudaMemcpyAsync(to, from, KIB, cudaMemcpyHostToHost, copies));
    return !host_sees(to, AFTER, KIB);
}
// cudaMemcpy to memory that a stream has still to read.
static bool copied_under(unsigned flags, Kind kind) {
    char *from = host(kind, KIB, AFTER), *to = device(KIB, BEFORE), *out = device(KIB, 0);
    cudaStream_t reads = stream(flags);
    delay(reads);
    MUST(cudaMemcpyAsync(out, to, KIB, cudaMemcpyDeviceToDevice, reads));
    MUST(cudaMemcpy(to, from, KIB, cudaMemcpyHostToDevice));
    return !device_holds(out, BEFORE, KIB);
}

// A call of another kind between pending work and the host's look at it.
static bool behind(const std::function<void()> &before, const std::function<void()> &call) {
    before();
    Pending copy = pending();
    call();
    return unseen(copy);
}
static bool freed_in_use() {
    Pending copy = pending();
    MUST(cudaFree(copy.from));
    return unseen(copy);
}
static bool source_freed_in_use() {
    char *from = host(PINNED, KIB, BEFORE), *to = device(KIB, 0);
    cudaStream_t copies = stream();
    delay(copies);
    MUST(cudaMemcpyAsync(to, from, KIB, cudaMemcpyHostToDevice, copies));
    MUST(cudaFreeHost(from));
    return !device_holds(to, BEFORE, KIB);
}

static bool waits_for(bool recorded, bool recorded_anew) {
    char *from = device(KIB, AFTER), *to = device(KIB, BEFORE), *out = device(KIB, 0);
    cudaStream_t writes = stream(), reads = stream();
    cudaEvent_t ready = event();
    if (recorded_anew) // what a wait is for is settled at the wait
        MUST(cudaEventRecord(ready, writes));
    delay(writes);
    if (recorded_anew)
        MUST(cudaStreamWaitEvent(reads, ready, 0));
    MUST(cudaMemcpyAsync(to, from, KIB, cudaMemcpyDeviceToDevice, writes));
    if (recorded)
        MUST(cudaEventRecord(ready, writes));
    if (!recorded_anew)
        MUST(cudaStreamWaitEvent(reads, ready, 0));
    MUST(cudaMemcpyAsync(out, to, KIB, cudaMemcpyDeviceToDevice, reads));
    return !device_holds(out, AFTER, KIB);
}
static bool waits_by_event(const std::function<cudaError_t(cudaEvent_t)> &wait, bool recorded) {
    Pending copy = pending();
    cudaEvent_t done = event();
    if (recorded)
        MUST(cudaEventRecord(done, copy.on));
    while (wait(done) == cudaErrorNotReady)
        usleep(1000);
    return unseen(copy);
}

static void play(const std::string &name, const std::function<bool()> &body) {
    synctrace_range_push(name.c_str());
    bool hazard = body();
    MUST(cudaDeviceSynchronize());
    synctrace_range_pop();
    printf("%s %s\n", name.c_str(), hazard ? "hazard" : "ordered");
}
static std::string sized(const char *what, Kind kind, size_t bytes) {
    std::string size = bytes < MIB ? std::to_string(bytes / KIB) + "K"
                                   : std::to_string(bytes / MIB) + "M";
    return std::string(what) + "-" + KIND_NAMES[kind] + "-" + size;
}

static void play_copies() {
    for (Kind kind : {PAGEABLE, PINNED, REGISTERED})
        for (size_t bytes : {KIB, 64 * KIB, MIB, 4 * MIB, 64 * MIB}) {
            play(sized("to", kind, bytes), [=] { return to_device(kind, bytes); });
            play(sized("from", kind, bytes), [=] { return from_device(kind, bytes); });
        }
    for (size_t bytes : {KIB, 2 * MIB, 3 * MIB, 64 * MIB})
        play(sized("behind", PAGEABLE, bytes), [=] { return staged_behind(bytes); });
    for (Kind kind : {PAGEABLE, PINNED}) {
        std::string name = KIND_NAMES[kind];
        play("graph-to-" + name, [=] { return graph_to_device(kind, true); });
        play("graph-to-" + name + "-before", [=] { return graph_to_device(kind, false); });
        play("graph-from-" + name, [=] { return graph_from_device(kind); });
        play("memcpy-under-blocking-" + name,
             [=] { return copied_under(cudaStreamDefault, kind); });
        play("memcpy-under-nonblocking-" + name,
             [=] { return copied_under(cudaStreamNonBlocking, kind); });
    }
    play("memcpy-on-device", [] { return legacy_write(true); });
    play("memset-on-device", [] { return legacy_write(false); });
    play("memset-pinned", legacy_memset_of_pinned);
    play("memcpy-host-to-host", [] { return host_to_host(true); });
    play("memcpy-host-to-host-async", [] { return host_to_host(false); });
    play("one-executable-twice", [] { return launched_twice(true); });
    play("two-executables", [] { return launched_twice(false); });
}

static void play_waits() {
    play("wait-for-record", [] { return waits_for(true, false); });
    play("wait-for-earlier-record", [] { return waits_for(true, true); });
    play("wait-for-no-record", [] { return waits_for(false, false); });
    play("event-sync", [] { return waits_by_event(cudaEventSynchronize, true); });
    play("event-sync-no-record", [] { return waits_by_event(cudaEventSynchronize, false); });
    play("event-query", [] { return waits_by_event(cudaEventQuery, true); });
    play("stream-sync", [] {
        Pending copy = pending();
        MUST(cudaStreamSynchronize(copy.on));
        return unseen(copy);
    });
    for (unsigned flags : {cudaStreamDefault, cudaStreamNonBlocking})
        play(flags == cudaStreamDefault ? "legacy-sync-blocking" : "legacy-sync-nonblocking", [=] {
            Pending copy = pending(flags);
            MUST(cudaStreamSynchronize(nullptr));
            return unseen(copy);
        });
}

static void play_other_calls() {
    static char *memory, *plain;
    static cudaStream_t other;
    static cudaEvent_t mark;
    static cudaGraphExec_t executable;
    static void *pooled;
    auto nothing = [] {};
    auto made = [&](const char *name, std::function<void()> before, std::function<void()> call) {
        play(name, [=] { return behind(before, call); });
    };
    other = stream();
    play("free-in-use", freed_in_use);
    play("free-host-in-use", source_freed_in_use);
    made("free", [] { memory = device(KIB, 0); }, [] { MUST(cudaFree(memory)); });
    made("free-host", [] { memory = host(PINNED, KIB, 0); }, [] { MUST(cudaFreeHost(memory)); });
    made("host-unregister", [] { memory = host(REGISTERED, KIB, 0); },
         [] { MUST(cudaHostUnregister(memory)); });
    made("free-of-pool",
         [] {
             MUST(cudaMallocAsync(&pooled, KIB, other));
             MUST(cudaStreamSynchronize(other));
         },
         [] { MUST(cudaFree(pooled)); });
    made("malloc", nothing, [] { MUST(cudaMalloc(&memory, KIB)); });
    made("malloc-host", nothing, [] { MUST(cudaHostAlloc(&memory, KIB, 0)); });
    made("host-register", [] { plain = host(PAGEABLE, KIB, 0); },
         [] { MUST(cudaHostRegister(plain, KIB, 0)); });
    made("malloc-async", nothing, [] { MUST(cudaMallocAsync(&pooled, KIB, other)); });
    made("event-create", nothing, [] { mark = event(); });
    made("event-destroy", nothing, [] { MUST(cudaEventDestroy(mark)); });
    made("stream-create", nothing, [] { other = stream(); });
    made("graph-instantiate", [] { memory = device(2 * KIB, 0); },
         [] { executable = copying(memory, memory + KIB, cudaMemcpyDeviceToDevice, false); });
    made("graph-upload", nothing, [] { MUST(cudaGraphUpload(executable, other)); });
    made("graph-exec-destroy", nothing, [] { MUST(cudaGraphExecDestroy(executable)); });
    made("stream-destroy", nothing, [] { MUST(cudaStreamDestroy(other)); });
}

int main() {
    delay(nullptr); // loads the kernel, which may wait
    MUST(cudaDeviceSynchronize());
    play_copies();
    play_waits();
    play_other_calls();
}
