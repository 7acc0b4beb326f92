// Fills a small ring as fast as it can: ring_writer FOLDER COUNT. Each record is a scope whose
// number counts up; names vary in length, so that records and the wrap meet in every way.
#include "process.h"
#include "ring.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    if (argc < 3)
        return 2;
    snprintf(process.folder, sizeof process.folder, "%s", argv[1]);
    process.ring_bytes = 16 << 10;
    struct ring *ring = ring_create(7);
    if (!ring)
        return 1;
    char name[512];
    memset(name, 'x', sizeof name);
    for (long i = 0; i < atol(argv[2]); i++) {
        struct record_scope record = {.number = (uint64_t)i};
        size_t length = (size_t)(i * 7919 % 500);
        name[length] = 0;
        ring_put_named(ring, RECORD_SCOPE, &record, sizeof record, name);
        name[length] = 'x';
    }
    ring_close(ring);
    return 0;
}
