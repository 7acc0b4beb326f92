#include "ggml_walk.h"
#include "ggml_range.h"
#include "resolve.h"
#include <string.h>

// How an op touches its memory. Numbers of ops differ between releases, names do not.
enum manner { MANNER_UNKNOWN, MANNER_PLAIN, MANNER_NOTHING, MANNER_SOME_ROWS, MANNER_PART };

static enum manner manner_of(int op) {
    static _Atomic uint8_t known[512];
    static const struct {
        const char *name;
        enum manner manner;
    } special[] = {
        {"NONE", MANNER_NOTHING},    {"VIEW", MANNER_NOTHING},      {"RESHAPE", MANNER_NOTHING},
        {"PERMUTE", MANNER_NOTHING}, {"TRANSPOSE", MANNER_NOTHING}, {"GET_ROWS", MANNER_SOME_ROWS},
        {"SET_ROWS", MANNER_PART},   {"SET", MANNER_PART},          {"ACC", MANNER_PART},
    };
    if (op < 0 || op >= (int)sizeof known)
        return MANNER_PLAIN;
    enum manner manner = atomic_load_explicit(&known[op], memory_order_relaxed);
    if (manner != MANNER_UNKNOWN)
        return manner;
    const char *name = REAL(ggml_op_name) ? REAL(ggml_op_name)(op) : "";
    manner = op == 0 ? MANNER_NOTHING : MANNER_PLAIN;
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (strcmp(name, special[i].name) == 0)
            manner = special[i].manner;
    atomic_store_explicit(&known[op], (uint8_t)manner, memory_order_relaxed);
    return manner;
}

// A root tensor met in the walk: what of it this launch wrote, and whether it was used afterwards.
struct root {
    const tensor_t *tensor;
    uint64_t lo, hi; // certainly written so far
    bool read_later;
};

struct found {
    struct range access;
    const tensor_t *root; // of a write that may be merged with its neighbours; else null
};

enum { NAMES = 200, OPERATIONS = 512 };

struct walk {
    struct thread *thread;
    struct root *roots;
    size_t root_mask;
    struct found *ranges;
    size_t count;
    uint64_t met[OPERATIONS / 64]; // operations so far
    char names[NAMES];             // of these, in order
};

static struct root *root_of(struct walk *walk, const tensor_t *tensor) {
    size_t at = ((uintptr_t)tensor * 0x9e3779b97f4a7c15ull) >> 24;
    for (;; at++) {
        struct root *root = &walk->roots[at & walk->root_mask];
        if (root->tensor == tensor)
            return root;
        if (!root->tensor) {
            root->tensor = tensor;
            return root;
        }
    }
}

static void add(struct walk *walk, const struct range *access, const tensor_t *root) {
    walk->ranges[walk->count++] = (struct found){*access, root};
}

static void add_read(struct walk *walk, const tensor_t *source, bool some_rows) {
    struct range access;
    if (!source || !source->data || tensor_is_weight(walk->thread, source))
        return;
    struct root *root = root_of(walk, tensor_root(source));
    root->read_later = true;
    if (!access_of_whole(walk->thread, &access, source, MODE_READ))
        return;
    if (root->lo <= access.lo && access.hi <= root->hi)
        return; // written before by this very launch
    if (some_rows)
        access.extent = EXTENT_UPPER_BOUND;
    add(walk, &access, NULL);
}

static void add_write(struct walk *walk, const tensor_t *node, bool part) {
    struct range access;
    if (!access_of_whole(walk->thread, &access, node, MODE_WRITE))
        return;
    struct root *root = root_of(walk, tensor_root(node));
    if (part)
        access.extent = EXTENT_UPPER_BOUND;
    bool certain = access.extent == EXTENT_EXACT;
    if (certain && root->hi >= access.lo && root->lo <= access.hi && root->hi > root->lo) {
        root->lo = access.lo < root->lo ? access.lo : root->lo;
        root->hi = access.hi > root->hi ? access.hi : root->hi;
    } else if (certain && access.hi - access.lo > root->hi - root->lo) {
        root->lo = access.lo;
        root->hi = access.hi;
    }
    root->read_later = false;
    bool keep_name = !certain || node->view_src || (node->flags & TENSOR_FLAG_OUTPUT);
    add(walk, &access, keep_name ? NULL : node);
}

static void name_operation(struct walk *walk, int op) {
    if (op < 0 || op >= OPERATIONS || walk->met[op / 64] >> op % 64 & 1 || !REAL(ggml_op_name))
        return;
    walk->met[op / 64] |= 1ull << op % 64;
    const char *name = REAL(ggml_op_name)(op);
    size_t used = strlen(walk->names), length = strlen(name);
    if (used + length + 2 > NAMES)
        return;
    if (used)
        walk->names[used++] = ' ';
    memcpy(walk->names + used, name, length + 1);
}

static void visit(struct walk *walk, const tensor_t *node) {
    enum manner manner = manner_of(node->op);
    if (manner == MANNER_NOTHING)
        return;
    name_operation(walk, node->op);
    for (int i = 0; i < TENSOR_SOURCES; i++)
        add_read(walk, node->src[i], manner == MANNER_SOME_ROWS && i == 0);
    bool in_place = node->view_src != NULL;
    add_write(walk, node, manner == MANNER_PART && in_place);
}

// Results that nothing in this launch reads are what others read: they keep their names. The other
// intermediates are merged into plain ranges of their storage.
static void make_anonymous(struct walk *walk) {
    for (size_t i = 0; i < walk->count; i++) {
        struct found *range = &walk->ranges[i];
        if (!range->root || !root_of(walk, range->root)->read_later)
            continue;
        memset(range->access.name, 0, sizeof range->access.name);
        range->access.usage = USAGE_COMPUTE;
        range->access.name_lo = range->access.name_hi = 0;
    }
}

static int order(const struct found *a, const struct found *b) {
    const struct range *x = &a->access, *y = &b->access;
#define BY(field)                                                                                  \
    if (x->field != y->field)                                                                      \
    return x->field < y->field ? -1 : 1
    BY(mode);
    BY(storage);
    BY(extent);
    int names = strncmp(x->name, y->name, sizeof x->name);
    if (names)
        return names;
    BY(lo);
    BY(hi);
#undef BY
    return 0;
}

// Heapsort, since qsort allocates.
static void sink(struct found *heap, size_t at, size_t count) {
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && order(&heap[child], &heap[child + 1]) < 0)
            child++;
        if (order(&heap[at], &heap[child]) >= 0)
            return;
        struct found moved = heap[at];
        heap[at] = heap[child];
        heap[child] = moved;
    }
}

static void sort(struct found *ranges, size_t count) {
    for (size_t at = count / 2; at-- > 0;)
        sink(ranges, at, count);
    for (size_t end = count; end-- > 1;) {
        struct found last = ranges[end];
        ranges[end] = ranges[0];
        ranges[0] = last;
        sink(ranges, 0, end);
    }
}

static bool merges(const struct range *last, const struct range *next) {
    return last->mode == next->mode && last->storage == next->storage &&
           last->extent == next->extent && last->usage == next->usage &&
           last->name_lo == next->name_lo && last->name_hi == next->name_hi &&
           next->lo <= last->hi && strncmp(last->name, next->name, sizeof last->name) == 0;
}

static void merge(struct walk *walk) {
    size_t kept = 0;
    for (size_t i = 1; i < walk->count; i++) {
        struct range *last = &walk->ranges[kept].access;
        const struct range *next = &walk->ranges[i].access;
        if (!merges(last, next))
            walk->ranges[++kept] = walk->ranges[i];
        else if (next->hi > last->hi)
            last->hi = next->hi;
    }
    walk->count = walk->count ? kept + 1 : 0;
    for (size_t i = 0; i < walk->count; i++) {
        struct range *access = &walk->ranges[i].access;
        if (access->name_hi == 0) {
            access->name_lo = access->lo;
            access->name_hi = access->hi;
        }
    }
}

enum { CHUNK = 64 };

static bool tell_chunk(struct walk *walk, uint32_t id, size_t from, size_t count) {
    struct ring *ring = walk->thread->ring;
    struct record_ranges *record = ring_reserve(ring, RECORD_RANGES, (uint16_t)count,
                                                sizeof *record + count * sizeof(struct range),
                                                atomic_load(&process.control->ticket));
    if (!record)
        return false;
    record->walk = id;
    struct range *tail = (struct range *)(record + 1);
    for (size_t i = 0; i < count; i++)
        tail[i] = walk->ranges[from + i].access;
    ring_commit(ring, record);
    return true;
}

static uint32_t tell(struct walk *walk, void *graph, int nodes, uint32_t graph_id) {
    uint32_t id = take_id(ID_WALK);
    for (size_t at = 0; at < walk->count; at += CHUNK) {
        size_t rest = walk->count - at;
        if (!tell_chunk(walk, id, at, rest < CHUNK ? rest : CHUNK))
            return 0;
    }
    struct record_graph record = {
        .handle = (uintptr_t)graph, .walk = id, .graph = graph_id, .nodes = (uint32_t)nodes};
    return ring_put_named(walk->thread->ring, RECORD_GRAPH, &record, sizeof record, walk->names)
               ? id
               : 0;
}

static size_t count_refs(void *graph, int nodes) {
    size_t refs = (size_t)nodes;
    for (int i = 0; i < nodes; i++) {
        const tensor_t *node = REAL(ggml_graph_node)(graph, i);
        for (int k = 0; k < TENSOR_SOURCES; k++)
            refs += node->src[k] != NULL;
    }
    return refs;
}

uint32_t walk_graph(struct thread *thread, void *graph, int nodes, uint32_t id) {
    size_t refs = count_refs(graph, nodes), roots = 64;
    while (roots < refs * 2)
        roots *= 2;
    struct walk walk = {.thread = thread, .root_mask = roots - 1};
    size_t root_bytes = roots * sizeof(struct root);
    size_t bytes = root_bytes + refs * sizeof(struct found);
    char *scratch = thread->ring ? thread_scratch(thread, bytes) : NULL;
    if (!scratch)
        return 0;
    walk.roots = (struct root *)scratch;
    walk.ranges = (struct found *)(scratch + root_bytes);
    memset(walk.roots, 0, root_bytes);
    for (int i = 0; i < nodes; i++)
        visit(&walk, REAL(ggml_graph_node)(graph, i));
    make_anonymous(&walk);
    sort(walk.ranges, walk.count);
    merge(&walk);
    return tell(&walk, graph, nodes, id);
}
