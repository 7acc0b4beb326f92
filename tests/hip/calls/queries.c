// A thread that asks for an event as fast as it can, until what is before it is done.
#include "program.h"
#include <stdio.h>

static void spin(bool fixed) {
    hipStream_t stream = new_stream();
    hipEvent_t event = new_event();
    uint32_t *staging = pinned_words(WORDS), *device = device_words(WORDS);
    unsigned asked = 1;
    set_words(staging, 1);
    synctrace_host_write(staging, BYTES, "staging");
    busy(stream, 100000);
    upload(stream, device, staging);
    record(event, stream);
    while (hipEventQuery(event) == hipErrorNotReady && (fixed || asked < 1000))
        asked++;
    set_words(staging, 2);
    synctrace_host_write(staging, BYTES, "staging");
    print_device("device", stream, device, WORDS);
    printf("asked %u\n", asked);
}

const struct scenario scenarios[] = {{"spin", spin}, {NULL, NULL}};
