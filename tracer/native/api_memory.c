#include "api_memory.h"
#include "ggml_handles.h"
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static _Atomic uint32_t memory_changes;

uint32_t memory_changed(void) {
    return atomic_load_explicit(&memory_changes, memory_order_acquire) +
           (uint32_t)buffers_changes();
}

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
    size_t count = atomic_load_explicit(&used, memory_order_relaxed);
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
    struct memory *memory = memory_at(address);
    return memory && (memory->pool || memory_alive(address)) ? memory : NULL;
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
static void end(struct memory *memory) {
    atomic_fetch_add(&memory->life, 1);
    atomic_store(&memory->freed, true);
    if (ended_count < BLOCK)
        ended[(ended_first + ended_count++) % BLOCK] = memory;
}

static void put(struct memory *memory) {
    struct entry *list = atomic_load(&entries);
    size_t count = atomic_load(&used), from = place_of(list, count, memory->base), to = from;
    // What lies there already was given back by a call that is not seen.
    while (to < count && atomic_load(&list[to].base) < memory->base + memory->size)
        end(list[to++].memory);
    begin_change();
    move_entries(from + 1, to);
    atomic_store(&list[from].base, memory->base);
    atomic_store(&list[from].end, memory->base + memory->size);
    atomic_store(&list[from].memory, memory);
    end_change();
}

static struct memory *add(const struct memory *fresh) {
    if (!fresh->size || fresh->base + fresh->size < fresh->base)
        return NULL;
    handles_lock();
    struct memory *memory = grow() ? new_memory() : NULL;
    if (memory) {
        uint32_t life = atomic_load(&memory->life);
        memcpy((void *)memory, (const void *)fresh, sizeof *memory);
        atomic_store(&memory->life, life + 1);
        put(memory);
    }
    handles_unlock();
    if (!memory)
        atomic_fetch_add(&process.control->untracked, 1);
    return memory;
}

static const char *word_for(const struct memory *memory) {
    if (memory->of_host)
        return "host memory";
    if (memory->foreign)
        return "IPC memory";
    switch (memory->kind) {
    case MEMORY_KIND_DEVICE:
        return memory->pool ? "pool memory" : "device memory";
    case MEMORY_KIND_MANAGED:
        return "managed memory";
    case MEMORY_KIND_MAPPED:
        return "mapped memory";
    case MEMORY_KIND_WRITE_COMBINED:
        return "write-combined memory";
    default:
        return "pinned memory";
    }
}

void memory_name(const struct memory *memory, char *name, size_t bytes) {
    if (memory->of_host)
        snprintf(name, bytes, "%s", word_for(memory));
    else
        snprintf(name, bytes, "%s %u", word_for(memory), memory->storage);
}

void memory_tell(struct thread *thread, struct memory *memory) {
    uint32_t epoch = process_epoch();
    if (memory->of_host) {
        host_memory(thread);
        return;
    }
    if (atomic_load_explicit(&memory->told, memory_order_relaxed) == epoch || !thread->ring)
        return;
    struct record_storage storage = {
        .handle = memory->base,
        .base = memory->base,
        .size = memory->size,
        .born = atomic_load(&process.control->ticket),
        .id = memory->storage,
        .device = memory_is_host(memory) ? -1 : memory->device,
        .memory = memory->kind,
    };
    char name[48];
    memory_name(memory, name, sizeof name);
    if (ring_put_named(thread->ring, RECORD_STORAGE, &storage, sizeof storage, name))
        atomic_store_explicit(&memory->told, epoch, memory_order_relaxed);
}

struct memory *memory_add(struct thread *thread, struct memory fresh) {
    fresh.storage = take_id(ID_STORAGE);
    struct memory *memory = add(&fresh);
    if (memory)
        memory_tell(thread, memory);
    return memory;
}

uint32_t memory_around(struct thread *thread, uint64_t address, uint64_t size, uint64_t *offset) {
    struct memory *memory = memory_at(address);
    if (!memory || memory->of_host || size > memory->base + memory->size - address)
        return 0;
    memory_tell(thread, memory);
    *offset = address - memory->base + memory->shift;
    return memory->storage;
}

uint32_t memory_of_host(struct thread *thread, uint64_t address, uint64_t size, uint64_t *offset) {
    const struct buffer *buffer = host_buffer_around(address, size);
    *offset = buffer ? address - buffer->host + (uint64_t)buffer->shift : address;
    return buffer ? buffer->handle.id : host_memory(thread);
}

static void tell_kind(struct thread *thread, uint32_t storage, uint64_t lo, uint64_t hi,
                      enum memory_kind kind) {
    struct record_memory *record =
        thread->ring ? ring_reserve(thread->ring, RECORD_MEMORY, 0, sizeof *record,
                                    atomic_load(&process.control->ticket))
                     : NULL;
    if (!record)
        return;
    record->storage = storage;
    record->kind = kind;
    record->lo = lo;
    record->hi = hi;
    record->since = atomic_load(&process.control->ticket);
    ring_commit(thread->ring, record);
}

struct memory *memory_register(struct thread *thread, uint64_t base, uint64_t size, int device) {
    struct memory fresh = {
        .base = base,
        .size = size,
        .device = device,
        .kind = MEMORY_KIND_REGISTERED,
        .of_host = true,
    };
    fresh.storage = memory_of_host(thread, base, size, &fresh.shift);
    tell_kind(thread, fresh.storage, fresh.shift, fresh.shift + size, MEMORY_KIND_REGISTERED);
    return add(&fresh);
}

void memory_unregistered(struct thread *thread, const struct memory *memory) {
    tell_kind(thread, memory->storage, memory->shift, memory->shift + memory->size,
              MEMORY_KIND_PAGEABLE);
}

struct memory *memory_alias(const struct memory *of, uint64_t address, uint64_t base) {
    struct memory fresh = *of;
    uint64_t skipped = address - of->base;
    fresh.base = base;
    fresh.size = of->size - skipped;
    fresh.shift = of->shift + skipped;
    return add(&fresh);
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
    end(memory);
    handles_unlock();
}

void memory_restore(struct memory *memory) {
    if (!memory_is_host(memory)) {
        atomic_store(&memory->freed, false);
        return;
    }
    handles_lock();
    if (grow())
        put(memory);
    handles_unlock();
}
