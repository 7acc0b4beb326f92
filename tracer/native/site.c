#include "site.h"
#include "fault.h"
#include "mix.h"
#include "module.h"
#include "python_frames.h"
#include "unwind.h"
#include <string.h>

enum { PATH_PAGE = 4096 };

struct stack_walk {
    uintptr_t caller; // the first frame of interest
    uintptr_t frame;  // of the call
    bool learns;      // where its return addresses lie
    struct path_entry *path;
    unsigned depth; // 0 until it was met
    unsigned skipped;
    uint64_t frames[STACK_DEPTH];
    unsigned python_depth; // frames of Python, in which those of C are called
    struct python_frame python[PYTHON_DEPTH];
};

// The start and the end of this library, from the linker: its frames are nobody's call site.
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _end[] __attribute__((visibility("hidden")));

// The return address lies where the frame above begins: looked at before it is relied on. A page
// that another stack of the program may lack is never read.
static void learn_slot(struct stack_walk *walk, uintptr_t slot, uintptr_t address) {
    struct path_entry *path = walk->path;
    bool follows = walk->learns && path->count + 1 == walk->depth && path->count < PATH_SLOTS;
    if (!follows || slot < walk->frame || slot / PATH_PAGE != walk->frame / PATH_PAGE ||
        slot % sizeof(uintptr_t) || *(const uintptr_t *)slot != address)
        return;
    path->slot[path->count++] = (uint16_t)((slot - walk->frame) / sizeof(uintptr_t));
}

static int step(struct _Unwind_Context *context, void *data) {
    struct stack_walk *walk = data;
    uintptr_t address = unwinder()->address(context);
    if (walk->depth == 0 && address != walk->caller)
        return ++walk->skipped < 16 ? UNWIND_GO_ON : UNWIND_STOP;
    if (!address || walk->depth == STACK_DEPTH)
        return UNWIND_STOP;
    if (walk->depth && address >= (uintptr_t)__ehdr_start && address < (uintptr_t)_end)
        return UNWIND_GO_ON;
    if (walk->depth && walk->python_depth && python_interprets(address))
        return UNWIND_STOP;
    if (walk->depth && unwinder()->above)
        learn_slot(walk, unwinder()->above(context) - sizeof(uintptr_t), address);
    walk->frames[walk->depth++] = address;
    return UNWIND_GO_ON;
}

static void take_stack(struct stack_walk *walk) {
    if (process.stacks && unwinder()->walk && unwinder()->address)
        unwinder()->walk(step, walk);
    if (walk->depth == 0)
        walk->frames[walk->depth++] = walk->caller;
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
    for (unsigned i = 0; i < walk->python_depth; i++)
        h = mix(h, walk->python[i].instruction);
    return h;
}

// The same in every run of the same files: modules by name, addresses by offset. Code that belongs
// to no file (compiled at run time) counts as one place. Python's frames are not in it yet.
static uint64_t key_of(const struct stack_walk *walk, uint32_t call) {
    uint64_t h = call;
    struct module_place places[STACK_DEPTH];
    module_places(walk->frames, walk->depth, places);
    for (unsigned i = 0; i < walk->depth; i++)
        h = mix(mix(h, places[i].name), places[i].offset);
    return h;
}

static void tell_stack(struct thread *thread, struct site_entry *entry,
                       const struct stack_walk *walk, uint32_t call) {
    uint64_t frames[STACK_DEPTH + PYTHON_DEPTH], key = key_of(walk, call);
    unsigned depth = walk->depth;
    memcpy(frames, walk->frames, depth * sizeof *frames);
    for (unsigned i = 0; i < walk->python_depth; i++)
        frames[depth++] = python_frame_tell(thread, walk->python[i], &key);
    entry->stack_key = (uint32_t)(key >> 32);
    if (!thread->ring || !process.stacks)
        return;
    module_tell_new(thread);
    struct record_stack *record = ring_reserve(thread->ring, RECORD_STACK, (uint16_t)depth,
                                               sizeof *record + depth * sizeof *frames,
                                               atomic_load(&process.control->ticket));
    if (!record)
        return;
    record->id = entry->stack = take_id(ID_STACK);
    record->key = entry->stack_key;
    memcpy(record + 1, frames, depth * sizeof *frames);
    ring_commit(thread->ring, record);
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

// Of all that call from one place, those of this stack.
static struct site_entry *site_of_stack(struct thread *thread, uint64_t key, uint32_t call,
                                        const struct stack_walk *walk) {
    struct site_entry *entry = site_find(thread, key);
    if (entry->key != key)
        *entry = (struct site_entry){.key = key};
    if (entry->stack == 0)
        tell_stack(thread, entry, walk, call);
    return entry;
}

// Sets, so that two hot paths of one place in the table do not turn each other out at each call.
enum { WAYS = 4 };

// Learnt with the first stack that is taken of the path.
static struct path_entry *path_of(struct thread *thread, uint64_t key, bool *learnt) {
    struct path_entry *set = &thread->paths[key / 2 % PATHS / WAYS * WAYS];
    unsigned way = 0;
    while (way < WAYS && set[way].key != key && set[way].key)
        way++;
    struct path_entry *path = &set[way < WAYS ? way : key >> 32 & (WAYS - 1)];
    *learnt = path->key == key;
    if (!*learnt)
        *path = (struct path_entry){.key = key};
    return path;
}

// Products that do not wait for each other, of odd numbers one for each slot.
static uint64_t along(const struct path_entry *path, const void *frame, uint64_t key) {
    uint64_t sum = 0, odd = 0x9e3779b97f4a7c15ull;
    for (unsigned i = 0; i < path->count; i++, odd += 0xbf58476d1ce4e5b8ull)
        sum += ((const uint64_t *)frame)[path->slot[i]] * odd;
    return mix(key, sum);
}

// The entry of this key, or the one to take its place.
static struct known_path *known_path_of(struct thread *thread, uint64_t key) {
    struct known_path *set = &thread->known_paths[key % KNOWN_PATHS / WAYS * WAYS];
    unsigned way = 0;
    while (way < WAYS && set[way].key != key && set[way].key)
        way++;
    return &set[way < WAYS ? way : key >> 32 & (WAYS - 1)];
}

static struct site_entry *site_walked(struct thread *thread, uint32_t call, struct stack_walk *walk,
                                      uint64_t place) {
    if (process.stacks)
        walk->python_depth = python_frames(thread, walk->python);
    take_stack(walk);
    if (call == CALL_host_store)
        walk->frames[0]++; // of an instruction, as if it had been left to a function
    uint64_t key = along(walk->path, (const void *)walk->frame, place);
    struct site_entry *entry = site_of_stack(thread, mix(place, digest_of(walk)) | 1, call, walk);
    struct known_path *known = known_path_of(thread, key);
    if (known->key != key)
        *known = (struct known_path){.key = key, .site = entry->key};
    known->several |= known->site != entry->key;
    thread->python_far |= known->several && walk->python_depth;
    return entry;
}

// Null: the stack must be taken.
static struct site_entry *site_known(struct thread *thread, const struct path_entry *path,
                                     const void *frame, uint64_t place) {
    uint64_t key = along(path, frame, place);
    struct known_path *known = known_path_of(thread, key);
    if (known->key != key)
        return NULL;
    struct site_entry *entry = site_find(thread, known->site);
    bool due = process.stacks && (known->several || faults.skips || site_is_due(++known->hits));
    return due || entry->key != known->site || (process.stacks && !entry->stack) ? NULL : entry;
}

struct site_entry *site_of_call(struct thread *thread, uint32_t call, void *caller, void *frame,
                                uint32_t scope) {
    uint64_t scope_kind = thread->scopes ? thread->scope[thread->scopes - 1].kind : 0;
    uint64_t place =
        spread((uint64_t)call << 8 | scope_kind, (uintptr_t)caller, (uintptr_t)frame) | 1;
    uint64_t python = process.stacks ? python_place(thread) : 0;
    if (python)
        place = mix(place, python) | 1;
    bool learnt;
    struct path_entry *path = path_of(thread, place, &learnt);
    struct site_entry *entry = learnt ? site_known(thread, path, frame, place) : NULL;
    if (!entry) {
        struct stack_walk walk = {.caller = (uintptr_t)caller,
                                  .frame = (uintptr_t)frame,
                                  .learns = !learnt,
                                  .path = path};
        entry = site_walked(thread, call, &walk, place);
    }
    entry->ordinal = scope && entry->scope == scope ? entry->ordinal + 1 : 0;
    entry->scope = scope;
    return entry;
}
