#include "python_op.h"
#include "intern.h"
#include "python_site.h"
#include "scope.h"
#include <stdlib.h>
#include <sys/mman.h>

// Ranges lie in blocks that never move: threads read them while others add.
enum { BLOCK = 1024, BLOCKS = 4096 };
static struct range *blocks[BLOCKS];
static uint32_t ranges_used;

uint32_t python_range(const struct range *range) {
    uint32_t block = ranges_used / BLOCK;
    if (block == BLOCKS)
        return 0;
    if (!blocks[block] && !(blocks[block] = malloc(BLOCK * sizeof **blocks)))
        return 0;
    blocks[block][ranges_used % BLOCK] = *range;
    return ++ranges_used;
}

const struct range *python_range_of(uint32_t number) {
    return number && number <= ranges_used ? &blocks[(number - 1) / BLOCK][(number - 1) % BLOCK]
                                           : NULL;
}

struct prepared {
    struct python_call call;
    uint64_t number;
    uint32_t teller;            // actor of the thread that made it last; 0: none
    uint32_t told[OP_ACCESSES]; // what that thread calls its ranges
};
static struct prepared *prepared_blocks[MOST_PREPARED / BLOCK];
static uint32_t numbers_used; // below IS_ENTERED's bit

static uint64_t new_number(void) {
    numbers_used = numbers_used % INT32_MAX + 1;
    return (uint64_t)process_epoch() << 32 | numbers_used;
}

static struct prepared *place_of(uint64_t number) {
    struct prepared *block = prepared_blocks[number % MOST_PREPARED / BLOCK];
    return block ? &block[number % BLOCK] : NULL;
}

uint64_t python_prepare(const struct python_call *call) {
    uint64_t number = new_number();
    struct prepared **block = &prepared_blocks[number % MOST_PREPARED / BLOCK];
    if (!*block && !(*block = calloc(BLOCK, sizeof **block)))
        return 0;
    struct prepared *prepared = place_of(number);
    uint32_t *ranges = realloc((void *)prepared->call.ranges, (call->count + 1) * sizeof *ranges);
    if (!ranges)
        return 0;
    memcpy(ranges, call->ranges, call->count * sizeof *ranges);
    prepared->call = *call;
    prepared->call.ranges = ranges;
    prepared->teller = 0;
    return prepared->number = number;
}

void python_forget(void) { ranges_used = 0; }

// A call of a thread that was entered.
struct entered {
    uint64_t number; // 0: it was left, before one that was entered later
    struct op op;    // thread null: not recorded
};
enum { BEYOND = 1024 };
struct calls {
    uint32_t epoch; // life of the image that they are of
    unsigned depth; // entered and not left
    struct entered call[OPEN_OPS];
    unsigned beyond; // those that had no room, by number as far as that has room
    uint64_t beyond_number[BEYOND];
};

static void free_more(struct op *op) {
    free((void *)op->more);
    op->more = NULL;
}

static void begin_epoch(struct calls *calls) {
    for (unsigned i = 0; i < calls->depth; i++)
        free_more(&calls->call[i].op);
    calls->epoch = process_epoch();
    calls->depth = calls->beyond = 0;
}

static struct calls *calls_of(struct thread *thread) {
    if (!thread->python) {
        void *memory = mmap(NULL, sizeof(struct calls), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            return NULL;
        thread->python = memory;
        thread->python_bytes = sizeof(struct calls);
    }
    return thread->python;
}

// No stack pointer says whether a Python call was left: Python leaves each in its own order. Nor
// does one begun say that others were.
#define NEVER_ABANDONED ((void *)UINTPTR_MAX)
#define ABANDONS_NONE NULL

// Each thread tells a range it touches in its own ring, before the op. What many there are lie
// behind each other until the op is left.
static void note_ranges(struct op *op, const struct python_call *call) {
    uint32_t *ids = op->record.access;
    if (call->count > OP_ACCESSES)
        ids = malloc(call->count * sizeof *ids);
    for (unsigned i = 0; ids && i < call->count; i++) {
        const struct range *range = python_range_of(call->ranges[i]);
        uint32_t id = range ? intern_range(op->thread, range) : 0;
        if (id)
            ids[op->accesses++] = id;
    }
    if (op->accesses < call->count)
        atomic_fetch_add(&process.control->untracked, 1);
    if (ids != op->record.access)
        op->more = ids;
}

// A thread that makes a call again has told its ranges before. Of many there is no room, and what
// could not be told is tried again.
static void note_prepared(struct op *op, struct prepared *prepared) {
    if (prepared->teller == op->thread->actor) {
        op->accesses = prepared->call.count;
        memcpy(op->record.access, prepared->told, sizeof prepared->told);
        return;
    }
    note_ranges(op, &prepared->call);
    if (prepared->call.count <= OP_ACCESSES && op->accesses == prepared->call.count) {
        memcpy(prepared->told, op->record.access, sizeof prepared->told);
        prepared->teller = op->thread->actor;
    }
}

// `prepared`: that of the call, if it has one.
static void enter(const struct python_call *call, uint64_t number, struct prepared *prepared) {
    struct thread *thread = thread_self();
    struct thread *present = thread ? thread : thread_known;
    struct calls *calls = present ? calls_of(present) : NULL;
    if (!calls)
        return;
    if (calls->epoch != process_epoch())
        begin_epoch(calls);
    if (calls->depth == OPEN_OPS) {
        if (calls->beyond++ < BEYOND)
            calls->beyond_number[calls->beyond - 1] = number;
        atomic_fetch_add(&process.control->lost, 1);
        return;
    }
    struct op *op = &calls->call[calls->depth].op;
    calls->call[calls->depth++].number = number;
    op->more = NULL;
    op->thread = NULL;
    if (!thread || !op_begin(op, call->call, (enum kind)call->kind, LEVEL_APP, ABANDONS_NONE))
        return;
    op->record.actor = call->actor;
    op->record.peer = call->peer;
    op->record.event = call->event;
    op->record.graph = call->graph;
    op->record.walk = call->walk;
    op->record.flags = call->flags;
    op->record.device = call->device;
    if (prepared)
        note_prepared(op, prepared);
    else
        note_ranges(op, call);
    op_begun(op, python_site(thread, call->call, op->record.scope), NEVER_ABANDONED);
    op_out(op);
}

uint64_t python_enter(const struct python_call *call) {
    uint64_t number = new_number() | 1ull << 31;
    enter(call, number, NULL);
    return number;
}

void python_enter_prepared(uint64_t number) {
    struct prepared *found = place_of(number);
    if (found && found->number == number && number >> 32 == process_epoch())
        enter(&found->call, number, found);
}

static bool leave_beyond(struct calls *calls, uint64_t number) {
    if (calls->beyond > BEYOND) {
        calls->beyond--;
        return true;
    }
    for (unsigned at = calls->beyond; at-- > 0;)
        if (calls->beyond_number[at] == number) {
            calls->beyond_number[at] = calls->beyond_number[--calls->beyond];
            return true;
        }
    return false;
}

// Tasks that overlap leave in the middle, where nothing may be kept.
static void close_below(struct calls *calls, unsigned at) {
    struct entered *left = &calls->call[at];
    unsigned above = 0;
    for (unsigned i = at + 1; i < calls->depth; i++)
        above += calls->call[i].op.thread != NULL;
    if (left->op.thread) {
        if (!op_close_below(&left->op, above))
            return;
        for (unsigned i = at + 1; i < calls->depth; i++)
            calls->call[i].op.slot--;
    }
    memmove(left, left + 1, (--calls->depth - at) * sizeof *left);
}

static void leave(struct calls *calls, unsigned at, bool failed) {
    struct op *op = &calls->call[at].op;
    calls->call[at].number = 0;
    if (op->thread) {
        op_back(op);
        if (failed)
            op->record.flags |= FLAG_FAILED;
        op_written(op);
        op_out(op);
    }
    free_more(op);
    if (at + 1 < calls->depth)
        close_below(calls, at);
    while (calls->depth && !calls->call[calls->depth - 1].number)
        op_cancel(&calls->call[--calls->depth].op);
}

void python_leave(uint64_t number, bool failed) {
    struct calls *calls = thread_known ? thread_known->python : NULL;
    if (!calls || number >> 32 != process_epoch() || calls->epoch != process_epoch())
        return;
    if (calls->beyond && leave_beyond(calls, number))
        return;
    for (unsigned at = calls->depth; at-- > 0;)
        if (calls->call[at].number == number)
            return leave(calls, at, failed);
}
