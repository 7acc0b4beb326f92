#include "api_parts.h"
#include "api_memory.h"
#include "handle.h"
#include <string.h>
#include <sys/mman.h>

// Sorted by address; changed and read as the list of memory is (api_memory.c).
struct part {
    _Atomic uint64_t base, end;
};
static _Atomic uint32_t version;
static _Atomic(struct part *) parts;
static _Atomic size_t used;
static size_t room;

// The first that ends behind the address.
static size_t first_behind(const struct part *list, size_t count, uint64_t address) {
    size_t low = 0;
    while (count) {
        size_t half = count / 2;
        bool left = atomic_load_explicit(&list[low + half].end, memory_order_relaxed) <= address;
        low += left ? half + 1 : 0;
        count = left ? count - half - 1 : half;
    }
    return low;
}

// The list that was outgrown stays: readers may be in it.
static bool has_room(void) {
    size_t count = atomic_load(&used);
    if (count < room)
        return true;
    size_t wanted = room ? room * 2 : 4096;
    struct part *fresh = mmap(NULL, wanted * sizeof *fresh, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED)
        return false;
    if (count)
        memcpy((void *)fresh, (const void *)atomic_load(&parts), count * sizeof *fresh);
    atomic_store_explicit(&parts, fresh, memory_order_release);
    room = wanted;
    return true;
}

// Those that overlap make room for `more` at their place, which is returned.
static struct part *replace(uint64_t base, uint64_t size, size_t more) {
    struct part *list = atomic_load(&parts);
    size_t count = atomic_load(&used), from = first_behind(list, count, base), to = from;
    while (to < count && atomic_load(&list[to].base) < base + size)
        to++;
    memmove((void *)(list + from + more), (const void *)(list + to), (count - to) * sizeof *list);
    atomic_store(&used, count - (to - from) + more);
    return list + from;
}

static void begin_change(void) {
    atomic_store_explicit(&version, version + 1, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
}

static void end_change(void) { atomic_store_explicit(&version, version + 1, memory_order_release); }

void parts_forget(uint64_t base, uint64_t size) {
    if (!atomic_load(&used))
        return;
    begin_change();
    replace(base, size, 0);
    end_change();
}

static struct api_part look(uint64_t address) {
    size_t count = atomic_load_explicit(&used, memory_order_acquire);
    const struct part *list = atomic_load_explicit(&parts, memory_order_relaxed);
    size_t at = first_behind(list, count, address);
    if (at == count || atomic_load_explicit(&list[at].base, memory_order_relaxed) > address)
        return (struct api_part){0, 0};
    return (struct api_part){atomic_load_explicit(&list[at].base, memory_order_relaxed),
                             atomic_load_explicit(&list[at].end, memory_order_relaxed)};
}

struct api_part part_around(uint64_t address) {
    for (;;) {
        uint32_t before = atomic_load_explicit(&version, memory_order_acquire);
        struct api_part found = {0, 0};
        if (!(before & 1))
            found = look(address);
        atomic_thread_fence(memory_order_acquire);
        if (!(before & 1) && atomic_load_explicit(&version, memory_order_relaxed) == before)
            return found;
    }
}

void part_put(uint64_t base, uint64_t size) {
    struct api_part known = part_around(base);
    if (known.hi && known.lo == base && known.hi == base + size)
        return; // as most are
    struct memory *memory = memory_alive(base);
    struct thread *thread = memory && size && base + size > base ? thread_enter() : NULL;
    if (!thread)
        return;
    handles_lock();
    if (has_room()) {
        begin_change();
        struct part *part = replace(base, size, 1);
        atomic_store(&part->base, base);
        atomic_store(&part->end, base + size);
        end_change();
        atomic_fetch_add(&memory->parts, 1); // ranges in it that were told are looked at again
    }
    handles_unlock();
    thread_leave(thread);
}
