// Two host threads and a ring of staging slots: a producer fills pinned memory and uploads it in
// its stream, a consumer works on the slot in another and gives it back. The threads hand slots
// over by a mutex and a condition, which synctrace.h tells; events order the work. Each race lacks
// one thing.
#include "program.h"
#include <pthread.h>
#include <unistd.h>

enum { SLOTS = 3, ITEMS = 9 };

static struct {
    bool unwaited_upload;  // the consumer does not wait for the upload
    bool unwaited_use;     // the producer does not wait until the slot was used
    bool unwaited_staging; // nor until it was uploaded, before it fills it again
    bool untold_mutex;     // nothing tells that the mutex orders the threads
    bool polled;           // the consumer asks for the upload's event until it has come
    bool host_waits;       // the consumer waits for its stream before it gives a slot back
    bool pool;             // a slot's device memory is allocated anew for each item
} variant;

static struct slot {
    uint32_t *staging, *device;
    hipEvent_t uploaded, used;
} slots[SLOTS];
static hipStream_t uploads, work;
static uint32_t *results;
static hipMemPool_t pool;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct items {
    uint32_t count;
    char tokens[ITEMS];
} made, used;

static void publish(struct items *items) {
    pthread_mutex_lock(&mutex);
    if (!variant.untold_mutex)
        synctrace_release(&items->tokens[items->count]);
    items->count++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}
static void await(struct items *items, uint32_t item) {
    pthread_mutex_lock(&mutex);
    while (items->count <= item)
        pthread_cond_wait(&changed, &mutex);
    if (!variant.untold_mutex)
        synctrace_acquire(&items->tokens[item]);
    pthread_mutex_unlock(&mutex);
}

static void allocate(struct slot *slot) {
    if (slot->device)
        OK(hipFreeAsync(slot->device, uploads));
    OK(hipMallocFromPoolAsync((void **)&slot->device, BYTES, pool, uploads));
}

static void *produce(void *unused) {
    for (uint32_t i = 0; i < ITEMS; i++) {
        struct slot *slot = &slots[i % SLOTS];
        if (i >= SLOTS) {
            await(&used, i - SLOTS);
            // Who waited for the upload by the host and then gave the slot back has waited for
            // both.
            if (!variant.unwaited_staging && !variant.polled && !variant.host_waits)
                host_waits(slot->uploaded);
            if (!variant.unwaited_use && !variant.host_waits)
                wait_for(uploads, slot->used);
        }
        set_words(slot->staging, 1 + i);
        synctrace_host_write(slot->staging, BYTES, "staging");
        if (variant.pool)
            allocate(slot);
        busy(uploads, 1000);
        upload(uploads, slot->device, slot->staging);
        record(slot->uploaded, uploads);
        publish(&made);
    }
    return unused;
}

static void *consume(void *unused) {
    for (uint32_t i = 0; i < ITEMS; i++) {
        struct slot *slot = &slots[i % SLOTS];
        await(&made, i);
        while (variant.polled && !variant.unwaited_upload &&
               hipEventQuery(slot->uploaded) == hipErrorNotReady)
            usleep(200);
        if (!variant.polled && !variant.unwaited_upload)
            wait_for(work, slot->uploaded);
        if (variant.unwaited_use || variant.unwaited_staging)
            busy(work, 3000); // behind the producer
        pass(work, slot->device, results + i * WORDS);
        record(slot->used, work);
        if (variant.host_waits)
            drain(work);
        publish(&used);
    }
    synctrace_release(&work);
    return unused;
}

static void run(void) {
    pthread_t producer, consumer;
    hipMemPoolProps props = {.allocType = 1 /* pinned */,
                             .location = {.type = hipMemLocationTypeDevice}};
    OK(hipMemPoolCreate(&pool, &props));
    uploads = new_stream();
    work = new_stream();
    results = device_words(ITEMS * WORDS);
    for (struct slot *slot = slots; slot < slots + SLOTS; slot++)
        *slot = (struct slot){pinned_words(WORDS), variant.pool ? NULL : device_words(WORDS),
                              new_event(), new_event()};
    pthread_create(&producer, NULL, produce, NULL);
    pthread_create(&consumer, NULL, consume, NULL);
    pthread_join(producer, NULL);
    pthread_join(consumer, NULL);
    synctrace_acquire(&work);
    print_device("results", work, results, ITEMS * WORDS);
}

static void no_upload_wait(bool fixed) {
    variant.unwaited_upload = !fixed;
    run();
}
static void reused_early(bool fixed) {
    variant.unwaited_use = !fixed;
    run();
}
static void refilled_early(bool fixed) {
    variant.unwaited_staging = !fixed;
    run();
}
static void polled(bool fixed) {
    variant.polled = true;
    variant.unwaited_upload = !fixed;
    run();
}
static void mutex_alone(bool fixed) {
    variant.host_waits = true;
    variant.untold_mutex = !fixed;
    run();
}
static void freed_early(bool fixed) {
    variant.pool = true;
    variant.unwaited_use = !fixed;
    run();
}

const struct scenario scenarios[] = {
    {"no-upload-wait", no_upload_wait},
    {"reused-early", reused_early},
    {"refilled-early", refilled_early},
    {"polled", polled},
    {"mutex-alone", mutex_alone},
    {"freed-early", freed_early},
    {NULL, NULL},
};
