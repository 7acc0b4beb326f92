// What the recorder relies on in CUPTI, tried alone: which records say of which call a kernel is.
//
//     correlation kernels.cubin external|listed|driver
//
// external: records of external correlation and of device work are asked for; listed: and of the
// calls of cuLaunchKernel; driver: and of all calls of the driver. Prints the records of each kind,
// kernels whose correlation was told, and what a pair of push and pop costs.
#include <cuda.h>
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MUST(call)                                                                                 \
    do {                                                                                           \
        int rc = (int)(call);                                                                      \
        if (rc != 0) {                                                                             \
            printf("%s: %d\n", #call, rc);                                                         \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { LAUNCHES = 100, KINDS = 100, IDS = 1 << 16 };
static unsigned long seen[KINDS], told_later;
static unsigned char told[IDS], kernels[IDS];

static uint64_t now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static void requested(uint8_t **buffer, size_t *size, size_t *most) {
    *size = 1 << 20;
    *buffer = aligned_alloc(64, *size);
    *most = 0;
}

static void completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size,
                      size_t valid) {
    CUpti_Activity *record = NULL;
    (void)context, (void)stream, (void)size;
    while (cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        seen[record->kind % KINDS]++;
        if (record->kind == CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION) {
            uint32_t id = ((CUpti_ActivityExternalCorrelation *)record)->correlationId;
            told[id % IDS] = 1;
            told_later += kernels[id % IDS];
        }
        if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
            kernels[((const uint32_t *)record)[92 / 4] % IDS] = 1;
    }
    free(buffer);
}

int main(int count, char **arguments) {
    CUcontext context;
    CUdevice device;
    CUmodule module;
    CUfunction function;
    CUdeviceptr memory;
    const char *how = count > 2 ? arguments[2] : "listed";
    MUST(cuInit(0));
    MUST(cuptiActivityRegisterTimestampCallback(now));
    MUST(cuptiActivityRegisterCallbacks(requested, completed));
    MUST(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION));
    MUST(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL));
    MUST(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_GRAPH_TRACE));
    if (strcmp(how, "listed") == 0)
        MUST(cuptiActivityEnableDriverApi(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, 1));
    if (strcmp(how, "driver") == 0)
        MUST(cuptiActivityEnable(CUPTI_ACTIVITY_KIND_DRIVER));
    MUST(cuDeviceGet(&device, 0));
    MUST(cuDevicePrimaryCtxRetain(&context, device));
    MUST(cuCtxSetCurrent(context));
    MUST(cuModuleLoad(&module, arguments[1]));
    MUST(cuModuleGetFunction(&function, module, "plain_scale"));
    MUST(cuMemAlloc(&memory, 1 << 20));
    float by = 2;
    int n = 1 << 10;
    void *parameters[] = {&memory, &memory, &by, &n};
    for (int i = 0; i < LAUNCHES; i++) {
        cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, 1000 + i);
        MUST(cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, NULL, parameters, NULL));
        cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, NULL);
    }
    MUST(cuCtxSynchronize());
    MUST(cuptiActivityFlushAll(1));
    unsigned long both = 0;
    for (int i = 0; i < IDS; i++)
        both += told[i] && kernels[i];
    printf("%s: kernels told %lu of %d, after their kernel %lu; records by kind:", how, both,
           LAUNCHES, told_later);
    for (int kind = 0; kind < KINDS; kind++)
        if (seen[kind])
            printf(" %d: %lu", kind, seen[kind]);
    uint64_t start = now();
    for (int i = 0; i < 1000000; i++) {
        cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, 1);
        cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, NULL);
    }
    printf("; push and pop %.1f ns\n", (double)(now() - start) / 1e6);
    return 0;
}
