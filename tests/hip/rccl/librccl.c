// A stand-in for RCCL on the stand-in runtime, and for NCCL (tests/cuda/test_nccl.py), for
// communicators whose ranks are all in one process and whose calls of one group are made by one
// thread. What a group's calls do is done by host functions in the streams that they were given;
// all streams of a group wait for each other before and after, as documented. Sums are of 32-bit
// integers whatever the type.
#include "collectives.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct ncclComm {
    int rank, count;
    ncclComm_t *clique; // by rank
};
enum what {
    ALL_REDUCE,
    REDUCE,
    BROADCAST,
    REDUCE_SCATTER,
    ALL_GATHER,
    ALL_TO_ALL,
    ALL_TO_ALL_V,
    GATHER,
    SCATTER,
    SEND,
    RECEIVE
};
struct call {
    enum what what;
    const uint32_t *from, *bias;
    uint32_t *to;
    size_t count;
    int other; // root or peer
    const size_t *counts, *places, *to_counts, *to_places;
    ncclComm_t comm;
    hipStream_t stream;
    bool matched;
};
struct together { // the same call of all ranks, or a send and its receive
    int count;
    struct call call[16];
};
enum { MOST = 64 };
static __thread int depth, made;
static __thread struct call calls[MOST];

ncclResult_t ncclCommInitAll(ncclComm_t *comms, int count, const int *devices) {
    (void)devices;
    ncclComm_t *clique = malloc((size_t)count * sizeof *clique);
    for (int i = 0; i < count; i++) {
        comms[i] = clique[i] = malloc(sizeof **clique);
        *comms[i] = (struct ncclComm){i, count, clique};
    }
    return ncclSuccess;
}
// As NCCL does, what is asked of a communicator calls the runtime.
ncclResult_t ncclCommCount(ncclComm_t comm, int *count) {
    hipEvent_t event;
    if (hipEventCreateWithFlags(&event, hipEventDisableTiming) || hipEventDestroy(event))
        return ncclInvalidUsage;
    *count = comm->count;
    return ncclSuccess;
}
ncclResult_t ncclCommUserRank(ncclComm_t comm, int *rank) {
    *rank = comm->rank;
    return ncclSuccess;
}

static uint32_t sum(const struct together *t, size_t at) {
    uint32_t total = 0;
    for (int i = 0; i < t->count; i++)
        total += t->call[i].from[at];
    return total;
}

static void move(uint32_t *to, const uint32_t *from, size_t words) {
    memmove(to, from, words * sizeof *to);
}

// For one rank; what it reads was kept aside, since calls may be in place.
static void perform(const struct together *t, const struct call *own, int rank) {
    size_t n = own->count;
    const struct call *root = &t->call[own->other < t->count ? own->other : 0];
    for (int i = 0; i < t->count; i++) {
        const struct call *other = &t->call[i];
        if (own->what == ALL_GATHER || (own->what == GATHER && rank == own->other))
            move(own->to + (size_t)i * n, other->from, n);
        if (own->what == ALL_TO_ALL)
            move(own->to + (size_t)i * n, other->from + (size_t)rank * n, n);
        if (own->what == ALL_TO_ALL_V)
            move(own->to + own->to_places[i], other->from + other->places[rank], own->to_counts[i]);
    }
    for (size_t k = 0; k < n; k++) {
        if (own->what == ALL_REDUCE || (own->what == REDUCE && rank == own->other))
            own->to[k] = sum(t, k) + (own->bias ? own->bias[k] : 0);
        if (own->what == REDUCE_SCATTER)
            own->to[k] = sum(t, (size_t)rank * n + k);
    }
    if (own->what == BROADCAST)
        move(own->to, root->from, n);
    if (own->what == SCATTER)
        move(own->to, root->from + (size_t)rank * n, n);
    if (own->what == RECEIVE)
        move(own->to, t->call[1 - rank].from, n);
}

static void run(void *data) {
    struct together *t = data;
    struct together aside = *t;
    uint32_t *kept[16] = {0};
    for (int i = 0; i < t->count; i++) {
        const struct call *call = &t->call[i];
        size_t words = call->count * (call->what == ALL_REDUCE ? 1 : (size_t)t->count);
        if (call->what == ALL_REDUCE || call->what == REDUCE_SCATTER || call->what == ALL_TO_ALL) {
            kept[i] = malloc(words * sizeof **kept);
            move(kept[i], call->from, words);
            aside.call[i].from = kept[i];
        }
    }
    for (int i = 0; i < t->count; i++)
        perform(&aside, &t->call[i], i);
    for (int i = 0; i < t->count; i++)
        free(kept[i]);
    free(t);
}

// Every stream comes after what all of them were given. An event is its device's.
static ncclResult_t meet(void) {
    hipEvent_t event[MOST];
    hipError_t error = hipSuccess;
    int current, device;
    hipGetDevice(&current);
    for (int i = 0; i < made; i++) {
        error |= hipStreamGetDevice(calls[i].stream, &device) | hipSetDevice(device) |
                 hipEventCreateWithFlags(&event[i], hipEventDisableTiming) |
                 hipEventRecord(event[i], calls[i].stream);
    }
    for (int i = 0; i < made; i++)
        for (int k = 0; k < made; k++)
            if (calls[k].stream != calls[i].stream)
                error |= hipStreamWaitEvent(calls[i].stream, event[k], 0);
    for (int i = 0; i < made; i++)
        error |= hipEventDestroy(event[i]);
    return error | hipSetDevice(current) ? ncclInvalidUsage : ncclSuccess;
}

static bool fits(const struct call *first, const struct call *other, int rank) {
    if (other->matched || other->comm->clique != first->comm->clique || other->comm->rank != rank)
        return false;
    if (first->what == SEND || first->what == RECEIVE)
        return other->what + first->what == SEND + RECEIVE && other->other == first->comm->rank;
    return other->what == first->what;
}

static struct call *partner(const struct call *first, int rank) {
    for (struct call *other = calls; other < calls + made; other++)
        if (fits(first, other, rank))
            return other;
    return NULL;
}

static ncclResult_t give(struct call *first) {
    bool pair = first->what == SEND || first->what == RECEIVE;
    struct together *t = calloc(1, sizeof *t);
    t->count = pair ? 2 : first->comm->count;
    for (int i = 0; i < t->count; i++) {
        struct call *call = pair && i == 0 ? first : partner(first, pair ? first->other : i);
        if (!call)
            return ncclInvalidUsage;
        call->matched = true;
        t->call[i] = *call;
    }
    return hipLaunchHostFunc(first->stream, run, t) == hipSuccess ? ncclSuccess : ncclInvalidUsage;
}

ncclResult_t ncclGroupStart(void) {
    depth++;
    return ncclSuccess;
}
ncclResult_t ncclGroupEnd(void) {
    if (--depth)
        return ncclSuccess;
    ncclResult_t result = meet();
    for (int i = 0; i < made && !result; i++)
        if (!calls[i].matched)
            result = give(&calls[i]);
    result = result ? result : meet();
    made = 0;
    return result;
}

static size_t words(size_t count, ncclDataType_t type) {
    static const size_t bytes[] = {1, 1, 4, 4, 8, 8};
    return count * bytes[type] / sizeof(uint32_t);
}

static ncclResult_t call(struct call told) {
    if (made == MOST || !told.comm)
        return ncclInvalidArgument;
    depth++; // a call by itself is a group
    calls[made++] = told;
    if (depth > 1) {
        depth--;
        return ncclSuccess;
    }
    return ncclGroupEnd();
}

#define CALL(kind, ...)                                                                            \
    call((struct call){.what = kind, .from = from, .comm = comm, .stream = stream, __VA_ARGS__})
#define TO_COUNT .to = to, .count = words(count, type)
ncclResult_t ncclAllReduce(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, hipStream_t stream) {
    (void)op;
    return CALL(ALL_REDUCE, TO_COUNT);
}
ncclResult_t ncclReduce(const void *from, void *to, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, hipStream_t stream) {
    (void)op;
    return CALL(REDUCE, TO_COUNT, .other = root);
}
ncclResult_t ncclBroadcast(const void *from, void *to, size_t count, ncclDataType_t type, int root,
                           ncclComm_t comm, hipStream_t stream) {
    return CALL(BROADCAST, TO_COUNT, .other = root);
}
ncclResult_t ncclAllReduceWithBias(const void *from, void *to, size_t count, ncclDataType_t type,
                                   ncclRedOp_t op, ncclComm_t comm, hipStream_t stream,
                                   const void *bias) {
    (void)op;
    return CALL(ALL_REDUCE, TO_COUNT, .bias = bias);
}
ncclResult_t ncclBcast(void *to, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       hipStream_t stream) {
    return ncclBroadcast(to, to, count, type, root, comm, stream);
}
ncclResult_t ncclReduceScatter(const void *from, void *to, size_t count, ncclDataType_t type,
                               ncclRedOp_t op, ncclComm_t comm, hipStream_t stream) {
    (void)op;
    return CALL(REDUCE_SCATTER, TO_COUNT);
}
ncclResult_t ncclAllGather(const void *from, void *to, size_t count, ncclDataType_t type,
                           ncclComm_t comm, hipStream_t stream) {
    return CALL(ALL_GATHER, TO_COUNT);
}
ncclResult_t ncclAllToAll(const void *from, void *to, size_t count, ncclDataType_t type,
                          ncclComm_t comm, hipStream_t stream) {
    return CALL(ALL_TO_ALL, TO_COUNT);
}
ncclResult_t ncclAlltoAll(const void *from, void *to, size_t count, ncclDataType_t type,
                          ncclComm_t comm, hipStream_t stream) {
    return ncclAllToAll(from, to, count, type, comm, stream);
}
ncclResult_t ncclAllToAllv(const void *from, const size_t *counts, const size_t *places, void *to,
                           const size_t *to_counts, const size_t *to_places, ncclDataType_t type,
                           ncclComm_t comm, hipStream_t stream) {
    (void)type;
    return CALL(ALL_TO_ALL_V, .to = to, .counts = counts, .places = places, .to_counts = to_counts,
                .to_places = to_places);
}
ncclResult_t ncclGather(const void *from, void *to, size_t count, ncclDataType_t type, int root,
                        ncclComm_t comm, hipStream_t stream) {
    return CALL(GATHER, TO_COUNT, .other = root);
}
ncclResult_t ncclScatter(const void *from, void *to, size_t count, ncclDataType_t type, int root,
                         ncclComm_t comm, hipStream_t stream) {
    return CALL(SCATTER, TO_COUNT, .other = root);
}
ncclResult_t ncclSend(const void *from, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, hipStream_t stream) {
    return CALL(SEND, .count = words(count, type), .other = peer);
}
ncclResult_t ncclRecv(void *to, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      hipStream_t stream) {
    const void *from = NULL;
    return CALL(RECEIVE, TO_COUNT, .other = peer);
}
