// What HIP shares with other processes.
#include "hip_calls.h"

void hip_event_opened(struct api_call *call, void *handle) {
    struct api_event *event = api_event_made(call->op.thread, handle, api_device(call), false);
    if (event)
        event->foreign = true;
    api_on_event(call, handle);
    atomic_fetch_add(&process.control->coverage[COVERAGE_FOREIGN_HANDLES], 1);
}

// Whoever gets the handle may record it or wait for it from here on.
void hip_event_shared(int rc, void *handle) {
    struct api_event *event = rc == 0 ? api_event_find(handle) : NULL;
    if (event)
        event->foreign = true;
}
