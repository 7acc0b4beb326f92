#include "blocks.h"
#include <string.h>
#include <sys/mman.h>

// Classes of sizes are powers of two. The largest come from the system and go back to it.
enum { SMALLEST = 6, LARGEST = 18, CHUNK = 1 << 20 };
struct free_block {
    struct free_block *next;
};
static struct free_block *given[LARGEST + 1];
static char *chunk;
static size_t chunk_left;

static unsigned class_of(size_t bytes) {
    unsigned class = SMALLEST;
    while (class < 63 && (size_t)1 << class < bytes)
        class ++;
    return class;
}

static void *pages(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static void *carve(size_t bytes) {
    if (bytes > chunk_left) {
        char *fresh = pages(CHUNK);
        if (!fresh)
            return NULL;
        chunk = fresh;
        chunk_left = CHUNK;
    }
    void *taken = chunk;
    chunk += bytes;
    chunk_left -= bytes;
    return taken;
}

void *block_take(size_t bytes) {
    unsigned class = class_of(bytes);
    size_t size = (size_t)1 << class;
    if (class > LARGEST)
        return pages(size);
    struct free_block *block = given[class];
    if (!block)
        return carve(size);
    given[class] = block->next;
    return memset(block, 0, size);
}

void block_give(void *block, size_t bytes) {
    unsigned class = class_of(bytes);
    if (!block)
        return;
    if (class > LARGEST) {
        munmap(block, (size_t)1 << class);
        return;
    }
    struct free_block *freed = block;
    freed->next = given[class];
    given[class] = freed;
}

bool list_grow(struct list *list, size_t item, uint32_t more) {
    if (list->count + more <= list->room)
        return true;
    uint32_t room = list->room ? list->room : 4;
    while (room < list->count + more)
        room *= 2;
    void *fresh = block_take(room * item);
    if (!fresh)
        return false;
    if (list->count)
        memcpy(fresh, list->items, list->count * item);
    block_give(list->items, list->room * item);
    list->items = fresh;
    list->room = room;
    return true;
}

void *list_append(struct list *list, size_t item) {
    if (!list_grow(list, item, 1))
        return NULL;
    return memset((char *)list->items + list->count++ * item, 0, item);
}

bool list_copy(struct list *to, const struct list *from, size_t item) {
    to->count = 0;
    if (!from->count)
        return true;
    if (!list_grow(to, item, from->count))
        return false;
    memcpy(to->items, from->items, from->count * item);
    to->count = from->count;
    return true;
}

void list_drop(struct list *list, size_t item) {
    block_give(list->items, list->room * item);
    *list = (struct list){0};
}
