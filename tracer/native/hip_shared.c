// What HIP shares with other processes.
#include "hip_calls.h"

// Its size is the exporter's to know; the runtime tells it. Memory that is known is this process's.
void hip_opened(struct api_call *call, void *memory) {
    void *base = memory;
    size_t size = 0;
    int (*ask)(void **, size_t *, void *) =
        (int (*)(void **, size_t *, void *))hip_unrecorded("hipMemGetAddressRange");
    atomic_fetch_add(&process.control->coverage[COVERAGE_FOREIGN_HANDLES], 1);
    if (memory_at((uintptr_t)memory)) {
        call->op.record.flags |= FLAG_NOOP;
        return;
    }
    if (!ask || ask(&base, &size, memory) != 0 || !size)
        size = 1;
    call->foreign = true;
    api_allocated(call, memory, size, MEMORY_KIND_DEVICE);
}

void hip_closes(struct api_call *call, void *memory) {
    const struct memory *known = memory_at((uintptr_t)memory);
    if (known && known->foreign)
        api_frees(call, memory);
    else
        call->op.record.flags |= FLAG_NOOP;
}

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
