// Groups of RCCL calls: none of them gives anything to a stream before the outermost group ends.
// What then is told: one op for the end of the group, within it an op for each call, in no order
// among themselves. Calls on several streams make these wait for each other, before and after.
#include "blocks.h"
#include "capture.h"
#include "rccl_calls.h"

// A call of the group, as it was made.
struct kept {
    struct api_stream *stream;
    const char *name;
    struct site_entry *entry;
    uint32_t stack, ordinal, scope;
    uint16_t call;
    uint8_t accesses;
    uint32_t access[API_ACCESSES];
};

static __thread unsigned depth __attribute__((tls_model("initial-exec")));
static __thread struct list calls __attribute__((tls_model("initial-exec")));

static struct kept *kept_at(uint32_t at) { return (struct kept *)calls.items + at; }

static struct kept *append(void) {
    graphs_lock(); // of blocks
    struct kept *kept = list_append(&calls, sizeof *kept);
    graphs_unlock();
    return kept;
}

static void forget(void) {
    graphs_lock();
    list_drop(&calls, sizeof(struct kept));
    graphs_unlock();
}

bool rccl_group_takes(struct api_call *call, bool failed) {
    if (!depth)
        return false;
    struct op *op = &call->op;
    struct kept *kept = failed ? NULL : append();
    if (!failed && !kept)
        atomic_fetch_add(&process.control->untracked, 1);
    if (kept) {
        *kept = (struct kept){.stream = call->stream,
                              .name = call->name,
                              .entry = op->site,
                              .stack = op->record.stack,
                              .ordinal = op->record.ordinal,
                              .scope = op->record.scope,
                              .call = op->record.call,
                              .accesses = (uint8_t)op->accesses};
        memcpy(kept->access, call->access, op->accesses * sizeof *kept->access);
    }
    for (unsigned i = 0; i < call->sources; i++)
        atomic_fetch_add(&process.control->unwatched, call->source[i].size);
    op_cancel(op);
    return true;
}

static void imply(struct api_call *group, enum kind kind, struct api_stream *on, uint32_t event) {
    API_CALL(call);
    if (!api_enter_more(&call, group, kind))
        return;
    call.op.record.flags |= FLAG_IMPLIED;
    api_acts_on(&call, on);
    call.op.record.event = event;
    api_leave(&call, 0, false);
}

// The at-th call's stream is one that no call before has.
static bool is_first(uint32_t at) {
    for (uint32_t i = 0; i < at; i++)
        if (kept_at(i)->stream == kept_at(at)->stream)
            return false;
    return true;
}

// All streams of the group wait for each other: those behind the first for it, once it has waited
// for them.
static void meet(struct api_call *group) {
    struct thread *thread = group->op.thread;
    struct api_stream *first = kept_at(0)->stream;
    uint32_t others = 0, event;
    for (uint32_t i = 1; i < calls.count; i++) {
        struct api_stream *stream = kept_at(i)->stream;
        if (!is_first(i))
            continue;
        others++;
        event = api_stream_meeting(thread, stream);
        imply(group, KIND_EVENT_RECORD, stream, event);
        imply(group, KIND_EVENT_WAIT, first, event);
    }
    if (!others)
        return;
    event = api_stream_meeting(thread, first);
    imply(group, KIND_EVENT_RECORD, first, event);
    for (uint32_t i = 1; i < calls.count; i++)
        if (is_first(i))
            imply(group, KIND_EVENT_WAIT, kept_at(i)->stream, event);
}

static void tell(struct api_call *group, const struct kept *kept) {
    API_CALL(call);
    if (!api_enter_more(&call, group, KIND_KERNEL))
        return;
    struct record_op *record = &call.op.record;
    record->flags |= FLAG_BATCHED;
    record->stack = kept->stack;
    record->ordinal = kept->ordinal;
    record->scope = kept->scope;
    record->call = kept->call;
    call.name = kept->name;
    call.op.accesses = kept->accesses;
    memcpy(call.access, kept->access, kept->accesses * sizeof *kept->access);
    api_acts_on(&call, kept->stream);
    api_leave(&call, 0, false);
}

static bool all_run(void) {
    for (uint32_t i = 0; i < calls.count; i++)
        if (!kept_at(i)->stream || capture_of(kept_at(i)->stream))
            return false;
    return true;
}

static void tell_all(struct api_call *group) {
    bool meets = all_run();
    op_encloses(&group->op);
    if (meets)
        meet(group);
    for (uint32_t i = 0; i < calls.count; i++)
        tell(group, kept_at(i));
    if (meets)
        meet(group);
}

EXPORT int ncclGroupStart(void) {
    int rc = REAL_RCCL(ncclGroupStart, int, (void))();
    depth += rc == 0;
    return rc;
}

// Without calls in it (communicators are made in groups, too) it is no op: what RCCL does of HIP is
// then recorded.
EXPORT int ncclGroupEnd(void) {
    API_CALL(call);
    if (depth == 1 && calls.count)
        rccl_enter(&call, CALL_ncclGroupEnd, KIND_BATCH, __builtin_return_address(0), OP_FRAME());
    op_out(&call.op);
    int rc = REAL_RCCL(ncclGroupEnd, int, (void))();
    op_back(&call.op);
    depth -= depth != 0;
    if (call.op.thread && !rccl_has_failed(rc))
        tell_all(&call);
    if (!depth)
        forget();
    if (call.op.thread)
        api_leave(&call, rc, rccl_has_failed(rc));
    return rc;
}
