#include "program.h"
#include <stdio.h>
#include <stdlib.h>

void succeeded(hipError_t error, const char *call) {
    if (error == hipSuccess)
        return;
    fprintf(stderr, "%s returned %d\n", call, error);
    exit(3);
}

static hipStream_t stream_of(unsigned flags) {
    hipStream_t stream;
    OK(hipStreamCreateWithFlags(&stream, flags));
    return stream;
}
hipStream_t new_stream(void) { return stream_of(hipStreamNonBlocking); }
hipStream_t blocking_stream(void) { return stream_of(hipStreamDefault); }

hipEvent_t new_event(void) {
    hipEvent_t event;
    OK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
    return event;
}

uint32_t *device_words(size_t words) {
    void *memory;
    OK(hipMalloc(&memory, 4 * words));
    return memory;
}
uint32_t *pinned_words(size_t words) {
    void *memory;
    OK(hipHostMalloc(&memory, 4 * words, hipHostMallocDefault));
    return memory;
}

void set_words(uint32_t *host, uint32_t value) {
    for (size_t i = 0; i < WORDS; i++)
        host[i] = value;
}

void upload(hipStream_t stream, uint32_t *device, const uint32_t *host) {
    OK(hipMemcpyAsync(device, host, BYTES, hipMemcpyHostToDevice, stream));
}
void download(hipStream_t stream, uint32_t *host, const uint32_t *device) {
    OK(hipMemcpyAsync(host, device, BYTES, hipMemcpyDeviceToHost, stream));
}
void record(hipEvent_t event, hipStream_t stream) { OK(hipEventRecord(event, stream)); }
void wait_for(hipStream_t stream, hipEvent_t event) { OK(hipStreamWaitEvent(stream, event, 0)); }
void host_waits(hipEvent_t event) { OK(hipEventSynchronize(event)); }
void drain(hipStream_t stream) { OK(hipStreamSynchronize(stream)); }

void print_words(const char *name, const uint32_t *words, size_t count) {
    printf("%s:", name);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && words[to] == words[from]; to++)
            ;
        printf(" %u x%zu", words[from], to - from);
    }
    printf("\n");
}

void print_device(const char *name, hipStream_t stream, const uint32_t *device, size_t count) {
    uint32_t *host = pinned_words(count);
    OK(hipMemcpyAsync(host, device, 4 * count, hipMemcpyDeviceToHost, stream));
    drain(stream);
    print_words(name, host, count);
}
