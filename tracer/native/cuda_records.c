#include "cuda_records.h"
#include "cupti.h"
#include "process.h"
#include "ring.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// Buffers are small, so that a program that is killed loses little. By malloc: a profiler that is
// given one of them by mistake frees it.
enum { BUFFER_BYTES = 1 << 20, BUFFERS = 256, ALIGNED = 64 };
// The parent looks every few ms. One that takes nothing for so long is gone.
enum { PATIENCE_MS = 500 };
enum { FLUSH_UNFINISHED = 1 }; // also buffers with records that are not complete

static const struct cupti *cupti;
// Taken for moments: the program's threads ask for buffers.
static pthread_mutex_t buffers_lock = PTHREAD_MUTEX_INITIALIZER; // of what follows
static uint8_t *idle[BUFFERS];
static unsigned idle_buffers, buffers;
// Held while the parent is waited for: by CUPTI's own thread, and by the one that ends the program.
static pthread_mutex_t ring_lock = PTHREAD_MUTEX_INITIALIZER; // of what follows, and of `batch`
static struct ring *ring;
static uint32_t ring_epoch;
static bool impatient;

// Told together: each is a record of its own for the parent, and a thousand are not.
static struct {
    struct device_op op[DEVICE_ITEMS];
    struct device_time time[DEVICE_ITEMS];
    unsigned ops, times;
} batch;

void cuda_records_begin(const struct cupti *library) { cupti = library; }

void cuda_records_request(uint8_t **buffer, size_t *size, size_t *most_records) {
    pthread_mutex_lock(&buffers_lock);
    *buffer = idle_buffers ? idle[--idle_buffers] : NULL;
    if (!*buffer && buffers < BUFFERS && (*buffer = aligned_alloc(ALIGNED, BUFFER_BYTES)))
        buffers++;
    pthread_mutex_unlock(&buffers_lock);
    *size = *buffer ? BUFFER_BYTES : 0;
    *most_records = 0;
}

// One of the program's profiler may come here, too, as ours may go there.
static void give_back(uint8_t *buffer, size_t size) {
    pthread_mutex_lock(&buffers_lock);
    bool ours = size == BUFFER_BYTES && idle_buffers < BUFFERS;
    if (ours)
        idle[idle_buffers++] = buffer;
    pthread_mutex_unlock(&buffers_lock);
    if (!ours)
        free(buffer);
}

static void lost(uint64_t records) {
    if (records)
        atomic_fetch_add(&process.control->coverage[COVERAGE_DEVICE_RECORDS_LOST], records);
}

// Twice the size: it may have to go to the ring's start.
static bool has_room(size_t size) {
    return atomic_load_explicit(&ring->head, memory_order_relaxed) + 2 * size -
               atomic_load_explicit(&ring->tail, memory_order_acquire) <=
           ring->size;
}

// None of the program's threads waits here, but the one that ends it.
static bool wait_for_room(size_t size) {
    const struct timespec ms = {.tv_nsec = 1000000};
    uint64_t tail = atomic_load(&ring->tail);
    for (unsigned waited = 0; !has_room(size) && !impatient; waited++) {
        nanosleep(&ms, NULL);
        if (atomic_load(&ring->tail) != tail)
            waited = 0, tail = atomic_load(&ring->tail);
        impatient = waited >= PATIENCE_MS;
    }
    return has_room(size);
}

static void put(enum record_type type, const void *items, unsigned count, size_t item) {
    size_t size = sizeof(struct record_head) + count * item;
    if (!count)
        return;
    struct record_head *record = NULL;
    if (ring && wait_for_room(size))
        record = ring_reserve(ring, type, (uint16_t)count, size, 0);
    if (!record) {
        lost(count);
        return;
    }
    memcpy(record + 1, items, count * item);
    ring_commit(ring, record);
}

static void put_batch(void) {
    put(RECORD_DEVICE_OPS, batch.op, batch.ops, sizeof *batch.op);
    put(RECORD_DEVICE_TIMES, batch.time, batch.times, sizeof *batch.time);
    batch.ops = batch.times = 0;
}

static void take(const void *record) {
    struct cupti_record read;
    switch (cupti_read(record, &read)) {
    case CUPTI_SAYS_OP:
        batch.op[batch.ops++] = (struct device_op){read.op, read.correlation, 0};
        break;
    case CUPTI_SAYS_TIMES:
        if (read.start > 0 && read.end >= read.start)
            batch.time[batch.times++] =
                (struct device_time){read.correlation, read.kind, read.start, read.end};
        break;
    case CUPTI_SAYS_NOTHING:
        break;
    }
    if (batch.ops == DEVICE_ITEMS || batch.times == DEVICE_ITEMS)
        put_batch();
}

// Records of a process that is not recorded (yet) are of no op.
static bool ready(void) {
    uint32_t epoch = process_epoch();
    if (atomic_load(&process.ready) != epoch)
        return false;
    if (ring_epoch != epoch) {
        ring_epoch = epoch;
        ring = ring_create(0);
    }
    return true;
}

static void count_lost(void) {
    size_t dropped = 0; // since it was asked last
    if (cupti->cuptiActivityGetNumDroppedRecords(NULL, 0, &dropped) == 0)
        lost(dropped);
}

void cuda_records_flush(void) {
    cupti->cuptiActivityFlushAll(FLUSH_UNFINISHED);
    pthread_mutex_lock(&ring_lock);
    if (ready())
        count_lost();
    pthread_mutex_unlock(&ring_lock);
}

void cuda_records_take(void *context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid) {
    void *record = NULL;
    (void)context, (void)stream;
    pthread_mutex_lock(&ring_lock);
    if (ready()) {
        while (cupti->cuptiActivityGetNextRecord(buffer, valid, &record) == 0)
            take(record);
        put_batch();
        count_lost();
    }
    pthread_mutex_unlock(&ring_lock);
    give_back(buffer, size);
}
