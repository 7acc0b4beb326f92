// What a program tells of itself by synctrace.h.
#include "api_parts.h"
#include "api_range.h"
#include "ggml_op.h"
#include "ggml_range.h"
#include "intern.h"
#include "ranges.h"

#define EXPORT __attribute__((visibility("default")))
#include "synctrace.h"

static void touch(struct op *op, const void *data, size_t bytes, enum mode mode,
                  const char *label) {
    struct range range;
    struct memory *memory = memory_alive((uintptr_t)data);
    if (memory) // of a GPU's runtime
        api_make_range(op->thread, &range, memory, (uintptr_t)data, bytes,
                       API_HOW(mode, EXTENT_EXACT, ORIGIN_ARGUMENT));
    else
        access_of_host(op->thread, &range, data, bytes, mode);
    if (label)
        strncpy(range.name, label, sizeof range.name - 1);
    op_touches(op, &range);
}

EXPORT void synctrace_recorded_host_read(const void *data, size_t bytes, const char *label) {
    OP(op);
    if (!OP_ENTER_APP(&op, synctrace_host_read, KIND_HOST_READ))
        return;
    touch(&op, data, bytes, MODE_READ, label);
    op_leave(&op);
}

EXPORT void synctrace_recorded_host_write(const void *data, size_t bytes, const char *label) {
    OP(op);
    if (!OP_ENTER_APP(&op, synctrace_host_write, KIND_HOST_WRITE))
        return;
    touch(&op, data, bytes, MODE_WRITE, label);
    op_leave(&op);
}

// A token is an event of no device: known by its address, as those of a runtime are.
static void hand_over(struct op *op, const void *token) {
    struct event *event = event_of(op->thread, (void *)(uintptr_t)token);
    op->record.event = event ? event->handle.id : 0;
    if (!event && token)
        atomic_fetch_add(&process.control->untracked, 1);
    op_leave(op);
}

EXPORT void synctrace_recorded_release(const void *token) {
    OP(op);
    if (OP_ENTER_APP(&op, synctrace_release, KIND_RELEASE))
        hand_over(&op, token);
}

EXPORT void synctrace_recorded_acquire(const void *token) {
    OP(op);
    if (OP_ENTER_APP(&op, synctrace_acquire, KIND_ACQUIRE))
        hand_over(&op, token);
}

EXPORT void synctrace_recorded_block(const void *data, size_t bytes) {
    if (process_wanted())
        part_put((uintptr_t)data, bytes);
}

// Its spans are popped by themselves, as those of a domain of NVTX are.
static const struct nvtx_domain own;

EXPORT void synctrace_recorded_mark(const char *name) {
    range_mark(&own, name, CALL_synctrace_mark, __builtin_return_address(0), OP_FRAME());
}

EXPORT void synctrace_recorded_range_push(const char *name) { range_push(&own, name); }

EXPORT void synctrace_recorded_range_pop(void) { range_pop(&own); }
