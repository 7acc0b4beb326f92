#include "site.h"
#include "fault.h"
#include "module.h"
#include "unwind.h"
#include <dlfcn.h>
#include <string.h>

struct stack_walk {
    uintptr_t caller; // the first frame of interest
    unsigned depth;   // 0 until it was met
    unsigned skipped;
    uint64_t frames[STACK_DEPTH];
};

// The start and the end of this library, from the linker: its frames are nobody's call site.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

static int step(struct _Unwind_Context *context, void *data) {
    struct stack_walk *walk = data;
    uintptr_t address = unwinder()->address(context);
    if (walk->depth == 0 && address != walk->caller)
        return ++walk->skipped < 16 ? UNWIND_GO_ON : UNWIND_STOP;
    if (!address || walk->depth == STACK_DEPTH)
        return UNWIND_STOP;
    if (walk->depth && address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_end)
        return UNWIND_GO_ON;
    walk->frames[walk->depth++] = address;
    return UNWIND_GO_ON;
}

static void take_stack(struct stack_walk *walk) {
    if (process.stacks && unwinder()->walk && unwinder()->address)
        unwinder()->walk(step, walk);
    if (walk->depth == 0)
        walk->frames[walk->depth++] = walk->caller;
}

static uint64_t mix(uint64_t h, uint64_t value) {
    h = (h ^ value) * 0x9e3779b97f4a7c15ull;
    return h ^ (h >> 29);
}

// Products that do not wait for each other.
static uint64_t spread(uint64_t a, uint64_t b, uint64_t c) {
    uint64_t h = a * 0x9e3779b97f4a7c15ull + b * 0xbf58476d1ce4e5b9ull + c * 0x94d049bb133111ebull;
    return h ^ h >> 32;
}

static uint64_t digest_of(const struct stack_walk *walk) {
    uint64_t h = walk->depth;
    for (unsigned i = 0; i < walk->depth; i++)
        h = mix(h, walk->frames[i]);
    return h;
}

// The same in every run of the same files: modules by name, addresses by offset. Code that belongs
// to no file (compiled at run time) counts as one place.
static uint32_t key_of(const struct stack_walk *walk, uint32_t call) {
    uint64_t h = call;
    for (unsigned i = 0; i < walk->depth; i++) {
        Dl_info info;
        if (!dladdr((void *)(uintptr_t)walk->frames[i], &info) || !info.dli_fname) {
            h = mix(h, 0);
            continue;
        }
        const char *slash = strrchr(info.dli_fname, '/');
        for (const char *c = slash ? slash + 1 : info.dli_fname; *c; c++)
            h = mix(h, (unsigned char)*c);
        h = mix(h, walk->frames[i] - (uintptr_t)info.dli_fbase);
    }
    return (uint32_t)(h >> 32);
}

static uint32_t tell_stack(struct thread *thread, const struct stack_walk *walk, uint32_t key) {
    if (!thread->ring || !process.stacks)
        return 0;
    module_tell_new(thread);
    size_t bytes = walk->depth * sizeof(uint64_t);
    struct record_stack *record =
        ring_reserve(thread->ring, RECORD_STACK, (uint16_t)walk->depth, sizeof *record + bytes,
                     atomic_load(&process.control->ticket));
    if (!record)
        return 0;
    uint32_t id = take_id(ID_STACK);
    record->id = id;
    record->key = key;
    memcpy(record + 1, walk->frames, bytes);
    ring_commit(thread->ring, record);
    return id;
}

struct site_entry *site_find(struct thread *thread, uint64_t key) {
    size_t at = key % STACK_CACHE;
    for (size_t i = 0; i < 8; i++) {
        struct site_entry *entry = &thread->sites[(at + i) % STACK_CACHE];
        if (entry->key == key || entry->key == 0)
            return entry;
    }
    return &thread->sites[at]; // its site is taken over: only the ordinal starts again
}

static struct site_entry *site_of_stack(struct thread *thread, uint64_t key, uint32_t call,
                                        const struct stack_walk *walk, uint64_t digest) {
    struct site_entry *entry = site_find(thread, key);
    if (entry->key != key)
        *entry = (struct site_entry){.key = key, .digest = digest};
    if (entry->stack == 0) {
        entry->stack_key = key_of(walk, call);
        entry->stack = tell_stack(thread, walk, entry->stack_key);
    }
    return entry;
}

struct site_entry *site_of_call(struct thread *thread, uint32_t call, void *caller, void *frame,
                                uint32_t scope) {
    uint64_t scope_kind = thread->scopes ? thread->scope[thread->scopes - 1].kind : 0;
    uint64_t key =
        spread((uint64_t)call << 8 | scope_kind, (uintptr_t)caller, (uintptr_t)frame) | 1;
    struct site_entry *entry = site_find(thread, key);
    bool known = entry->key == key && (entry->stack || !process.stacks);
    bool due = process.stacks && (entry->several || faults.skips || site_is_due(++entry->hits));
    if (!known || due) {
        struct stack_walk walk = {.caller = (uintptr_t)caller};
        take_stack(&walk);
        if (call == CALL_host_store)
            walk.frames[0]++; // of an instruction, as if it had been left to a function
        uint64_t digest = digest_of(&walk);
        entry->several |= known && entry->digest != digest;
        if (known && entry->several)
            key = mix(key, digest) | 1;
        entry = site_of_stack(thread, key, call, &walk, digest);
    }
    entry->ordinal = scope && entry->scope == scope ? entry->ordinal + 1 : 0;
    entry->scope = scope;
    return entry;
}
