// Host threads that hand work over by the host's own means. The order of their calls is told by
// synctrace.h where it is told at all; the GPU knows nothing of it.
#include "program.h"
#include <pthread.h>
#include <semaphore.h>

static sem_t to_other, to_main;

static void tell(sem_t *baton, bool told) {
    if (told)
        synctrace_release(baton);
    sem_post(baton);
}
static void hear(sem_t *baton, bool told) {
    while (sem_wait(baton) != 0)
        ;
    if (told)
        synctrace_acquire(baton);
}

static struct {
    bool fixed;
    hipStream_t own, shared;
    hipEvent_t written, copied;
    uint32_t *in, *out, *result;
} rank;

// Rank 0 copies what rank 1 made, in a stream of its own: the host's join is right, the GPU's is
// not.
static void *rank_1(void *unused) {
    busy(rank.own, 4000);
    fill(rank.own, rank.in, 1);
    if (rank.fixed)
        record(rank.written, rank.own);
    tell(&to_main, true);
    hear(&to_other, true);
    if (rank.fixed)
        wait_for(rank.own, rank.copied);
    pass(rank.own, rank.out, rank.result);
    print_device("result", rank.own, rank.result, WORDS);
    return unused;
}
static void process_group(bool fixed) {
    pthread_t other;
    hipStream_t stream = new_stream();
    rank.fixed = fixed;
    rank.own = new_stream();
    rank.written = new_event();
    rank.copied = new_event();
    rank.in = device_words(WORDS);
    rank.out = device_words(WORDS);
    rank.result = device_words(WORDS);
    pthread_create(&other, NULL, rank_1, NULL);
    hear(&to_main, true);
    if (fixed)
        wait_for(stream, rank.written);
    busy(stream, 1000);
    OK(hipMemcpyAsync(rank.out, rank.in, BYTES, hipMemcpyDeviceToDevice, stream));
    if (fixed)
        record(rank.copied, stream);
    tell(&to_other, true);
    pthread_join(other, NULL);
}

// Two threads give work to one stream, one behind the other. Only `fixed` tells of the hand-over.
static void *second_user(void *unused) {
    hear(&to_other, rank.fixed);
    pass(rank.shared, rank.in, rank.out);
    print_device("out", rank.shared, rank.out, WORDS);
    return unused;
}
static void one_stream(bool fixed) {
    pthread_t other;
    rank.fixed = fixed;
    rank.shared = new_stream();
    rank.in = device_words(WORDS);
    rank.out = device_words(WORDS);
    pthread_create(&other, NULL, second_user, NULL);
    fill(rank.shared, rank.in, 3);
    tell(&to_other, fixed);
    pthread_join(other, NULL);
}

// A producer waits for its stream before it says that the bytes are there: no event is needed.
static void *consumer(void *unused) {
    hear(&to_other, true);
    pass(rank.own, rank.in, rank.out);
    print_device("out", rank.own, rank.out, WORDS);
    return unused;
}
static void published(bool fixed) {
    pthread_t other;
    hipStream_t stream = new_stream();
    rank.own = new_stream();
    rank.in = device_words(WORDS);
    rank.out = device_words(WORDS);
    pthread_create(&other, NULL, consumer, NULL);
    busy(stream, 4000);
    fill(stream, rank.in, 4);
    if (fixed)
        drain(stream);
    tell(&to_other, true);
    pthread_join(other, NULL);
}

const struct scenario scenarios[] = {
    {"threaded-pg", process_group},
    {"one-stream", one_stream},
    {"ipc-host-sync", published},
    {NULL, NULL},
};
