// What other processes share with this one.
#include "api_roles.h"

int (*api_ask_extent)(void **base, size_t *size, void *memory);

// Its size is the exporter's to know; the runtime tells it. Memory that is known is this process's.
void api_memory_opened(struct api_call *call, void *memory) {
    void *base = memory;
    size_t size = 0;
    atomic_fetch_add(&process.control->coverage[COVERAGE_FOREIGN_HANDLES], 1);
    if (memory_at((uintptr_t)memory)) {
        call->op.record.flags |= FLAG_NOOP;
        return;
    }
    if (!api_ask_extent || api_ask_extent(&base, &size, memory) != 0 || !size)
        size = 1;
    call->foreign = true;
    api_allocated(call, memory, size, MEMORY_KIND_DEVICE);
}

void api_memory_closes(struct api_call *call, void *memory) {
    const struct memory *known = memory_at((uintptr_t)memory);
    if (known && known->foreign)
        api_frees(call, memory);
    else
        call->op.record.flags |= FLAG_NOOP;
}

void api_event_opened(struct api_call *call, void *handle) {
    struct api_event *event = api_event_made(call->op.thread, handle, api_device(call), false);
    if (event)
        event->foreign = true;
    api_on_event(call, handle);
    atomic_fetch_add(&process.control->coverage[COVERAGE_FOREIGN_HANDLES], 1);
}

// Whoever gets the handle may record it or wait for it from here on.
void api_event_shared(int rc, void *handle) {
    struct api_event *event = rc == 0 ? api_event_find(handle) : NULL;
    if (event)
        event->foreign = true;
}
