// Handles for other processes; here they are opened in the same one.
#include "program.h"

static void events(bool fixed) {
    (void)fixed;
    hipStream_t first = new_stream(), second = new_stream();
    uint32_t *data = device_words(WORDS), *copy = device_words(WORDS);
    hipEvent_t own, opened, private = new_event();
    hipIpcEventHandle_t handle;
    OK(hipEventCreateWithFlags(&own, hipEventDisableTiming | hipEventInterprocess));
    record(own, first); // nobody else knows it yet
    OK(hipIpcGetEventHandle(&handle, own));
    OK(hipIpcOpenEventHandle(&opened, handle));
    fill(first, data, 1);
    record(own, first);
    record(private, first);
    wait_for(second, private);
    wait_for(second, opened); // recorded by the other process
    pass(second, data, copy);
    print_device("copy", second, copy, WORDS);
}

static void memory(bool fixed) {
    (void)fixed;
    hipStream_t stream = new_stream();
    uint32_t *data = device_words(WORDS);
    void *opened;
    hipIpcMemHandle_t handle;
    OK(hipIpcGetMemHandle(&handle, data));
    OK(hipIpcOpenMemHandle(&opened, handle, 1));
    fill(stream, opened, 1);
    drain(stream);
    OK(hipIpcCloseMemHandle(opened));
    fill(stream, data, 2); // it is still there
    print_device("data", stream, data, WORDS);
}

const struct scenario scenarios[] = {{"events", events}, {"memory", memory}, {NULL, NULL}};
