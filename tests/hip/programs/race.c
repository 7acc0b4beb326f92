// A race as programs have it, and its repair: the source of a copy is written again before the copy
// has read it. Prints how many bytes arrived wrong. Arguments: race, fixed, batch.
#include "hip.h"
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 4096 };

#define OK(call)                                                                                   \
    do {                                                                                           \
        if (call)                                                                                  \
            exit(2);                                                                               \
    } while (0)

static int wrong_bytes(const char *bytes, char right) {
    int wrong = 0;
    for (int i = 0; i < BYTES; i++)
        wrong += bytes[i] != right;
    return wrong;
}

static int copies(bool repaired) {
    void *device, *host, *back;
    hipStream_t stream;
    hipEvent_t copied;
    OK(hipMalloc(&device, BYTES));
    OK(hipHostMalloc(&host, BYTES, 0));
    OK(hipHostMalloc(&back, BYTES, 0));
    OK(hipStreamCreateWithFlags(&stream, hipStreamNonBlocking));
    OK(hipEventCreateWithFlags(&copied, hipEventDisableTiming));
    memset(host, 1, BYTES);
    OK(hipMemcpyAsync(device, host, BYTES, hipMemcpyHostToDevice, stream));
    OK(hipEventRecord(copied, stream));
    if (repaired)
        OK(hipEventSynchronize(copied));
    memset(host, 2, BYTES);
    OK(hipMemcpyAsync(back, device, BYTES, hipMemcpyDeviceToHost, stream));
    OK(hipStreamSynchronize(stream));
    return wrong_bytes(back, 1);
}

// Two copies of a batch to the same bytes: which is the last one is a matter of chance.
static int batch(void) {
    void *device, *one, *two;
    hipStream_t stream;
    OK(hipMalloc(&device, BYTES));
    OK(hipHostMalloc(&one, BYTES, 0));
    OK(hipHostMalloc(&two, BYTES, 0));
    OK(hipStreamCreate(&stream));
    memset(one, 1, BYTES);
    memset(two, 2, BYTES);
    void *to[] = {device, device}, *from[] = {one, two};
    size_t sizes[] = {BYTES, BYTES};
    OK(hipMemcpyBatchAsync(to, from, sizes, 2, NULL, NULL, 0, NULL, stream));
    OK(hipStreamSynchronize(stream));
    return wrong_bytes(device, 2);
}

int main(int count, char **arguments) {
    const char *mode = count > 1 ? arguments[1] : "race";
    printf("%d\n", !strcmp(mode, "batch") ? batch() : copies(!strcmp(mode, "fixed")));
    return 0;
}
