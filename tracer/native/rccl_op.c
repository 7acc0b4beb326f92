// RCCL's and NCCL's calls: their beginning and end, and what they read and write.
#include "rccl_calls.h"

enum { IN_PROGRESS = 7 }; // ncclInProgress: of a communicator that does not block

bool rccl_has_failed(int rc) { return rc != 0 && rc != IN_PROGRESS; }

// Whether the functions are RCCL's or NCCL's, and not those of a library for other GPUs.
static bool is_rccl(const void *function) {
    enum { UNKNOWN, OURS, FOREIGN };
    static _Atomic uint8_t whose;
    uint8_t known = atomic_load_explicit(&whose, memory_order_relaxed);
    if (known == UNKNOWN) {
        known = library_owns(&rccl_library, function) ? OURS : FOREIGN;
        atomic_store(&whose, known);
    }
    return known == OURS;
}

void rccl_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller,
                void *frame) {
    static _Atomic uint32_t told;
    unsigned at = function - CALL_RCCL_FIRST;
    if (!is_rccl(rccl_function((enum rccl_function)at)) ||
        !api_enter(call, function, kind, caller, frame))
        return;
    call->name = rccl_entries[at].name;
    uint32_t epoch = process_epoch();
    if (atomic_load_explicit(&told, memory_order_relaxed) == epoch ||
        atomic_exchange(&told, epoch) == epoch)
        return;
    for (unsigned i = 0; i < RCCL_COUNT; i++)
        op_tell_call(call->op.thread, CALL_RCCL_FIRST + i, rccl_entries[i].name);
}

void rccl_leave(struct api_call *call, int rc) {
    bool failed = rccl_has_failed(rc);
    if (!rccl_group_takes(call, failed))
        api_leave(call, rc, failed);
}

static size_t bytes_of(int type) {
    // ncclInt8, Uint8, Int32, Uint32, Int64, Uint64, Float16, 32, 64, Bfloat16, Float8 of two kinds
    static const uint8_t bytes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};
    return type >= 0 && type < (int)sizeof bytes ? bytes[type] : 0;
}

// What the library calls of the GPU's API meanwhile is within this call, and its own business.
static int asked(struct api_call *call, const char *name, const void *communicator, int otherwise) {
    int answer = otherwise;
    int (*ask)(const void *, int *) = (int (*)(const void *, int *))rccl_unrecorded(name);
    op_out(&call->op);
    bool known = ask && ask(communicator, &answer) == 0;
    op_back(&call->op);
    return known ? answer : otherwise;
}

static int ranks_of(struct api_call *call, const void *communicator) {
    return asked(call, "ncclCommCount", communicator, 1);
}

static bool is_rank(struct api_call *call, const void *communicator, int rank) {
    return asked(call, "ncclCommUserRank", communicator, rank) == rank;
}

static void note(struct api_call *call, const void *communicator, const void *buffer, size_t count,
                 int type, enum rccl_share share, uint64_t how) {
    size_t size = count * bytes_of(type);
    if (share == RCCL_ALL)
        size *= (size_t)ranks_of(call, communicator);
    if (!buffer || !count)
        return;
    if (!size) { // of an unknown type
        api_note(call, api_range_unknown(call->op.thread));
        return;
    }
    struct memory *memory = memory_at((uintptr_t)buffer);
    api_note(call, api_range(call->op.thread, memory, (uintptr_t)buffer, size, how));
    if (memory_is_host(memory))
        api_uses(call, memory, buffer, size, how == API_WRITES, false);
}

void rccl_sends(struct api_call *call, const void *communicator, const void *buffer, size_t count,
                int type, enum rccl_share share) {
    note(call, communicator, buffer, count, type, share, API_READS);
}

void rccl_receives(struct api_call *call, const void *communicator, const void *buffer,
                   size_t count, int type, enum rccl_share share) {
    note(call, communicator, buffer, count, type, share, API_WRITES);
}

void rccl_sends_at(struct api_call *call, const void *communicator, int root, const void *buffer,
                   size_t count, int type, enum rccl_share share) {
    if (is_rank(call, communicator, root))
        rccl_sends(call, communicator, buffer, count, type, share);
}

void rccl_receives_at(struct api_call *call, const void *communicator, int root, const void *buffer,
                      size_t count, int type, enum rccl_share share) {
    if (is_rank(call, communicator, root))
        rccl_receives(call, communicator, buffer, count, type, share);
}

// In place the root's buffer stays as it is.
void rccl_broadcasts(struct api_call *call, const void *communicator, int root, const void *from,
                     const void *to, size_t count, int type) {
    bool sends = is_rank(call, communicator, root);
    if (sends)
        rccl_sends(call, communicator, from, count, type, RCCL_ONE);
    if (!sends || from != to)
        rccl_receives(call, communicator, to, count, type, RCCL_ONE);
}

// Of very many ranks the bytes from the first to the last, none of them sure.
static void note_parts(struct api_call *call, const void *communicator, const char *buffer,
                       const size_t *counts, const size_t *places, int type, uint64_t how) {
    size_t size = bytes_of(type), lo = SIZE_MAX, hi = 0;
    int ranks = ranks_of(call, communicator);
    bool each = ranks <= API_ACCESSES / 2;
    for (int i = 0; i < ranks; i++) {
        size_t from = places[i] * size, to = from + counts[i] * size;
        if (each)
            note(call, communicator, buffer + from, counts[i], type, RCCL_ONE, how);
        else if (counts[i]) {
            lo = from < lo ? from : lo;
            hi = to > hi ? to : hi;
        }
    }
    if (hi > lo)
        api_note(call, api_range(call->op.thread, memory_at((uintptr_t)buffer + lo),
                                 (uintptr_t)buffer + lo, hi - lo,
                                 API_HOW(how >> 16 & 255, EXTENT_UPPER_BOUND, ORIGIN_ARGUMENT)));
}

void rccl_sends_parts(struct api_call *call, const void *communicator, const void *buffer,
                      const void *counts, const void *places, int type) {
    note_parts(call, communicator, buffer, counts, places, type, API_READS);
}

void rccl_receives_parts(struct api_call *call, const void *communicator, const void *buffer,
                         const void *counts, const void *places, int type) {
    note_parts(call, communicator, buffer, counts, places, type, API_WRITES);
}
