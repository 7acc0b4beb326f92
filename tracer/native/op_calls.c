// Numbers and names of the functions that ops are calls of.
#include "op.h"

static const char *const call_names[] = {"",
#define NAME(call) #call,
                                         RECORDED_CALLS(NAME)
#undef NAME
};

static _Atomic uint32_t next_call = CALL_COUNT;

uint32_t op_new_call(void) {
    uint32_t id = atomic_fetch_add(&next_call, 1);
    if (id <= UINT16_MAX)
        return id;
    atomic_store(&next_call, UINT16_MAX + 1);
    return 0;
}

void op_forget_calls(void) { atomic_store(&next_call, CALL_COUNT); }

void op_tell_call(struct thread *thread, uint32_t id, const char *name) {
    struct record_call call = {.id = id};
    if (thread->ring)
        ring_put_named(thread->ring, RECORD_CALL, &call, sizeof call, name);
}

void op_tell_calls(struct thread *thread) {
    for (uint32_t id = 1; id < CALL_HIP_FIRST; id++)
        op_tell_call(thread, id, call_names[id]);
}
