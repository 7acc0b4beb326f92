// CUPTI, as far as device times need it: its documented functions and the records of 13.0, about
// calls of the stand-in driver beside it. What a call costs a GPU here is 1,000 ns after it.
//
//   -DVERSION        its version (130001)
//   STANDIN_REFUSES  what cuptiActivityEnable answers
//   STANDIN_BUFFERS  so many buffers are asked for, in all
//   STANDIN_LATE     records of the device's work come before those of the op
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef VERSION
#define VERSION 130001
#endif

extern void (*standin_called)(const char *name, int pieces);

enum { DRIVER = 1, CALLS = 5, RECORD = 160, STACK = 8, OWN = 5 };
static const char *const calls[CALLS] = {"cuMemcpyHtoDAsync_v2", "cuMemsetD8Async",
                                         "cuLaunchKernel", "cuGraphLaunch", "cuCtxSynchronize"};
// Kind, and where correlation, start and end lie.
static const struct {
    uint32_t kind, correlation, start, end;
} work[CALLS - 1] = {{1, 44, 16, 24}, {2, 44, 16, 24}, {10, 92, 16, 24}, {51, 4, 8, 16}};

static uint64_t (*now)(void);
static void (*request)(uint8_t **, size_t *, size_t *);
static void (*complete)(void *, uint32_t, uint8_t *, size_t, size_t);
static char enabled[64], of_call[CALLS];
static uint8_t *buffer;
static size_t size, used, dropped;
static uint32_t correlation;
static __thread struct {
    uint64_t ids[STACK];
    int depth;
} own;

static long told(const char *name, long otherwise) {
    const char *said = getenv(name);
    return said ? atol(said) : otherwise;
}

static void *record(uint32_t kind) {
    static long asked;
    size_t most = 0;
    if (!buffer && asked++ < told("STANDIN_BUFFERS", 1000)) {
        used = 0;
        request(&buffer, &size, &most);
    }
    if (!buffer) {
        dropped++;
        return NULL;
    }
    uint8_t *made = memset(buffer + used, 0, RECORD);
    used += RECORD;
    memcpy(made, &kind, sizeof kind);
    return made;
}

static void put(uint8_t *to, unsigned at, const void *value, size_t bytes) {
    if (to)
        memcpy(to + at, value, bytes);
}

static void give_back(void) {
    uint8_t *full = buffer;
    buffer = NULL;
    if (full)
        complete(NULL, 0, full, size, used);
}

static void of_op(void) {
    const uint32_t kind = OWN;
    for (int i = 0; i < own.depth && enabled[39]; i++) {
        uint8_t *made = record(39);
        put(made, 4, &kind, 4);
        put(made, 8, &own.ids[i], 8);
        put(made, 16, &correlation, 4);
    }
}

static void of_work(int call, int pieces) {
    for (int i = 0; i < pieces && enabled[work[call].kind]; i++) {
        uint64_t start = now() + 1000 * (uint64_t)(i + 1), end = start + 500;
        uint8_t *made = record(work[call].kind);
        put(made, work[call].correlation, &correlation, 4);
        put(made, work[call].start, &start, 8);
        put(made, work[call].end, &end, 8);
    }
}

static void called(const char *name, int pieces) {
    int call = 0;
    while (call < CALLS - 1 && strcmp(calls[call], name) != 0)
        call++;
    if (call == CALLS - 1 || !of_call[call])
        return;
    correlation++;
    if (told("STANDIN_LATE", 0))
        of_work(call, pieces);
    of_op();
    if (!told("STANDIN_LATE", 0))
        of_work(call, pieces);
    if (buffer && used + 8 * RECORD > size)
        give_back();
}

int cuptiGetVersion(uint32_t *version) {
    *version = VERSION;
    return 0;
}
int cuptiGetCallbackName(int domain, uint32_t id, const char **name) {
    if (domain != DRIVER || id > CALLS)
        return 1;
    *name = calls[id - 1];
    return 0;
}
int cuptiActivityRegisterTimestampCallback(uint64_t (*clock)(void)) {
    now = clock;
    return 0;
}
int cuptiActivityRegisterCallbacks(void *requested, void *completed) {
    request = (void (*)(uint8_t **, size_t *, size_t *))requested;
    complete = (void (*)(void *, uint32_t, uint8_t *, size_t, size_t))completed;
    return 0;
}
// As the real one does, of the driver's functions it asks the loader, and calls them.
static void call_driver(void) {
    int (*wait)(void) = (int (*)(void))dlsym(dlopen("libcuda.so.1", RTLD_NOW), "cuCtxSynchronize");
    wait();
}
int cuptiActivityEnable(int kind) {
    standin_called = called;
    call_driver();
    enabled[kind] = 1;
    return (int)told("STANDIN_REFUSES", 0);
}
int cuptiActivityDisable(int kind) {
    enabled[kind] = 0;
    return 0;
}
int cuptiActivityEnableDriverApi(uint32_t id, uint8_t enable) {
    of_call[id - 1] = (char)enable;
    return 0;
}
int cuptiActivityPushExternalCorrelationId(int kind, uint64_t id) {
    if (kind == OWN && own.depth < STACK)
        own.ids[own.depth++] = id;
    return 0;
}
int cuptiActivityPopExternalCorrelationId(int kind, uint64_t *last) {
    (void)last;
    own.depth -= kind == OWN;
    return 0;
}
int cuptiActivityFlushAll(uint32_t forced) {
    (void)forced;
    give_back();
    return 0;
}
int cuptiActivityGetNextRecord(uint8_t *from, size_t valid, void **next) {
    uint8_t *at = *next ? (uint8_t *)*next + RECORD : from;
    if (at >= from + valid)
        return 12; // MAX_LIMIT_REACHED
    *next = at;
    return 0;
}
int cuptiActivityGetNumDroppedRecords(void *context, uint32_t stream, size_t *count) {
    (void)context, (void)stream;
    *count = dropped;
    dropped = 0;
    return 0;
}
int cuptiSubscribe(void **subscriber, void *callback, void *data) {
    (void)callback, (void)data;
    *subscriber = &correlation;
    printf("subscribed, enabled: %d\n", enabled[10]);
    return 0;
}
