// Values that streams write and wait for, and external semaphores, which are such values: as CUDA
// and HIP have them, with the same numbers.
#include "api_graph_calls.h"
#include "api_roles.h"
#include "api_values.h"

// CUstreamBatchMemOpParams, hipStreamBatchMemOpParams, as a write and a wait have it.
struct value_op {
    int type;
    void *address;
    uint64_t value;
    unsigned flags;
    void *alias;
    uint64_t spare;
};
enum value_type { WAIT_32 = 1, WRITE_32 = 2, WAIT_64 = 4, WRITE_64 = 5 };
static_assert(sizeof(struct value_op) == 48, "batch of values");

// Their numbers of conditions are those of enum api_condition.
static enum api_condition condition_of(unsigned flags) { return (enum api_condition)(flags & 3); }

void api_writes_value(struct api_call *call, void *address, uint64_t value) {
    struct api_order order = {.kind = KIND_VALUE_WRITE, .object = address, .value = value};
    api_value(call, &order);
}

void api_waits_value(struct api_call *call, void *address, uint64_t value, unsigned condition,
                     uint64_t mask) {
    struct api_order order = {.kind = KIND_VALUE_WAIT,
                              .condition = (uint8_t)condition_of(condition),
                              .object = address,
                              .value = value,
                              .mask = mask};
    api_value(call, &order);
}

void api_value_op(struct api_call *call, const void *values, unsigned at) {
    const struct value_op *op = (const struct value_op *)values + at;
    bool narrow = op->type == WAIT_32 || op->type == WRITE_32;
    uint64_t mask = narrow ? UINT32_MAX : UINT64_MAX;
    if (op->type == WRITE_32 || op->type == WRITE_64)
        api_writes_value(call, op->address, op->value & mask);
    else if (op->type == WAIT_32 || op->type == WAIT_64)
        api_waits_value(call, op->address, op->value & mask, op->flags, mask);
    else // barriers and flushes, which order nothing here
        call->op.record.flags |= FLAG_NOOP;
}

// One op each. Stored in a graph they are one node.
typedef void (*element)(struct api_call *call, const void *of, unsigned at);

static void each(struct api_call *call, element say, const void *of, unsigned count) {
    if (!count)
        call->op.record.flags |= FLAG_NOOP;
    for (unsigned i = 0; i < count && (i == 0 || call->captures); i++)
        say(call, of, i);
    if (call->captures)
        return;
    struct api_stream *stream = call->stream;
    api_leave(call, 0, false);
    for (unsigned i = 1; i < count; i++) {
        API_CALL(other);
        if (!api_enter_more(&other, call, KIND_VALUE_WRITE))
            return;
        if (stream)
            api_acts_on(&other, stream);
        say(&other, of, i);
        api_leave(&other, 0, false);
    }
}

void api_value_batch(struct api_call *call, const void *values, unsigned count) {
    each(call, api_value_op, values, count);
}

// What a signal and a wait are given begins with the value of a fence.
struct semaphore_parameters {
    uint64_t value;
    char spare[136];
};
static_assert(sizeof(struct semaphore_parameters) == 144, "external semaphores");
struct semaphores {
    void *const *handle;
    const struct semaphore_parameters *parameters;
};

static void signal_one(struct api_call *call, const void *of, unsigned at) {
    const struct semaphores *all = of;
    api_writes_value(call, all->handle[at], all->parameters[at].value);
}

static void wait_one(struct api_call *call, const void *of, unsigned at) {
    const struct semaphores *all = of;
    api_waits_value(call, all->handle[at], all->parameters[at].value, API_AT_LEAST, UINT64_MAX);
}

void api_semaphores(struct api_call *call, enum kind kind, const void *semaphores,
                    const void *parameters, unsigned count) {
    struct semaphores all = {semaphores, parameters};
    each(call, kind == KIND_VALUE_WRITE ? signal_one : wait_one, &all, count);
}

struct semaphores_node {
    struct semaphores all;
    unsigned count;
};

void api_node_semaphores(struct api_call *call, enum kind kind, const void *parameters) {
    const struct semaphores_node *node = parameters;
    api_node_plain(call, kind);
    for (unsigned i = 0; node && i < node->count; i++)
        (kind == KIND_VALUE_WRITE ? signal_one : wait_one)(call, &node->all, i);
}
