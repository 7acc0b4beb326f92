#include "fault.h"
#include "op_open.h"
#include "site.h"

// A wait whose last turn at this place took less is not worth two more system calls, which would
// be most of what recording it costs.
enum { LONG_WAIT_NS = 10000 };

static bool waits(enum kind kind) {
    return kind == KIND_STREAM_SYNC || kind == KIND_EVENT_SYNC || kind == KIND_DEVICE_SYNC;
}

// Calls of a GPU API that only submit work: a reading of the clock would be a third of what
// recording one costs.
static bool submits(const struct record_op *record) {
    if (record->level != LEVEL_API)
        return false;
    switch (record->kind) {
    case KIND_KERNEL:
    case KIND_GRAPH_LAUNCH:
    case KIND_EVENT_RECORD:
    case KIND_EVENT_WAIT:
    case KIND_MEMCPY_ASYNC_H2D:
    case KIND_MEMCPY_ASYNC_D2H:
    case KIND_MEMCPY_ASYNC_D2D:
    case KIND_MEMCPY_ASYNC_PEER:
    case KIND_MEMSET_ASYNC:
        return true;
    default:
        return false;
    }
}

// Of those the time is taken where the kernel's clock ticked within the call: what blocks for long
// is seen, what returns at once returned when it was entered.
static int64_t time_of_return(const struct record_op *record) {
    return submits(record) && tick_ns() <= record->t_c ? record->t_c : now_ns();
}

static bool can_be_skipped(enum kind kind) { return waits(kind) || kind == KIND_EVENT_WAIT; }

static uint64_t parent_of(struct thread *thread, enum level level) {
    if (level == LEVEL_API) {
        struct open_op *around = thread->depth ? &thread->open[thread->depth - 1] : NULL;
        if (around && around->level != LEVEL_API)
            around->lowered = true;
        return around ? around->ticket : 0;
    }
    for (unsigned i = thread->depth; i-- > 0;)
        if (thread->open[i].encloses)
            return thread->open[i].ticket;
    return 0;
}

// What op_enter itself does not fill in. One by one, from the first to the last, which becomes a
// few wide stores: cleared whole, a record of this size costs a `rep stos`, half of an op's own
// code.
static void begin_record(struct record_op *record) {
    record->cpu_ns = -1;
    record->flags = 0;
    record->actor = 0;
    record->peer = 0;
    record->event = 0;
    record->walk = 0;
    record->rc = 0;
    record->device = -1;
    record->graph = 0;
    record->timed = 0;
    record->spare = 0;
    memset(record->access, 0, sizeof record->access);
}

// Within a call of a GPU API what it calls of that API is its own business.
static bool is_own_business(const struct thread *thread, enum level level) {
    const struct open_op *around = thread->depth ? &thread->open[thread->depth - 1] : NULL;
    return level == LEVEL_API ? around && around->level == LEVEL_API && !around->encloses
                              : thread->mute != 0;
}

static bool begin(struct op *op, struct thread *thread, uint32_t call, enum kind kind,
                  enum level level, void *frame) {
    op->thread = NULL;
    if (!thread)
        return false;
    forget_abandoned(thread, frame);
    if (is_own_business(thread, level))
        return false;
    if (thread->depth == OPEN_OPS) {
        atomic_fetch_add(&process.control->lost, 1);
        return false;
    }
    thread->busy = true;
    op->thread = thread;
    op->more = NULL;
    op->accesses = 0;
    op->within = false;
    begin_record(&op->record);
    op->record.level = (uint8_t)level;
    op->record.kind = (uint8_t)kind;
    op->record.call = (uint16_t)call;
    op->record.scope = thread->scopes ? scope_for_op(thread, kind) : 0;
    op->record.parent = parent_of(thread, level);
    return true;
}

bool op_begin(struct op *op, uint32_t call, enum kind kind, enum level level, void *frame) {
    struct thread *thread = process.without[level] ? NULL : thread_self();
    return begin(op, thread, call, kind, level, frame);
}

void op_begun(struct op *op, struct site_entry *site, void *frame) {
    enum kind kind = (enum kind)op->record.kind;
    op->site = site;
    op->record.stack = site->stack;
    op->record.ordinal = site->ordinal;
    put_open(op, (struct open_op){.frame = frame, .level = op->record.level});
    op->cpu = waits(kind) && op->site->waited ? thread_cpu_ns() : -1;
}

static bool enter(struct op *op, uint32_t call, enum kind kind, enum level level, void *caller,
                  void *frame) {
    if (!op_begin(op, call, kind, level, frame))
        return false;
    struct site_entry *site = site_of_call(op->thread, call, caller, frame, op->record.scope);
    if (faults.skips && can_be_skipped(kind) && fault_skips(site->stack_key, site->ordinal))
        op->record.flags = FLAG_SKIPPED;
    op_begun(op, site, frame);
    return true;
}

bool op_enter(struct op *op, enum call call, enum kind kind, void *caller, void *frame) {
    return enter(op, call, kind, LEVEL_GGML, caller, frame);
}

// Never put into its caller: the frame of that is the first op's.
__attribute__((noinline)) bool op_enter_more(struct op *op, const struct op *first,
                                             enum kind kind) {
    bool within = first->thread != NULL;
    struct thread *thread = within ? first->thread : thread_self();
    if (!begin(op, thread, first->record.call, kind, LEVEL_API, OP_FRAME()))
        return false;
    op->within = within;
    op_begun(op, first->site, OP_FRAME());
    return true;
}

bool op_enter_app(struct op *op, enum call call, enum kind kind, void *caller, void *frame) {
    return enter(op, call, kind, LEVEL_APP, caller, frame);
}

bool op_enter_api(struct op *op, uint32_t call, enum kind kind, void *caller, void *frame) {
    return enter(op, call, kind, LEVEL_API, caller, frame);
}

// Taking the ticket has drained the stores to the op, so that it is copied in wide loads; the
// ticket itself, stored to it now, would be waited for.
static void write_op(const struct op *op, uint64_t ticket_r) {
    struct thread *thread = op->thread;
    if (!thread->ring) {
        atomic_fetch_add(&process.control->lost, 1);
        return;
    }
    size_t tail = op->accesses > OP_ACCESSES ? op->accesses * sizeof *op->more : 0;
    struct record_op *record =
        ring_reserve(thread->ring, tail ? RECORD_OP_LONG : RECORD_OP, (uint16_t)op->accesses,
                     sizeof *record + tail, op->record.ticket_c);
    if (!record)
        return;
    size_t head = sizeof record->head;
    memcpy((char *)record + head, (const char *)&op->record + head, sizeof *record - head);
    record->ticket_r = ticket_r;
    if (tail)
        memcpy(record + 1, op->more, tail);
    else if (op->more && op->accesses)
        memcpy(record->access, op->more, op->accesses * sizeof *op->more);
    ring_commit(thread->ring, record);
}

// Of another level the work of a call of a GPU API is that call's lowered form, no child's.
static void count_child(struct thread *thread, const struct op *op) {
    for (unsigned i = op->slot; op->record.parent && i-- > 0;)
        if (thread->open[i].ticket == op->record.parent) {
            thread->open[i].children +=
                op->record.level != LEVEL_API || thread->open[i].level == LEVEL_API;
            return;
        }
}

void op_written(struct op *op) {
    struct thread *thread = op->thread;
    if (!thread || thread->epoch != process_epoch()) {
        op->thread = NULL; // forked inside the call: the child starts anew
        return;
    }
    thread->busy = true;
    if (op->cpu >= 0)
        op->record.cpu_ns = thread_cpu_ns() - op->cpu;
    op->record.t_r = time_of_return(&op->record);
    op->site->waited = op->record.t_r - op->record.t_c >= LONG_WAIT_NS;
    if (is_open(thread, op)) {
        const struct open_op *open = &thread->open[op->slot];
        op->record.flags |= (open->children ? FLAG_PARENT : 0) | (open->lowered ? FLAG_LOWERED : 0);
    }
    count_child(thread, op);
    write_op(op, take_ticket());
}

void op_leave(struct op *op) {
    op_written(op);
    if (op->thread)
        close_op(op);
}
