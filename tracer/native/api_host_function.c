#include "api_host_function.h"
#include <stdio.h>

enum { PENDING = 4096, TRIES = 64 };

struct host_function {
    _Atomic uint32_t taken;
    uint32_t event, epoch; // epoch: of the recording that knows the event
    void *function, *data;
};

static struct host_function pending[PENDING];
static _Atomic uint32_t next;

// None: all that were looked at are pending.
static struct host_function *take(void) {
    for (unsigned i = 0; i < TRIES; i++) {
        struct host_function *one = &pending[atomic_fetch_add(&next, 1) % PENDING];
        if (!atomic_load_explicit(&one->taken, memory_order_relaxed) &&
            !atomic_exchange_explicit(&one->taken, 1, memory_order_acquire))
            return one;
    }
    return NULL;
}

static void give_back(struct host_function *one) {
    atomic_store_explicit(&one->taken, 0, memory_order_release);
}

// Its place is free for the next from here on.
static struct host_function begun(void *given, void *caller, void *frame) {
    struct host_function one = *(struct host_function *)given;
    give_back(given);
    OP(op);
    if (one.epoch == process_epoch() &&
        op_enter_app(&op, CALL_host_function, KIND_THREAD_WAIT, caller, frame)) {
        op.record.event = one.event;
        op.record.flags |= FLAG_IMPLIED;
        op_leave(&op);
    }
    return one;
}

static void run(void *given) {
    struct host_function one = begun(given, __builtin_return_address(0), OP_FRAME());
    ((void (*)(void *))one.function)(one.data);
}

static void run_callback(void *stream, int status, void *given) {
    struct host_function one = begun(given, __builtin_return_address(0), OP_FRAME());
    ((void (*)(void *, int, void *))one.function)(stream, status, one.data);
}

static void replace(struct api_call *call, void **function, void **data, void *by) {
    struct thread *thread = call->op.thread;
    if (call->captures || !*function || !thread->ring || op_skipped(&call->op))
        return;
    struct host_function *one = take();
    if (!one)
        return;
    struct record_event record = {.handle = (uintptr_t)*function,
                                  .born = atomic_load(&process.control->ticket),
                                  .id = take_id(ID_EVENT),
                                  .device = -1};
    char name[32];
    snprintf(name, sizeof name, "host function %u", record.id);
    ring_put_named(thread->ring, RECORD_EVENT, &record, sizeof record, name);
    one->event = record.id;
    one->epoch = thread->epoch;
    one->function = *function;
    one->data = *data;
    call->op.record.event = record.id;
    call->runs = one;
    *function = by;
    *data = one;
}

void api_runs(struct api_call *call, void **function, void **data) {
    replace(call, function, data, (void *)(uintptr_t)run);
}

void api_runs_callback(struct api_call *call, void **function, void **data) {
    replace(call, function, data, (void *)(uintptr_t)run_callback);
}

void api_runs_not(struct api_call *call) {
    if (call->runs)
        give_back(call->runs);
    call->runs = NULL;
}
