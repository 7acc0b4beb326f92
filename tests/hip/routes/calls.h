// One and the same run of calls, by whatever addresses it is given.
#pragma once
#include "hip.h"

#define CALLS(X)                                                                                   \
    X(hipGetDeviceCount, hipError_t, (int *))                                                      \
    X(hipMalloc, hipError_t, (void **, size_t))                                                    \
    X(hipStreamCreateWithFlags, hipError_t, (hipStream_t *, unsigned))                             \
    X(hipEventCreateWithFlags, hipError_t, (hipEvent_t *, unsigned))                               \
    X(hipMemsetAsync, hipError_t, (void *, int, size_t, hipStream_t))                              \
    X(hipEventRecord, hipError_t, (hipEvent_t, hipStream_t))                                       \
    X(hipEventSynchronize, hipError_t, (hipEvent_t))                                               \
    X(hipMemcpy, hipError_t, (void *, const void *, size_t, hipMemcpyKind))                        \
    X(hipFree, hipError_t, (void *))

struct calls {
#define MEMBER(name, returns, types) returns(*name) types;
    CALLS(MEMBER)
#undef MEMBER
};

// What the copy brought back; negative: an error.
static inline int make_calls(const struct calls *hip) {
    unsigned char host[64] = {0};
    int devices = 0;
    void *memory;
    hipStream_t stream;
    hipEvent_t event;
    if (hip->hipGetDeviceCount(&devices) || hip->hipMalloc(&memory, sizeof host) ||
        hip->hipStreamCreateWithFlags(&stream, hipStreamNonBlocking) ||
        hip->hipEventCreateWithFlags(&event, hipEventDisableTiming) ||
        hip->hipMemsetAsync(memory, 7, sizeof host, stream) || hip->hipEventRecord(event, stream) ||
        hip->hipEventSynchronize(event) ||
        hip->hipMemcpy(host, memory, sizeof host, hipMemcpyDeviceToHost) || hip->hipFree(memory))
        return -1;
    return host[63];
}
