#include "kernel_index.h"
#include "digest.h"
#include <string.h>
#include <sys/mman.h>

enum { FEWEST_SLOTS = 64 };

static struct msgpack walk_from(struct bytes metadata, uint64_t place) {
    return (struct msgpack){metadata.at + place, metadata.at + metadata.size};
}

// Where the kernel of this name is in the index, or would be.
static uint64_t *slot_of(const struct kernel_index *index, const char *name, size_t length) {
    uint64_t hash = digest_of_bytes(name, length);
    for (size_t at = hash;; at++) {
        uint64_t *slot = &index->slot[at & (index->slots - 1)];
        if (!*slot)
            return slot;
        if (*slot >> 32 != hash >> 32)
            continue;
        struct msgpack walk = walk_from(index->metadata, *slot & UINT32_MAX);
        struct msgpack_value found;
        if (msgpack_find(&walk, ".name", &found) && found.type == MSGPACK_STRING &&
            found.number == length && memcmp(found.string, name, length) == 0)
            return slot;
    }
}

// Two kernels of one name: the first.
static void add(struct kernel_index *index, const struct msgpack_value *name, uint64_t place) {
    uint64_t *slot = slot_of(index, name->string, name->number);
    if (!*slot)
        *slot = digest_of_bytes(name->string, name->number) >> 32 << 32 | place;
}

// The map that follows, to its end.
static bool next_name(struct msgpack *walk, struct msgpack_value *name) {
    struct msgpack_value map, key;
    *name = (struct msgpack_value){0};
    if (!msgpack_next(walk, &map) || map.type != MSGPACK_MAP)
        return false;
    for (uint64_t i = 0; i < map.number; i++)
        if (!msgpack_next(walk, &key) || key.type != MSGPACK_STRING ||
            !(msgpack_is(&key, ".name") ? msgpack_next(walk, name) : msgpack_skip(walk)))
            return false;
    return name->type == MSGPACK_STRING;
}

enum code_state kernel_index_make(struct kernel_index *index, struct bytes metadata) {
    struct msgpack walk = walk_from(metadata, 0);
    struct msgpack_value kernels, name;
    if (metadata.size > UINT32_MAX || !msgpack_find(&walk, "amdhsa.kernels", &kernels) ||
        kernels.type != MSGPACK_ARRAY || kernels.number > metadata.size)
        return CODE_DAMAGED;
    size_t slots = FEWEST_SLOTS;
    while (slots < 2 * kernels.number)
        slots *= 2;
    void *memory = mmap(NULL, slots * sizeof *index->slot, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return CODE_NO_MEMORY;
    *index = (struct kernel_index){metadata, memory, slots};
    for (uint64_t i = 0; i < kernels.number; i++) {
        uint64_t place = (uint64_t)(walk.at - metadata.at);
        if (!next_name(&walk, &name))
            return CODE_DAMAGED;
        add(index, &name, place);
    }
    return CODE_READ;
}

void kernel_index_free(struct kernel_index *index) {
    if (index->slots)
        munmap(index->slot, index->slots * sizeof *index->slot);
    *index = (struct kernel_index){0};
}

bool kernel_index_find(const struct kernel_index *index, const char *name, struct msgpack *kernel) {
    uint64_t place = *slot_of(index, name, strlen(name)) & UINT32_MAX;
    *kernel = walk_from(index->metadata, place);
    return place != 0;
}
