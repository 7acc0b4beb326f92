// What other processes share with this one.
#include "api_roles.h"
#include "api_runtime.h"

// Its size is the exporter's to know; the runtime tells it.
static size_t size_of(void *memory) {
    size_t size = api_runtime_extent(memory);
    return size ? size : 1;
}

// Memory that is known is this process's.
void api_memory_opened(struct api_call *call, void *memory) {
    atomic_fetch_add(&process.control->coverage[COVERAGE_FOREIGN_HANDLES], 1);
    if (memory_at((uintptr_t)memory)) {
        call->op.record.flags |= FLAG_NOOP;
        return;
    }
    call->foreign = true;
    api_allocated(call, memory, size_of(memory), MEMORY_KIND_DEVICE);
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

// Memory that others made and may touch: a pool's of another process, of another API, of graphics.
static void opened(void *memory, size_t size) {
    atomic_fetch_add(&process.control->coverage[COVERAGE_FOREIGN_HANDLES], 1);
    api_global(memory, size, true);
}

void api_pool_memory_opened(int rc, void *const *memory) {
    if (rc == 0)
        opened(*memory, size_of(*memory));
}

struct external_buffer { // CUDA_EXTERNAL_MEMORY_BUFFER_DESC, hipExternalMemoryBufferDesc
    uint64_t offset, size;
    unsigned flags;
};

void api_external_buffer(int rc, void *const *buffer, const void *description) {
    const struct external_buffer *told = description;
    if (rc == 0 && told)
        opened(*buffer, told->size);
}

void api_graphics_memory(int rc, void *const *memory, const size_t *size) {
    if (rc == 0)
        opened(*memory, size ? *size : size_of(*memory));
}
