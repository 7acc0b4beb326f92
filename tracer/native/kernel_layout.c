#include "kernel_layout.h"
#include "digest.h"
#include "kept.h"
#include "kinds.h"
#include "msgpack.h"
#include <string.h>
#include <sys/mman.h>

// What the metadata say of one argument.
struct described {
    struct msgpack_value offset, size, kind, space, access;
};

// What a kernel's arguments come to: all are counted, those kept for which there is room.
struct parts {
    struct kernel_argument *argument;
    struct kernel_pointer *pointer;
    unsigned argument_room, pointer_room;
    unsigned arguments, pointers;
};

enum { POINTER = 8 };

static struct msgpack walk_from(struct bytes metadata, uint64_t place) {
    return (struct msgpack){metadata.at + place, metadata.at + metadata.size};
}

// The value of this key in the map that follows, after its head: `walk` stands before it.
static bool find_key(struct msgpack *walk, uint64_t pairs, const char *wanted) {
    struct msgpack_value key;
    for (uint64_t i = 0; i < pairs; i++) {
        if (!msgpack_next(walk, &key))
            return false;
        if (msgpack_is(&key, wanted))
            return true;
        if (key.type == MSGPACK_ARRAY || key.type == MSGPACK_MAP || !msgpack_skip(walk))
            return false;
    }
    return false;
}

static bool find_in_map(struct msgpack *walk, const char *wanted, struct msgpack_value *value) {
    return msgpack_next(walk, value) && value->type == MSGPACK_MAP &&
           find_key(walk, value->number, wanted) && msgpack_next(walk, value);
}

static uint64_t hash_of(const char *name, size_t length) { return digest_of_bytes(name, length); }

static size_t slots_for(uint64_t kernels) {
    size_t slots = 64;
    while (slots < 2 * kernels)
        slots *= 2;
    return slots;
}

// Where the kernel of this name is in the index, or would be.
static uint64_t *slot_of(const struct code_image *image, const char *name, size_t length) {
    uint64_t hash = hash_of(name, length);
    for (size_t at = hash;; at++) {
        uint64_t *slot = &image->slot[at & (image->slots - 1)];
        if (!*slot)
            return slot;
        if (*slot >> 32 != hash >> 32)
            continue;
        struct msgpack walk = walk_from(image->code.metadata, *slot & UINT32_MAX);
        struct msgpack_value found;
        if (find_in_map(&walk, ".name", &found) && found.type == MSGPACK_STRING &&
            found.number == length && memcmp(found.string, name, length) == 0)
            return slot;
    }
}

// Two kernels of one name: the first.
static void add_kernel(struct code_image *image, const struct msgpack_value *name, uint64_t place) {
    uint64_t *slot = slot_of(image, name->string, name->number);
    if (!*slot)
        *slot = hash_of(name->string, name->number) >> 32 << 32 | place;
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

static enum code_state index_kernels(struct code_image *image) {
    struct bytes metadata = image->code.metadata;
    struct msgpack walk = walk_from(metadata, 0);
    struct msgpack_value kernels, name;
    if (metadata.size > UINT32_MAX || !find_in_map(&walk, "amdhsa.kernels", &kernels) ||
        kernels.type != MSGPACK_ARRAY || kernels.number > metadata.size)
        return CODE_DAMAGED;
    size_t slots = slots_for(kernels.number);
    void *memory = mmap(NULL, slots * sizeof *image->slot, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return CODE_NO_MEMORY;
    image->slot = memory;
    image->slots = slots;
    for (uint64_t i = 0; i < kernels.number; i++) {
        uint64_t place = (uint64_t)(walk.at - metadata.at);
        if (!next_name(&walk, &name))
            return CODE_DAMAGED;
        add_kernel(image, &name, place);
    }
    return CODE_READ;
}

void code_image_read(struct code_image *image, const char *architecture, bool keep) {
    image->state = code_metadata_find(image->image, architecture, keep, &image->code);
}

void code_image_forget(struct code_image *image) {
    if (image->slot)
        munmap(image->slot, image->slots * sizeof *image->slot);
    code_metadata_free(&image->code);
    image->slot = NULL;
    image->state = CODE_UNKNOWN;
}

static bool starts_with(const struct msgpack_value *value, const char *start) {
    size_t length = strlen(start);
    return value->number >= length && memcmp(value->string, start, length) == 0;
}

static uint8_t mode_of(const struct msgpack_value *access) {
    if (msgpack_is(access, "read_only"))
        return MODE_READ;
    if (msgpack_is(access, "write_only"))
        return MODE_WRITE;
    return msgpack_is(access, "read_write") ? MODE_READ_WRITE : MODE_UNKNOWN;
}

static bool is_shared_by_all(const struct msgpack_value *space) {
    return !msgpack_is(space, "local") && !msgpack_is(space, "private") &&
           !msgpack_is(space, "region");
}

static void take_pointer(struct parts *parts, uint64_t offset, uint8_t mode, bool guessed) {
    if (parts->pointers < parts->pointer_room)
        parts->pointer[parts->pointers] =
            (struct kernel_pointer){(uint16_t)parts->arguments, (uint16_t)offset, mode, guessed};
    parts->pointers++;
}

// False: damaged.
static bool take_argument(struct parts *parts, const struct described *said) {
    if (said->kind.type != MSGPACK_STRING)
        return false;
    if (starts_with(&said->kind, "hidden_"))
        return true;
    uint64_t offset = said->offset.number, size = said->size.number;
    if (said->offset.type != MSGPACK_UINT || said->size.type != MSGPACK_UINT ||
        offset > UINT16_MAX || size > UINT16_MAX - offset || parts->arguments == UINT16_MAX ||
        parts->pointers > UINT16_MAX - UINT16_MAX / POINTER)
        return false;
    if (msgpack_is(&said->kind, "global_buffer") && size == POINTER &&
        is_shared_by_all(&said->space))
        take_pointer(parts, 0, mode_of(&said->access), false);
    // A pointer in a struct aligns the struct.
    if (msgpack_is(&said->kind, "by_value") && offset % POINTER == 0)
        for (uint64_t word = 0; word + POINTER <= size; word += POINTER)
            take_pointer(parts, word, MODE_UNKNOWN, true);
    if (parts->arguments < parts->argument_room)
        parts->argument[parts->arguments] =
            (struct kernel_argument){(uint16_t)offset, (uint16_t)size};
    parts->arguments++;
    return true;
}

static bool describe(struct msgpack *walk, struct described *said) {
    struct msgpack_value map, key;
    *said = (struct described){0};
    if (!msgpack_next(walk, &map) || map.type != MSGPACK_MAP)
        return false;
    for (uint64_t i = 0; i < map.number; i++) {
        if (!msgpack_next(walk, &key) || key.type != MSGPACK_STRING)
            return false;
        struct msgpack_value *value = msgpack_is(&key, ".offset")          ? &said->offset
                                      : msgpack_is(&key, ".size")          ? &said->size
                                      : msgpack_is(&key, ".value_kind")    ? &said->kind
                                      : msgpack_is(&key, ".address_space") ? &said->space
                                      : msgpack_is(&key, ".actual_access") ? &said->access
                                                                           : NULL;
        struct msgpack after = *walk;
        if (!msgpack_skip(&after) || (value && !msgpack_next(walk, value)))
            return false;
        *walk = after;
    }
    return true;
}

// A kernel without arguments may have no list of them.
static bool take_arguments(struct bytes metadata, uint64_t place, struct parts *parts) {
    struct msgpack walk = walk_from(metadata, place);
    struct msgpack_value list;
    struct described said;
    parts->arguments = parts->pointers = 0;
    if (!find_in_map(&walk, ".args", &list))
        return true;
    if (list.type != MSGPACK_ARRAY)
        return false;
    for (uint64_t i = 0; i < list.number; i++)
        if (!describe(&walk, &said) || !take_argument(parts, &said))
            return false;
    return true;
}

static struct kernel_layout *layout_made(const char *name, const struct parts *parts,
                                         enum code_state why) {
    size_t pointers = parts->pointers * sizeof(struct kernel_pointer);
    struct kernel_layout *layout = kept_take(sizeof *layout + pointers);
    if (!layout || !(layout->name = kept_string(name)))
        return NULL;
    layout->argument = kept_take(parts->arguments * sizeof(struct kernel_argument));
    if (!layout->argument)
        return NULL;
    layout->arguments = (uint16_t)parts->arguments;
    layout->pointers = (uint16_t)parts->pointers;
    layout->why = (uint8_t)why;
    layout->known = why == CODE_READ;
    layout->hash = hash_of(name, strlen(name));
    return layout;
}

static const struct kernel_layout *layout_unknown(const char *name, enum code_state why) {
    return layout_made(name, &(struct parts){0}, why);
}

static uint64_t hash_of_map(struct bytes metadata, uint64_t place) {
    struct msgpack walk = walk_from(metadata, place);
    const uint8_t *start = walk.at;
    return msgpack_skip(&walk) ? digest_of_bytes(start, (size_t)(walk.at - start)) : 0;
}

const struct kernel_layout *kernel_layout_find(struct code_image *image, const char *name) {
    if (image && image->state == CODE_READ && !image->slot)
        image->state = index_kernels(image);
    if (!image || image->state != CODE_READ)
        return layout_unknown(name, image ? image->state : CODE_UNKNOWN);
    struct bytes metadata = image->code.metadata;
    uint64_t place = *slot_of(image, name, strlen(name)) & UINT32_MAX;
    struct parts parts = {0};
    if (!place)
        return layout_unknown(name, CODE_WITHOUT);
    if (!take_arguments(metadata, place, &parts))
        return layout_unknown(name, CODE_DAMAGED);
    struct kernel_layout *layout = layout_made(name, &parts, CODE_READ);
    if (!layout)
        return NULL;
    parts.argument = (struct kernel_argument *)layout->argument;
    parts.argument_room = parts.arguments;
    parts.pointer = layout->pointer;
    parts.pointer_room = parts.pointers;
    take_arguments(metadata, place, &parts);
    layout->hash ^= hash_of_map(metadata, place);
    return layout;
}
