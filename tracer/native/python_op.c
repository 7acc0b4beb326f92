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
    uint32_t teller;            // actor of the thread that made it last; 0: none
    uint32_t told[OP_ACCESSES]; // what that thread calls its ranges
};
static struct prepared *prepared_blocks[BLOCKS];
static uint32_t prepared_used;

uint64_t python_prepare(const struct python_call *call) {
    uint32_t block = prepared_used / BLOCK;
    if (block == BLOCKS)
        return 0;
    if (!prepared_blocks[block] &&
        !(prepared_blocks[block] = calloc(BLOCK, sizeof **prepared_blocks)))
        return 0;
    struct prepared *prepared = &prepared_blocks[block][prepared_used % BLOCK];
    uint32_t *ranges = realloc((void *)prepared->call.ranges, (call->count + 1) * sizeof *ranges);
    if (!ranges)
        return 0;
    memcpy(ranges, call->ranges, call->count * sizeof *ranges);
    prepared->call = *call;
    prepared->call.ranges = ranges;
    prepared->teller = 0;
    return (uint64_t)process_epoch() << 32 | ++prepared_used;
}

static struct prepared *prepared_of(uint64_t number) {
    uint32_t at = (uint32_t)number;
    bool now = number >> 32 == process_epoch() && at && at <= prepared_used;
    return now ? &prepared_blocks[(at - 1) / BLOCK][(at - 1) % BLOCK] : NULL;
}

void python_forget(void) { ranges_used = prepared_used = 0; }

// Of one thread. Kept over the ends of recordings: what was entered is left.
struct calls {
    unsigned depth, beyond; // entered and not left, and those that had no room
    struct op op[OPEN_OPS]; // thread null: not recorded
};

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

// The op of a call that is entered; null: it is not recorded.
static struct op *enter(const struct python_call *call) {
    struct thread *thread = thread_self();
    struct thread *present = thread ? thread : thread_known;
    struct calls *calls = present ? calls_of(present) : NULL;
    if (!calls)
        return NULL;
    if (calls->depth == OPEN_OPS) {
        calls->beyond++;
        atomic_fetch_add(&process.control->lost, 1);
        return NULL;
    }
    struct op *op = &calls->op[calls->depth++];
    op->thread = NULL;
    if (!thread || !call || !op_begin(op, call->call, (enum kind)call->kind, ABANDONS_NONE))
        return NULL;
    op->record.level = LEVEL_APP;
    op->record.actor = call->actor;
    op->record.peer = call->peer;
    op->record.event = call->event;
    op->record.graph = call->graph;
    op->record.walk = call->walk;
    op->record.flags = call->flags;
    op->record.device = call->device;
    return op;
}

static void begin(struct op *op, const struct python_call *call) {
    op_begun(op, python_site(op->thread, call->call, op->record.scope), NEVER_ABANDONED);
    op_out(op);
}

void python_enter(const struct python_call *call) {
    struct op *op = enter(call);
    if (!op)
        return;
    note_ranges(op, call);
    begin(op, call);
}

void python_enter_prepared(uint64_t number) {
    struct prepared *prepared = prepared_of(number);
    const struct python_call *call = prepared ? &prepared->call : NULL;
    struct op *op = enter(call);
    if (!op)
        return;
    if (prepared->teller == op->thread->actor) {
        op->accesses = call->count;
        memcpy(op->record.access, prepared->told, sizeof prepared->told);
    } else {
        note_ranges(op, call);
        // Of more there is no room, and what could not be told is tried again.
        if (call->count <= OP_ACCESSES && op->accesses == call->count) {
            memcpy(prepared->told, op->record.access, sizeof prepared->told);
            prepared->teller = op->thread->actor;
        }
    }
    begin(op, call);
}

void python_leave(bool failed) {
    struct thread *thread = thread_known;
    struct calls *calls = thread ? thread->python : NULL;
    if (calls && calls->beyond) {
        calls->beyond--;
        return;
    }
    if (!calls || !calls->depth)
        return;
    struct op *op = &calls->op[--calls->depth];
    if (!op->thread)
        return;
    op_back(op);
    if (failed)
        op->record.flags |= FLAG_FAILED;
    uint32_t *many = (uint32_t *)op->more;
    op_leave(op);
    free(many);
}
