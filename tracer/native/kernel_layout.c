#include "kernel_layout.h"
#include "digest.h"
#include "kept.h"
#include "kernel_types.h"
#include "kinds.h"
#include <string.h>

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
    bool joined; // they are there, of another target
    bool differ; // what is there is not the same, but for modes
};

enum { POINTER = 8 };

void code_image_read(struct code_image *image, const struct architectures *used, bool keep) {
    image->state = code_metadata_find(image->image, used, keep, &image->code);
}

void code_image_forget(struct code_image *image) {
    for (unsigned i = 0; i < image->code.targets; i++)
        kernel_index_free(&image->index[i]);
    code_metadata_free(&image->code);
    image->state = CODE_UNKNOWN;
}

static void make_indexes(struct code_image *image) {
    for (unsigned i = 0; i < image->code.targets && image->state == CODE_READ; i++)
        if (!image->index[i].slots)
            image->state = kernel_index_make(&image->index[i], image->code.target[i]);
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

static uint8_t joined(uint8_t mode, uint8_t other) {
    if (mode == other)
        return mode;
    return mode == MODE_UNKNOWN || other == MODE_UNKNOWN ? MODE_UNKNOWN : MODE_READ_WRITE;
}

// At `offset` in the argument that lies at `start`.
static void take_pointer(struct parts *parts, uint64_t start, uint64_t offset, uint8_t mode,
                         bool guessed) {
    if (parts->pointers < parts->pointer_room) {
        struct kernel_pointer *pointer = &parts->pointer[parts->pointers];
        struct kernel_pointer said = {(uint16_t)parts->arguments, (uint16_t)offset, mode, guessed,
                                      (uint16_t)(start + offset)};
        if (parts->joined) {
            said.mode = joined(pointer->mode, mode);
            pointer->mode = said.mode;
            parts->differ |= memcmp(pointer, &said, sizeof said) != 0;
        } else
            *pointer = said;
    }
    parts->pointers++;
}

static void take_place(struct parts *parts, uint64_t offset, uint64_t size) {
    if (parts->arguments < parts->argument_room) {
        struct kernel_argument *argument = &parts->argument[parts->arguments];
        struct kernel_argument said = {(uint16_t)offset, (uint16_t)size};
        if (parts->joined)
            parts->differ |= memcmp(argument, &said, sizeof said) != 0;
        else
            *argument = said;
    }
    parts->arguments++;
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
        take_pointer(parts, offset, 0, mode_of(&said->access), false);
    // A pointer in a struct aligns the struct.
    if (msgpack_is(&said->kind, "by_value") && offset % POINTER == 0)
        for (uint64_t word = 0; word + POINTER <= size; word += POINTER)
            take_pointer(parts, offset, word, MODE_UNKNOWN, true);
    take_place(parts, offset, size);
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
static bool take_arguments(struct msgpack kernel, struct parts *parts) {
    struct msgpack_value list;
    struct described said;
    parts->arguments = parts->pointers = 0;
    if (!msgpack_find(&kernel, ".args", &list))
        return true;
    if (list.type != MSGPACK_ARRAY)
        return false;
    for (uint64_t i = 0; i < list.number; i++)
        if (!describe(&kernel, &said) || !take_argument(parts, &said))
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
    layout->hash = digest_of_bytes(name, strlen(name));
    return layout;
}

static const struct kernel_layout *layout_unknown(const char *name, enum code_state why) {
    return layout_made(name, &(struct parts){0}, why);
}

static uint64_t hash_of_map(struct msgpack kernel) {
    const uint8_t *start = kernel.at;
    return msgpack_skip(&kernel) ? digest_of_bytes(start, (size_t)(kernel.at - start)) : 0;
}

// Of one target, with room for what it comes to.
static struct kernel_layout *layout_of(struct msgpack kernel, const char *name,
                                       struct parts *parts) {
    struct kernel_layout *layout = layout_made(name, parts, CODE_READ);
    if (!layout)
        return NULL;
    parts->argument = (struct kernel_argument *)layout->argument;
    parts->argument_room = parts->arguments;
    parts->pointer = layout->pointer;
    parts->pointer_room = parts->pointers;
    take_arguments(kernel, parts);
    layout->hash ^= hash_of_map(kernel);
    return layout;
}

// True: the same arguments there; its modes are joined to those known.
static bool join(struct msgpack kernel, struct parts *parts) {
    parts->joined = true;
    return take_arguments(kernel, parts) && !parts->differ &&
           parts->arguments == parts->argument_room && parts->pointers == parts->pointer_room;
}

// Compilers say how a pointer is used only where they saw it all. What a pointer to const leads to
// is read, whether they did or not.
static void note_const(struct kernel_layout *layout) {
    struct kernel_types types = kernel_types_of(layout->name);
    if (types.whole ? types.told != layout->arguments : types.told > layout->arguments)
        return;
    for (unsigned i = 0; i < layout->pointers; i++) {
        struct kernel_pointer *pointer = &layout->pointer[i];
        if (pointer->mode == MODE_UNKNOWN && !pointer->guessed && pointer->argument < types.told &&
            types.pointers_to_const >> pointer->argument & 1)
            pointer->mode = MODE_READ;
    }
}

const struct kernel_layout *kernel_layout_find(struct code_image *image, const char *name) {
    if (image)
        make_indexes(image);
    if (!image || image->state != CODE_READ)
        return layout_unknown(name, image ? image->state : CODE_UNKNOWN);
    struct kernel_layout *layout = NULL;
    struct parts parts = {0};
    for (unsigned i = 0; i < image->code.targets; i++) {
        struct msgpack kernel;
        if (!kernel_index_find(&image->index[i], name, &kernel))
            continue;
        if (layout ? !join(kernel, &parts) : !take_arguments(kernel, &parts))
            return layout_unknown(name, CODE_DAMAGED);
        if (!layout && !(layout = layout_of(kernel, name, &parts)))
            return NULL;
    }
    if (!layout)
        return layout_unknown(name, CODE_WITHOUT);
    note_const(layout);
    return layout;
}

// A driver that says no more than where arguments lie: one of a pointer's size is a pointer if it
// leads to memory, words of larger ones may be.
static void take_sizes(struct parts *parts, const struct kernel_argument *argument,
                       unsigned count) {
    parts->arguments = parts->pointers = 0;
    for (unsigned i = 0; i < count; i++) {
        uint64_t size = argument[i].size;
        for (uint64_t word = 0; argument[i].offset % POINTER == 0 && word + POINTER <= size;
             word += POINTER)
            take_pointer(parts, argument[i].offset, word, MODE_UNKNOWN, size != POINTER);
        take_place(parts, argument[i].offset, size);
    }
}

const struct kernel_layout *
kernel_layout_of_sizes(const char *name, const struct kernel_argument *argument, unsigned count) {
    struct parts parts = {0};
    take_sizes(&parts, argument, count);
    struct kernel_layout *layout = layout_made(name, &parts, CODE_READ);
    if (!layout)
        return NULL;
    parts.argument = (struct kernel_argument *)layout->argument;
    parts.argument_room = parts.arguments;
    parts.pointer = layout->pointer;
    parts.pointer_room = parts.pointers;
    take_sizes(&parts, argument, count);
    note_const(layout);
    return layout;
}
