#include "api_memory.h"
#include "api_parts.h"
#include "handle.h"
#include <string.h>
#include <sys/mman.h>

_Atomic uint32_t memory_changes;

// Sorted by address. A writer makes `version` odd while it moves entries; a reader that met one
// looks again.
struct entry {
    _Atomic uint64_t base;
    _Atomic uint64_t end;
    _Atomic(struct memory *) memory;
};
static _Atomic uint32_t version;
static _Atomic(struct entry *) entries;
static _Atomic size_t used;
static size_t room;

// Entries lie in blocks that are never given back.
enum { BLOCK = 1024 };
static struct memory *block;
static size_t block_used = BLOCK;
// Those that ended, used again late: a thread may still be looking at one.
static struct memory *ended[BLOCK];
static size_t ended_first, ended_count;

static void *pages(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static struct memory *new_memory(void) {
    if (ended_count == BLOCK) {
        ended_count--;
        return ended[ended_first++ % BLOCK];
    }
    if (block_used == BLOCK) {
        struct memory *fresh = pages(BLOCK * sizeof *fresh);
        if (!fresh)
            return NULL;
        block = fresh;
        block_used = 0;
    }
    return &block[block_used++];
}

// Place of the first entry that ends behind the address.
static size_t place_of(const struct entry *list, size_t count, uint64_t address) {
    size_t low = 0;
    while (count) {
        size_t half = count / 2;
        bool left = atomic_load_explicit(&list[low + half].end, memory_order_relaxed) <= address;
        low += left ? half + 1 : 0;
        count = left ? count - half - 1 : half;
    }
    return low;
}

static struct memory *search(uint64_t address) {
    // So many are never in a list that was outgrown: it is looked up behind the count.
    size_t count = atomic_load_explicit(&used, memory_order_acquire);
    struct entry *list = atomic_load_explicit(&entries, memory_order_relaxed);
    size_t at = place_of(list, count, address);
    if (at == count || atomic_load_explicit(&list[at].base, memory_order_relaxed) > address)
        return NULL;
    return atomic_load_explicit(&list[at].memory, memory_order_relaxed);
}

struct memory *memory_at(uint64_t address) {
    for (;;) {
        uint32_t before = atomic_load_explicit(&version, memory_order_acquire);
        struct memory *found = before & 1 ? NULL : search(address);
        atomic_thread_fence(memory_order_acquire);
        if (!(before & 1) && atomic_load_explicit(&version, memory_order_relaxed) == before)
            return found;
    }
}

struct memory *memory_alive(uint64_t address) {
    struct memory *memory = memory_at(address);
    return memory && !atomic_load_explicit(&memory->freed, memory_order_acquire) ? memory : NULL;
}

struct memory *memory_named(uint64_t address) {
    return memory_if_named(memory_at(address));
}

// Under the lock of handles. The list that was outgrown stays: readers may be in it.
static bool grow(void) {
    if (atomic_load(&used) < room)
        return true;
    size_t wanted = room ? room * 2 : 4096;
    struct entry *fresh = pages(wanted * sizeof *fresh);
    if (!fresh)
        return false;
    if (room)
        memcpy((void *)fresh, (const void *)atomic_load(&entries),
               atomic_load(&used) * sizeof *fresh);
    atomic_store_explicit(&entries, fresh, memory_order_release);
    room = wanted;
    return true;
}

static void begin_change(void) {
    atomic_store_explicit(&version, version + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}
static void end_change(void) {
    atomic_store_explicit(&version, version + 1, memory_order_release);
    atomic_fetch_add(&memory_changes, 1);
}

static void move_entries(size_t to, size_t from) {
    size_t count = atomic_load(&used);
    struct entry *list = atomic_load(&entries);
    memmove((void *)(list + to), (const void *)(list + from), (count - from) * sizeof *list);
    atomic_store(&used, count + to - from);
}

// It is no longer in the list.
static void end_memory(struct memory *memory) {
    atomic_fetch_add(&memory->life, 1);
    atomic_store(&memory->freed, true);
    if (ended_count < BLOCK)
        ended[(ended_first + ended_count++) % BLOCK] = memory;
}

_Atomic uint64_t memory_least = UINT64_MAX, memory_most;

static void put_memory(struct memory *memory) {
    if (memory->base < atomic_load(&memory_least))
        atomic_store(&memory_least, memory->base);
    if (memory->base + memory->size > atomic_load(&memory_most))
        atomic_store(&memory_most, memory->base + memory->size);
    struct entry *list = atomic_load(&entries);
    size_t count = atomic_load(&used), from = place_of(list, count, memory->base), to = from;
    // What lies there already was given back by a call that is not seen.
    while (to < count && atomic_load(&list[to].base) < memory->base + memory->size)
        end_memory(list[to++].memory);
    begin_change();
    move_entries(from + 1, to);
    atomic_store(&list[from].base, memory->base);
    atomic_store(&list[from].end, memory->base + memory->size);
    atomic_store(&list[from].memory, memory);
    end_change();
}

struct memory *memory_put(const struct memory *fresh) {
    if (!fresh->size || fresh->base + fresh->size < fresh->base)
        return NULL;
    handles_lock();
    struct memory *memory = grow() ? new_memory() : NULL;
    if (memory) {
        uint32_t life = atomic_load(&memory->life), parts = atomic_load(&memory->parts);
        memcpy((void *)memory, (const void *)fresh, sizeof *memory);
        atomic_store(&memory->life, life + 1);
        atomic_store(&memory->parts, parts);
        parts_forget(memory->base, memory->size);
        put_memory(memory);
    }
    handles_unlock();
    if (!memory)
        atomic_fetch_add(&process.control->untracked, 1);
    return memory;
}

struct memory *memory_alias(const struct memory *of, uint64_t address, uint64_t base) {
    struct memory fresh = *of;
    uint64_t skipped = address - of->base;
    fresh.base = base;
    fresh.size = of->size - skipped;
    fresh.shift = of->shift + skipped;
    return memory_put(&fresh);
}

static bool take_out(struct memory *memory) {
    handles_lock();
    struct entry *list = atomic_load(&entries);
    size_t at = place_of(list, atomic_load(&used), memory->base);
    bool there = at < atomic_load(&used) && atomic_load(&list[at].memory) == memory;
    if (there) {
        begin_change();
        move_entries(at, at + 1);
        end_change();
        atomic_fetch_add(&memory->life, 1);
    }
    handles_unlock();
    return there;
}

bool memory_release(struct memory *memory) {
    return memory_is_host(memory) ? take_out(memory) : !atomic_exchange(&memory->freed, true);
}

void memory_released(struct memory *memory) {
    if (!memory_is_host(memory))
        return;
    handles_lock();
    end_memory(memory);
    handles_unlock();
}

void memory_restore(struct memory *memory) {
    if (!memory_is_host(memory)) {
        atomic_store(&memory->freed, false);
        return;
    }
    handles_lock();
    if (grow())
        put_memory(memory);
    handles_unlock();
}
