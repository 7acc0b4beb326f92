// Buffers of device times while the parent takes nothing: device_records FOLDER. In the middle of
// each wait for it one of the program's threads would ask for a buffer, which this one does in its
// place: `nanosleep` is `sleeps` here.
#include "cuda_records.h"
#include "cupti.h"
#include "process.h"
#include "ring.h"
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned asked, left;

int sleeps(const struct timespec *how_long, struct timespec *rest) {
    (void)how_long, (void)rest;
    uint8_t *buffer;
    size_t size, most;
    cuda_records_request(&buffer, &size, &most);
    assert(asked >= 255 || buffer); // one of all is in use
    asked++;
    return 0;
}

enum cupti_said cupti_read(const void *from, struct cupti_record *read) {
    (void)from;
    *read = (struct cupti_record){.correlation = left, .kind = CUPTI_KERNEL, .start = 1, .end = 2};
    return CUPTI_SAYS_TIMES;
}

static int next_record(uint8_t *buffer, size_t valid, void **record) {
    (void)valid;
    *record = buffer;
    return left-- ? 0 : 1;
}

static int none_dropped(void *context, uint32_t stream, size_t *dropped) {
    (void)context, (void)stream;
    *dropped = 0;
    return 0;
}

int main(int count, char **arguments) {
    static const struct cupti library = {.cuptiActivityGetNextRecord = next_record,
                                         .cuptiActivityGetNumDroppedRecords = none_dropped};
    if (count != 2)
        return 2;
    uint8_t *buffer;
    size_t size, most;
    snprintf(process.folder, sizeof process.folder, "%s", arguments[1]);
    process.ring_bytes = 64 << 10;
    atomic_store(&process.ready, process_epoch());
    cuda_records_begin(&library);
    cuda_records_request(&buffer, &size, &most);
    assert(buffer && size);
    left = 100000; // more than the ring has room for
    cuda_records_take(NULL, 0, buffer, size, size);
    assert(asked > 100);
    for (unsigned n = 0; n < 1000; n++) { // not ours: freed
        left = 0;
        cuda_records_take(NULL, 0, malloc(64), 64, 64);
    }
    uint64_t lost = atomic_load(&process.control->coverage[COVERAGE_DEVICE_RECORDS_LOST]);
    assert(lost > 90000 && lost < 100000);
    return 0;
}
