// Allocations and frees, and host memory that becomes known to an API.
#include "api_call.h"
#include "pending.h"

static enum kind kind_of_alloc(enum memory_kind kind) {
    switch (kind) {
    case MEMORY_KIND_PINNED:
        return KIND_ALLOC_PINNED;
    case MEMORY_KIND_MAPPED:
        return KIND_ALLOC_MAPPED;
    case MEMORY_KIND_WRITE_COMBINED:
        return KIND_ALLOC_WRITE_COMBINED;
    case MEMORY_KIND_MANAGED:
        return KIND_ALLOC_MANAGED;
    default:
        return KIND_ALLOC_DEVICE;
    }
}

static void allocated(struct api_call *call, void *address, uint64_t size, enum memory_kind kind,
                      bool pool) {
    struct memory *memory =
        memory_add(call->op.thread, (struct memory){.base = (uintptr_t)address,
                                                    .size = size,
                                                    .device = api_device(call),
                                                    .kind = (uint8_t)kind,
                                                    .pool = pool,
                                                    .foreign = call->foreign,
                                                    .of_graph = call->captures});
    if (memory)
        api_note(call, api_range(call->op.thread, memory, memory->base, size, API_WRITES));
}

void api_allocated(struct api_call *call, void *memory, uint64_t size, enum memory_kind kind) {
    call->op.record.kind = (uint8_t)kind_of_alloc(kind);
    call->op.record.device = api_device(call);
    if (memory && size)
        allocated(call, memory, size, kind, false);
    else
        call->op.record.flags |= FLAG_NOOP;
}

void api_pool_allocated(struct api_call *call, void *memory, uint64_t size) {
    if (memory && size)
        allocated(call, memory, size, MEMORY_KIND_DEVICE, true);
    else
        call->op.record.flags |= FLAG_NOOP;
}

// Taken out of the map before the call: as soon as it is made, another thread may be given the
// address.
void api_frees(struct api_call *call, void *address) {
    struct memory *memory = memory_alive((uintptr_t)address);
    struct record_op *record = &call->op.record;
    if (!memory || memory->base != (uintptr_t)address) {
        record->flags |= address ? 0 : FLAG_NOOP;
        return;
    }
    if (memory->of_graph && !call->captures) { // the next launch allocates it again
        record->flags |= FLAG_NOOP;
        return;
    }
    if (record->kind != KIND_FREE_ASYNC) {
        record->kind = memory_is_host(memory) ? KIND_FREE_HOST : KIND_FREE;
        record->flags |= memory->pool ? FLAG_POOL : 0;
        record->device = memory->device;
    }
    api_note(call, api_range(call->op.thread, memory, memory->base, memory->size, API_WRITES));
    if (call->captures || !memory_release(memory))
        return;
    call->freed = memory;
    if (!memory->of_host)
        pending_forget(memory->storage);
}

void api_registers(struct api_call *call, void *address, uint64_t size) {
    call->op.record.device = api_device(call);
    struct memory *memory =
        memory_register(call->op.thread, (uintptr_t)address, size, api_device(call));
    if (memory)
        api_note(call, api_range(call->op.thread, memory, memory->base, size, API_WRITES));
}

void api_unregisters(struct api_call *call, void *address) {
    struct memory *memory = memory_alive((uintptr_t)address);
    if (!memory || !memory->of_host)
        return;
    call->op.record.device = memory->device;
    api_note(call, api_range(call->op.thread, memory, memory->base, memory->size, API_WRITES));
    if (memory_release(memory))
        call->freed = memory;
}
