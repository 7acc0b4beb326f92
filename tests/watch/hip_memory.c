// Pinned and registered memory of a HIP program while a copy uses it: hip_memory SCENARIO SIZE AT.
// The stand-in's copies take a while (STANDIN_DELAY_US), and its pinned memory is ordinary memory:
// how a driver's pages take to being tracked or protected, it cannot show.
#include "hip.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OK(call)                                                                                   \
    do {                                                                                           \
        if (call)                                                                                  \
            exit(2);                                                                               \
    } while (0)

static void *device;
static hipStream_t stream, other;
static size_t size, at;

static void copy_from(const void *host) {
    OK(hipMemcpyAsync(device, host, size, hipMemcpyHostToDevice, stream));
}
static void wait_for_all(void) { OK(hipStreamSynchronize(stream)); }
static void write_to(char *host) { *(volatile char *)(host + at) += 1; }

static char *pinned(void) {
    void *host;
    OK(hipHostMalloc(&host, size, 0));
    memset(host, 1, size);
    return host;
}
static char *registered(void) {
    char *host = malloc(size);
    memset(host, 1, size);
    OK(hipHostRegister(host, size, 0));
    return host;
}

static void pinned_rewritten(void) {
    char *host = pinned();
    copy_from(host);
    write_to(host);
    wait_for_all();
    OK(hipHostFree(host));
}

static void pinned_waited_for(void) {
    char *host = pinned();
    for (int i = 0; i < 3; i++) {
        copy_from(host);
        wait_for_all();
        write_to(host);
    }
    OK(hipHostFree(host));
}

static void registered_rewritten(void) {
    char *host = registered();
    copy_from(host);
    write_to(host);
    wait_for_all();
    OK(hipHostUnregister(host));
    free(host);
}

static void registered_freed(void) {
    char *host = registered();
    copy_from(host);
    free(host);
    wait_for_all();
}

static void registered_freed_late(void) {
    char *host = registered();
    copy_from(host);
    wait_for_all();
    OK(hipHostUnregister(host));
    free(host);
}

// The stream that the host waits for has waited for the copy.
static void joined(void) {
    char *host = pinned();
    hipEvent_t copied;
    OK(hipEventCreate(&copied));
    copy_from(host);
    OK(hipEventRecord(copied, stream));
    OK(hipStreamWaitEvent(other, copied, 0));
    OK(hipStreamSynchronize(other));
    write_to(host);
    wait_for_all();
    OK(hipHostFree(host));
}

// What the device has brought is what the next copy sends on.
static void bounced(void) {
    char *host = pinned();
    OK(hipMemsetAsync(device, 7, size, stream));
    OK(hipMemcpyAsync(host, device, size, hipMemcpyDeviceToHost, stream));
    copy_from(host);
    wait_for_all();
    OK(hipHostFree(host));
}

// Many sources at once, each a part of one block: more than the recorder has room for, or fewer.
enum { TOO_MANY = 300, MANY = 200, LATE = 190 };
static char *crowd(int parts) {
    char *host;
    OK(hipHostMalloc((void **)&host, parts * size, 0));
    memset(host, 1, parts * size);
    for (int i = 0; i < parts; i++)
        copy_from(host + i * size);
    return host;
}

static void crowd_rewritten(void) {
    char *host = crowd(TOO_MANY);
    write_to(host + (TOO_MANY - 1) * size);
    wait_for_all();
    OK(hipHostFree(host));
}

// Of those that made room nothing is known any more.
static void crowd_left(void) {
    char *host = crowd(TOO_MANY);
    write_to(host);
    wait_for_all();
    OK(hipHostFree(host));
}

static void crowd_used_again(void) {
    char *host = crowd(MANY);
    copy_from(host + LATE * size);
    write_to(host + LATE * size);
    wait_for_all();
    OK(hipHostFree(host));
}

// The host waits for another stream, which has waited for all of the copies, or for none.
static void crowd_waited_for(hipStream_t by) {
    char *host = crowd(MANY);
    hipEvent_t event;
    OK(hipEventCreate(&event));
    OK(hipEventRecord(event, by));
    OK(hipStreamWaitEvent(other, event, 0));
    OK(hipStreamSynchronize(other));
    write_to(host + LATE * size);
    wait_for_all();
    OK(hipHostFree(host));
}
static void crowd_joined(void) { crowd_waited_for(stream); }
static void crowd_not_joined(void) { crowd_waited_for(other); }

static const struct {
    const char *name;
    void (*run)(void);
} scenarios[] = {
    {"pinned_rewritten", pinned_rewritten},
    {"pinned_waited_for", pinned_waited_for},
    {"registered_rewritten", registered_rewritten},
    {"registered_freed", registered_freed},
    {"registered_freed_late", registered_freed_late},
    {"joined", joined},
    {"bounced", bounced},
    {"crowd_rewritten", crowd_rewritten},
    {"crowd_left", crowd_left},
    {"crowd_used_again", crowd_used_again},
    {"crowd_joined", crowd_joined},
    {"crowd_not_joined", crowd_not_joined},
};

int main(int argc, char **argv) {
    if (argc != 4)
        return 3;
    size = strtoul(argv[2], NULL, 10);
    at = strtoul(argv[3], NULL, 10);
    OK(hipMalloc(&device, size));
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipStreamCreateWithFlags(&other, hipStreamNonBlocking));
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++)
        if (strcmp(scenarios[i].name, argv[1]) == 0) {
            scenarios[i].run();
            return 0;
        }
    return 4;
}
