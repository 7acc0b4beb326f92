// RCCL's collectives on two devices, in groups and alone.
#include "collectives.h"
#include "program.h"

#define ALL_RIGHT(call) OK((hipError_t)(call))
enum { RANKS = 2 };

struct rank {
    ncclComm_t comm;
    hipStream_t stream;
    uint32_t *from, *to; // of RANKS * WORDS words
};

static void begin(struct rank *rank) {
    ncclComm_t comms[RANKS];
    ALL_RIGHT(ncclCommInitAll(comms, RANKS, NULL));
    for (int i = 0; i < RANKS; i++) {
        OK(hipSetDevice(i));
        rank[i] = (struct rank){comms[i], new_stream(), device_words(RANKS * WORDS),
                                device_words(RANKS * WORDS)};
        fill(rank[i].stream, rank[i].from, (uint32_t)(1 + i));
        fill(rank[i].stream, rank[i].from + WORDS, (uint32_t)(3 + i));
        fill(rank[i].stream, rank[i].to, 0);
        fill(rank[i].stream, rank[i].to + WORDS, 0);
    }
    OK(hipSetDevice(0));
}
static void finish(struct rank *rank) {
    for (int i = 0; i < RANKS; i++) {
        OK(hipSetDevice(i));
        print_device("to", rank[i].stream, rank[i].to, RANKS * WORDS);
    }
}

// Who reads the result on another stream waits for the collective's.
static void result(bool fixed) {
    struct rank rank[RANKS];
    begin(rank);
    hipStream_t reader = new_stream();
    hipEvent_t reduced = new_event();
    uint32_t *copy = device_words(WORDS);
    ALL_RIGHT(ncclGroupStart());
    for (int i = 0; i < RANKS; i++)
        ALL_RIGHT(ncclAllReduce(rank[i].from, rank[i].to, WORDS, ncclUint32, ncclSum, rank[i].comm,
                                rank[i].stream));
    ALL_RIGHT(ncclGroupEnd());
    record(reduced, rank[0].stream);
    if (fixed)
        wait_for(reader, reduced);
    pass(reader, rank[0].to, copy);
    print_device("copy", reader, copy, WORDS);
    finish(rank);
}

// Behind a group each of its streams has waited for all of them; calls by themselves wait for none.
static void together(bool fixed) {
    ncclComm_t one[RANKS];
    hipStream_t stream[RANKS] = {new_stream(), new_stream()};
    uint32_t *data[RANKS] = {device_words(WORDS), device_words(WORDS)};
    for (int i = 0; i < RANKS; i++) {
        ALL_RIGHT(ncclCommInitAll(&one[i], 1, NULL));
        fill(stream[i], data[i], 1);
    }
    if (fixed)
        ALL_RIGHT(ncclGroupStart());
    for (int i = 0; i < RANKS; i++)
        ALL_RIGHT(ncclAllReduce(data[i], data[i], WORDS, ncclInt32, ncclSum, one[i], stream[i]));
    if (fixed)
        ALL_RIGHT(ncclGroupEnd());
    add(stream[1], data[0], 5); // of the other stream's
    print_device("data", stream[1], data[0], WORDS);
}

// What each kind of call reads and writes, on rank 0 and on rank 1.
static void ranges(bool fixed) {
    (void)fixed;
    struct rank rank[RANKS];
    begin(rank);
    size_t half[RANKS] = {WORDS / 2, WORDS / 4}, places[RANKS] = {0, WORDS};
    for (int k = 0; k < 12; k++) {
        ALL_RIGHT(ncclGroupStart());
        for (int i = 0; i < RANKS; i++) {
            struct rank *r = &rank[i];
            size_t mine[RANKS] = {half[i], half[i]}, theirs[RANKS] = {half[0], half[1]};
            static size_t kept[RANKS][2][RANKS];
            for (int j = 0; j < RANKS; j++) {
                kept[i][0][j] = mine[j];
                kept[i][1][j] = theirs[j];
            }
            if (k == 0)
                ALL_RIGHT(ncclReduce(r->from, i ? NULL : r->to, WORDS, ncclUint32, ncclSum, 0,
                                     r->comm, r->stream));
            if (k == 1)
                ALL_RIGHT(ncclBroadcast(i ? r->from : NULL, r->to, 4 * WORDS, ncclUint8, 1, r->comm,
                                        r->stream));
            if (k == 2)
                ALL_RIGHT(ncclReduceScatter(r->from, r->to, WORDS, ncclUint32, ncclSum, r->comm,
                                            r->stream));
            if (k == 3)
                ALL_RIGHT(ncclAllGather(r->from, r->to, WORDS / 2, ncclUint64, r->comm, r->stream));
            if (k == 4)
                ALL_RIGHT(ncclAllToAll(r->from, r->to, WORDS, ncclInt32, r->comm, r->stream));
            if (k == 5)
                ALL_RIGHT(ncclAllToAllv(r->from, kept[i][0], places, r->to, kept[i][1], places,
                                        ncclInt32, r->comm, r->stream));
            if (k == 6)
                ALL_RIGHT(ncclGather(r->from, r->to, WORDS, ncclInt32, 0, r->comm, r->stream));
            if (k == 7)
                ALL_RIGHT(i ? ncclSend(r->from, WORDS, ncclInt32, 0, r->comm, r->stream)
                            : ncclRecv(r->to, WORDS, ncclInt32, 1, r->comm, r->stream));
            if (k == 8)
                ALL_RIGHT(ncclScatter(r->from, r->to, WORDS, ncclInt32, 0, r->comm, r->stream));
            if (k == 9)
                ALL_RIGHT(ncclBcast(r->to, WORDS, ncclInt32, 0, r->comm, r->stream));
            if (k == 10)
                ALL_RIGHT(ncclAllReduceWithBias(r->from, r->to, WORDS, ncclUint32, ncclSum, r->comm,
                                                r->stream, r->from + WORDS));
            if (k == 11)
                ALL_RIGHT(ncclAlltoAll(r->from, r->to, WORDS, ncclInt32, r->comm, r->stream));
        }
        ALL_RIGHT(ncclGroupEnd());
    }
    finish(rank);
}

const struct scenario scenarios[] = {
    {"result", result},
    {"together", together},
    {"ranges", ranges},
    {NULL, NULL},
};
