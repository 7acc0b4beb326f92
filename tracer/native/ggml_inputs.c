#include "ggml_inputs.h"
#include "digest.h"
#include "ggml_known.h"
#include "ggml_layout.h"
#include "ggml_range.h"
#include "pending.h"
#include "resolve.h"
#include "watch.h"

// What an input's bytes were at the last look. One slot an address and size; a collision makes the
// next look a first look, which proves nothing.
struct look {
    _Atomic uintptr_t data; // IN_USE: a thread is reading or writing the rest
    uint64_t size;
    uint64_t digest;
    bool written; // by a recorded call since
};
enum { LOOKS = 1024, IN_USE = 1 }; // data are aligned addresses
static struct look looks[LOOKS];

static struct look *look_at(const void *data) {
    return &looks[((uintptr_t)data * 0x9e3779b97f4a7c15ull >> 32) % LOOKS];
}

static void collect(struct sched *sched, tensor_t *tensor) {
    tensor_t *root = tensor && tensor->view_src ? tensor->view_src : tensor;
    if (!root || root->op != 0 || !(root->flags & TENSOR_FLAG_INPUT))
        return;
    for (unsigned i = 0; i < sched->inputs; i++)
        if (sched->input[i] == root)
            return;
    if (sched->inputs < SCHED_INPUTS)
        sched->input[sched->inputs++] = root;
    else
        atomic_fetch_add(&process.control->untracked, 1);
}

void inputs_collect(struct sched *sched, void *graph) {
    sched->inputs = 0;
    if (!ggml_layout()->tensor || !REAL(ggml_graph_n_nodes) || !REAL(ggml_graph_node))
        return;
    int nodes = REAL(ggml_graph_n_nodes)(graph);
    for (int i = 0; i < nodes; i++) {
        tensor_t *node = REAL(ggml_graph_node)(graph, i);
        collect(sched, node);
        for (int k = 0; k < TENSOR_SOURCES; k++)
            collect(sched, node->src[k]);
    }
}

void inputs_written(const tensor_t *tensor) {
    if (!ggml_layout()->tensor || !(tensor_root(tensor)->flags & TENSOR_FLAG_INPUT))
        return;
    struct look *look = look_at(tensor_root(tensor)->data);
    if (atomic_load(&look->data) == (uintptr_t)tensor_root(tensor)->data)
        look->written = true;
}

void inputs_cleared(const struct buffer *buffer) {
    for (struct look *look = looks; buffer && buffer->is_host && look < looks + LOOKS; look++)
        if (atomic_load(&look->data) - buffer->host < buffer->size)
            look->written = true;
}

// Digest: changed since the last look, and by no recorded call. Else synthetic: a program rewrites
// its inputs every time, perhaps with the same values.
static enum origin origin_of(const tensor_t *tensor, uint64_t size) {
    uint64_t left_out = watch == WATCH_OFF ? size : digest_of_samples_leaves_out(size);
    atomic_fetch_add(&process.control->unwatched, left_out);
    if (watch == WATCH_OFF)
        return ORIGIN_SYNTHETIC;
    struct look *look = look_at(tensor->data);
    uint64_t digest = digest_of_samples(tensor->data, size);
    uintptr_t owner = atomic_exchange(&look->data, IN_USE);
    if (owner == IN_USE) // two threads at one slot: nothing is proved
        return ORIGIN_SYNTHETIC;
    bool known = owner == (uintptr_t)tensor->data && look->size == size;
    bool changed = known && look->digest != digest && !look->written;
    look->size = size;
    look->digest = digest;
    look->written = false;
    atomic_store_explicit(&look->data, (uintptr_t)tensor->data, memory_order_release);
    return changed ? ORIGIN_DIGEST : ORIGIN_SYNTHETIC;
}

static unsigned fill(struct thread *thread, struct sched *sched, uint32_t *access) {
    unsigned count = 0;
    for (unsigned i = 0; i < sched->inputs; i++) {
        const tensor_t *tensor = sched->input[i];
        struct buffer *buffer = tensor->data ? buffer_of(thread, tensor->buffer) : NULL;
        uint64_t size = REAL(ggml_nbytes)(tensor);
        if (!buffer || !buffer->is_host || !size || !tensor_inside(buffer, tensor, 0, size))
            continue;
        enum origin origin = origin_of(tensor, size);
        struct question asked = {tensor, 0, size, HOW(PART_GIVEN, MODE_WRITE, origin)};
        const struct touched *touched = known(thread, asked);
        if (!touched)
            continue;
        if (origin == ORIGIN_DIGEST)
            pending_written(touched);
        access[count] = touched->id;
        count += touched->id != 0;
    }
    return count;
}

void inputs_look(void *key, void *caller, void *frame) {
    struct sched *sched = sched_of(key);
    OP(op);
    if (!sched || !sched->allocated || sched->inputs == 0 ||
        !op_enter(&op, CALL_host_inputs, KIND_HOST_WRITE, caller, frame))
        return;
    uint32_t access[SCHED_INPUTS];
    op.accesses = fill(op.thread, sched, access);
    op.more = access;
    op_leave(&op);
}
