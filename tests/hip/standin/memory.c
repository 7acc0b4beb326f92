// Memory: what lies where, and the blocks that hipMalloc and its like hand out.
//
// A freed block of up to KEPT bytes stays mapped: its bytes are overwritten, and the next block of
// its size has its address, so that a late access reads or spoils what is there by then. A larger
// one is unmapped, and a late access to it kills the program.
#include "standin.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE 4096u
#define KEPT (16u << 20)
#define NEW_BYTES 0xCD   // of device memory that nothing was written to
#define FREED_BYTES 0xDD // of memory that was freed

static struct memory **map; // by address
static size_t count, room;
static unsigned long long ids;
static struct block {
    struct block *next;
    char *base;
    size_t size;
} * kept;

static size_t first_above(const void *address) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (map[middle]->base <= (const char *)address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct memory *find_memory(const void *address) {
    size_t above = first_above(address);
    struct memory *memory = above ? map[above - 1] : NULL;
    return memory && (const char *)address < memory->base + memory->size ? memory : NULL;
}

bool is_within(const struct memory *memory, const void *address, size_t size) {
    size_t offset = (size_t)((const char *)address - memory->base);
    return size <= memory->size - offset;
}

struct memory *add_memory(void *base, size_t size, hipMemoryType type, int device, unsigned flags) {
    struct memory *memory = calloc(1, sizeof *memory);
    *memory = (struct memory){base, size, type, device, flags, .id = ++ids};
    if (count == room)
        map = realloc(map, (room = room * 2 + 64) * sizeof(void *));
    size_t at = first_above(base);
    memmove(map + at + 1, map + at, (count - at) * sizeof(void *));
    map[at] = memory;
    count++;
    return memory;
}

void forget_memory(struct memory *memory) {
    size_t at = first_above(memory->base) - 1;
    memmove(map + at, map + at + 1, (count - at - 1) * sizeof(void *));
    count--;
    free(memory);
}

// HIP 5 has other numbers, and managed memory is host memory to it.
hipMemoryType told_type(hipMemoryType type) {
    if (standin_major > 5)
        return type;
    return type == hipMemoryTypeDevice ? 1 : type == hipMemoryTypeArray ? 2 : 0;
}

size_t rounded_size(size_t size) { return (size + PAGE - 1) & ~(size_t)(PAGE - 1); }

static char *take_kept(size_t size) {
    for (struct block **link = &kept; *link; link = &(*link)->next)
        if ((*link)->size == size) {
            struct block *block = *link;
            char *base = block->base;
            *link = block->next;
            free(block);
            return base;
        }
    return NULL;
}

size_t memory_used(int device) {
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (map[i]->device == device && map[i]->type == hipMemoryTypeDevice)
            used += map[i]->size;
    return used;
}

struct memory *new_memory(size_t size, hipMemoryType type, int device, unsigned flags) {
    size_t whole = rounded_size(size);
    if (whole < size)
        return NULL;
    if (type == hipMemoryTypeDevice && whole > DEVICE_BYTES - memory_used(device))
        return NULL;
    char *base = take_kept(whole);
    if (!base) {
        base = mmap(NULL, whole, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (base == MAP_FAILED)
            return NULL;
        if (type == hipMemoryTypeDevice && whole <= KEPT)
            memset(base, NEW_BYTES, whole);
    }
    return add_memory(base, size, type, device, flags);
}

void free_block(char *base, size_t size) {
    if (size > KEPT) {
        munmap(base, size);
        return;
    }
    memset(base, FREED_BYTES, size);
    struct block *block = malloc(sizeof *block);
    *block = (struct block){kept, base, size};
    kept = block;
}

void free_memory(struct memory *memory) {
    char *base = memory->base;
    size_t size = rounded_size(memory->size);
    forget_memory(memory);
    free_block(base, size);
}

struct work freed_bytes(const struct memory *memory) {
    size_t size = rounded_size(memory->size);
    if (size > KEPT)
        return (struct work){.kind = WORK_NONE};
    return (struct work){WORK_FILL,
                         .fill = {{memory->base, size, size}, size, 1, 1, FREED_BYTES, 1}};
}
