// Copies and fills: which memories they join, and what that makes of them.
#include "api_call.h"

struct end {
    struct memory *memory;
    bool host;
    int32_t device; // -1: none
};

static struct end end_of(const struct api_call *call, const void *address) {
    struct memory *memory = api_memory_named(call->op.thread, address);
    bool host = memory_is_host(memory);
    return (struct end){memory, host,
                        !host && memory->kind == MEMORY_KIND_DEVICE ? memory->device : -1};
}

static bool is_pageable(struct end end) { return !end.memory; }

static enum kind kind_of(struct end to, struct end from, bool sync) {
    if (to.host && from.host)
        return KIND_MEMCPY_H2H;
    if (to.host)
        return sync ? KIND_MEMCPY_D2H : KIND_MEMCPY_ASYNC_D2H;
    if (from.host)
        return sync ? KIND_MEMCPY_H2D : KIND_MEMCPY_ASYNC_H2D;
    return sync ? KIND_MEMCPY_D2D : KIND_MEMCPY_ASYNC_D2D;
}

// The null stream of a device whose memory a stream of another one copies.
static void set_peer(struct api_call *call, struct end to, struct end from) {
    struct record_op *record = &call->op.record;
    int other = to.device >= 0 && to.device != record->device       ? to.device
                : from.device >= 0 && from.device != record->device ? from.device
                                                                    : -1;
    if (to.device >= 0 && from.device >= 0 && to.device != from.device)
        record->flags |= FLAG_ACROSS;
    const struct api_stream *peer = other < 0 ? NULL : api_legacy_stream(call->op.thread, other);
    record->peer = peer ? peer->handle.id : 0;
}

void api_copy_kind(struct api_call *call, const void *to, const void *from, enum api_waits waits) {
    static const struct end array = {NULL, false, -1};
    struct end target = to ? end_of(call, to) : array;
    struct end source = from ? end_of(call, from) : array;
    call->op.record.kind = (uint8_t)kind_of(target, source, waits != API_ASYNC);
    set_peer(call, target, source);
}

// The host memory that it leaves in use.
static void note_sources(struct api_call *call, struct end target, const void *to, uint64_t written,
                         struct end source, const void *from, uint64_t read, enum api_waits waits) {
    struct record_op *record = &call->op.record;
    bool reads = from && source.host, writes = to && target.host;
    if (!call->captures) {
        reads = record->kind == KIND_MEMCPY_ASYNC_H2D && !is_pageable(source) && waits == API_ASYNC;
        writes = record->kind == KIND_MEMCPY_ASYNC_D2H && waits == API_ASYNC;
    } else if (record->kind == KIND_MEMCPY_ASYNC_H2D && is_pageable(source)) {
        record->flags |= FLAG_UNSTAGED; // read at each launch
    }
    if (waits == API_ASYNC && source.memory && source.memory->kind == MEMORY_KIND_MANAGED)
        atomic_fetch_add_explicit(&process.control->coverage[COVERAGE_UNWATCHED_MANAGED_BYTES],
                                  read, memory_order_relaxed);
    if (reads)
        api_uses(call, source.memory, from, read, false, false);
    if (writes)
        api_uses(call, target.memory, to, written, true, false);
}

void api_copy_sources(struct api_call *call, const void *to, uint64_t written, const void *from,
                      uint64_t read, enum api_waits waits) {
    note_sources(call, end_of(call, to), to, written, end_of(call, from), from, read, waits);
}

void api_copy(struct api_call *call, void *to, uint64_t to_pitch, const void *from,
              uint64_t from_pitch, uint64_t width, uint64_t height, enum api_waits waits) {
    struct record_op *record = &call->op.record;
    struct end target = end_of(call, to), source = end_of(call, from);
    record->kind = (uint8_t)kind_of(target, source, waits != API_ASYNC);
    if (!width || !height) {
        record->flags |= FLAG_NOOP;
        return;
    }
    set_peer(call, target, source);
    struct thread *thread = call->op.thread;
    api_note(call, api_range_of_rows(thread, source.memory, (uintptr_t)from,
                                     (struct api_rows){from_pitch, width, height}, API_READS));
    api_note(call, api_range_of_rows(thread, target.memory, (uintptr_t)to,
                                     (struct api_rows){to_pitch, width, height}, API_WRITES));
    note_sources(call, target, to, (height - 1) * to_pitch + width, source, from,
                 (height - 1) * from_pitch + width, waits);
}

void api_peers(struct api_call *call, const void *to, int to_device, const void *from,
               int from_device, enum api_waits waits) {
    struct record_op *record = &call->op.record;
    if (waits != API_SYNC) {
        set_peer(call, end_of(call, to), end_of(call, from));
        return;
    }
    // Of all three devices, the destination's is named. So CUDA's manual has it of the function, on
    // whichever default stream it is: of a thread's own (_ptds) nothing else is said.
    api_on_legacy(call, record->device);
    record->device = to_device;
    const struct api_stream *peer = api_legacy_stream(call->op.thread, from_device);
    record->peer = peer ? peer->handle.id : 0;
    if (to_device != from_device)
        record->flags |= FLAG_ACROSS;
}

void api_copy_peer(struct api_call *call, void *to, int to_device, const void *from,
                   int from_device, uint64_t size, enum api_waits waits) {
    if (!size) {
        call->op.record.flags |= FLAG_NOOP;
        return;
    }
    api_peers(call, to, to_device, from, from_device, waits);
    api_reads(call, from, size);
    api_writes(call, to, size);
}

void api_set(struct api_call *call, void *to, uint64_t pitch, uint64_t width, uint64_t height,
             enum api_waits waits) {
    struct record_op *record = &call->op.record;
    struct end target = end_of(call, to);
    if (!width || !height) {
        record->flags |= FLAG_NOOP;
        return;
    }
    if (waits == API_SYNC && target.memory && (uintptr_t)to != target.memory->base)
        record->flags |= FLAG_OFFSET;
    api_note(call, api_range_of_rows(call->op.thread, target.memory, (uintptr_t)to,
                                     (struct api_rows){pitch, width, height}, API_WRITES));
    api_set_target(call, to, (height - 1) * pitch + width, waits);
}

void api_set_target(struct api_call *call, const void *to, uint64_t size, enum api_waits waits) {
    struct end target = end_of(call, to);
    if (target.host && waits == API_ASYNC)
        api_uses(call, target.memory, to, size, true, false);
}

void api_reads(struct api_call *call, const void *address, uint64_t size) {
    api_note(call, api_range(call->op.thread, api_memory_named(call->op.thread, address),
                             (uintptr_t)address, size, API_READS));
}

void api_writes(struct api_call *call, const void *address, uint64_t size) {
    api_note(call, api_range(call->op.thread, api_memory_named(call->op.thread, address),
                             (uintptr_t)address, size, API_WRITES));
}
