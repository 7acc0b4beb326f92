#include "code_object.h"
#include "decompress.h"
#include "elf_note.h"
#include "mappings.h"
#include <string.h>
#include <sys/mman.h>

static const char BUNDLE[] = "__CLANG_OFFLOAD_BUNDLE__", COMPRESSED[] = "CCOB";
static const uint64_t MOST_DECOMPRESSED = (uint64_t)4 << 30;
enum { WRAPPER = 0x48495046 };                          // "HIPF"
#define LETTERS "abcdefghijklmnopqrstuvwxyz0123456789-" // of a processor's name

static bool has(struct bytes bytes, uint64_t offset, uint64_t size) {
    return offset <= bytes.size && size <= bytes.size - offset;
}

static bool begins(struct bytes bytes, const char *magic) {
    size_t length = strlen(magic);
    return bytes.size >= length && memcmp(bytes.at, magic, length) == 0;
}

static uint64_t word_at(const uint8_t *at, unsigned bytes) {
    uint64_t word = 0;
    memcpy(&word, at, bytes); // little-endian, as the machines that run this are
    return word;
}

// "hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+": what stands from "gfx" to the colon. Size 0: not for
// an AMD GPU.
static struct bytes processor_of(struct bytes id) {
    struct bytes none = {0};
    if (!memmem(id.at, id.size, "amdgcn", 6))
        return none;
    const uint8_t *start = memmem(id.at, id.size, "-gfx", 4);
    if (!start++)
        return none;
    size_t rest = (size_t)(id.at + id.size - start);
    const uint8_t *colon = memchr(start, ':', rest);
    return (struct bytes){start, colon ? (size_t)(colon - start) : rest};
}

// The entries of a bundle that are for an AMD GPU; those beyond CODE_TARGETS are left out.
struct entries {
    unsigned number;
    struct bytes processor[CODE_TARGETS], elf[CODE_TARGETS];
};

//   magic (24) | entries (8) | entries x { offset, size, length of id (8 each), id }
static enum code_state entries_of(struct bytes bundle, struct entries *gpu) {
    size_t at = sizeof BUNDLE - 1;
    if (!has(bundle, at, 8))
        return CODE_DAMAGED;
    uint64_t entries = word_at(bundle.at + at, 8);
    at += 8;
    for (uint64_t i = 0; i < entries; i++) {
        if (!has(bundle, at, 24))
            return CODE_DAMAGED;
        uint64_t offset = word_at(bundle.at + at, 8), size = word_at(bundle.at + at + 8, 8);
        uint64_t length = word_at(bundle.at + at + 16, 8);
        at += 24;
        if (!has(bundle, at, length) || !has(bundle, offset, size))
            return CODE_DAMAGED;
        struct bytes processor = processor_of((struct bytes){bundle.at + at, length});
        at += length;
        if (!size || !processor.size || gpu->number == CODE_TARGETS)
            continue;
        gpu->processor[gpu->number] = processor;
        gpu->elf[gpu->number++] = (struct bytes){bundle.at + offset, size};
    }
    return gpu->number ? CODE_READ : CODE_UNKNOWN;
}

bool architecture_add(struct architectures *all, const char *name) {
    size_t length = strcspn(name, ":"), named = strspn(name, LETTERS);
    if (strncmp(name, "gfx", 3) != 0 || named != length || length >= ARCHITECTURE_LENGTH)
        return false;
    for (unsigned i = 0; i < all->number; i++)
        if (strncmp(all->name[i], name, length) == 0 && !all->name[i][length])
            return true;
    if (all->number == ARCHITECTURES)
        return false;
    memcpy(all->name[all->number++], name, length);
    return true;
}

static bool is_for(struct bytes processor, const char *architecture) {
    size_t length = strlen(architecture);
    return processor.size == length && memcmp(processor.at, architecture, length) == 0;
}

static bool is_used(struct bytes processor, const struct architectures *used) {
    for (unsigned i = 0; i < used->number; i++)
        if (is_for(processor, used->name[i]))
            return true;
    return false;
}

static bool has_all(const struct entries *gpu, const struct architectures *used) {
    for (unsigned i = 0; i < used->number; i++) {
        unsigned at = 0;
        while (at < gpu->number && !is_for(gpu->processor[at], used->name[i]))
            at++;
        if (at == gpu->number)
            return false;
    }
    return used->number != 0;
}

// One that cannot be read makes the rest worth nothing: it may be the one in use.
static enum code_state of_bundle(struct bytes bundle, const struct architectures *used,
                                 struct code_metadata *found) {
    struct entries gpu = {0};
    enum code_state state = entries_of(bundle, &gpu);
    bool chosen = has_all(&gpu, used);
    for (unsigned i = 0; i < gpu.number && state == CODE_READ; i++)
        if (!chosen || is_used(gpu.processor[i], used))
            state = elf_note_find(gpu.elf[i], &found->target[found->targets++]);
    return state;
}

static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// Into memory of its own.
static enum code_state copied(struct code_metadata *found) {
    size_t size = 0;
    for (unsigned i = 0; i < found->targets; i++)
        size += found->target[i].size;
    uint8_t *copy = map(size);
    if (!copy)
        return CODE_NO_MEMORY;
    found->mapping = copy;
    found->mapping_bytes = size;
    for (unsigned i = 0; i < found->targets; i++) {
        memcpy(copy, found->target[i].at, found->target[i].size);
        found->target[i].at = copy;
        copy += found->target[i].size;
    }
    return CODE_READ;
}

//   version 1    magic 4 | version 2 | method 2 |                uncompressed 4 | hash 8
//   version 2    magic 4 | version 2 | method 2 | file's size 4 | uncompressed 4 | hash 8
//   version 3    magic 4 | version 2 | method 2 | file's size 8 | uncompressed 8 | hash 8
static enum code_state of_compressed(struct bytes file, const struct architectures *used,
                                     struct code_metadata *found) {
    static const uint8_t header_bytes[] = {0, 20, 24, 32};
    if (!has(file, 0, 8))
        return CODE_DAMAGED;
    unsigned version = (unsigned)word_at(file.at + 4, 2);
    unsigned method = (unsigned)word_at(file.at + 6, 2);
    if (version < 1 || version > 3 || method >= DECOMPRESSORS)
        return CODE_UNKNOWN;
    uint8_t header = header_bytes[version];
    unsigned width = version == 3 ? 8 : 4;
    if (!has(file, 0, header))
        return CODE_DAMAGED;
    uint64_t whole = version == 1 ? file.size : word_at(file.at + 8, width);
    uint64_t size = word_at(file.at + header - 8 - width, width);
    if (whole < header || whole > file.size || !size)
        return CODE_DAMAGED;
    if (size > MOST_DECOMPRESSED)
        return CODE_NO_MEMORY;
    void *bundle = map(size);
    if (!bundle)
        return CODE_NO_MEMORY;
    struct bytes content = {file.at + header, whole - header};
    enum code_state state = decompress(method, content, bundle, size);
    if (state == CODE_READ) {
        struct bytes plain = {bundle, size};
        state = begins(plain, BUNDLE) ? of_bundle(plain, used, found) : CODE_UNKNOWN;
    }
    if (state == CODE_READ)
        state = copied(found);
    munmap(bundle, size);
    return state;
}

// Registered images stay where they are, and many of them lie in one mapping of their library.
enum { EXTENTS = 4 };
static struct bytes extent[EXTENTS];
static unsigned extent_turn;

static size_t lasting_size(const uint8_t *at) {
    for (unsigned i = 0; i < EXTENTS; i++)
        if (extent[i].at <= at && at < extent[i].at + extent[i].size)
            return extent[i].size - (size_t)(at - extent[i].at);
    size_t size = readable_from(at);
    extent[extent_turn++ % EXTENTS] = (struct bytes){at, size};
    return size;
}

static struct bytes whole(const uint8_t *at, bool keep) {
    return (struct bytes){at, keep ? readable_from(at) : lasting_size(at)};
}

//   "HIPF" 4 | version 4 | address of the code object 8 | 8
static struct bytes unwrapped(struct bytes image, bool keep) {
    if (!has(image, 0, 16) || word_at(image.at, 4) != WRAPPER)
        return image;
    const uint8_t *at = (const uint8_t *)(uintptr_t)word_at(image.at + 8, 8);
    return whole(at, keep);
}

enum code_state code_metadata_find(struct bytes image, const struct architectures *used, bool keep,
                                   struct code_metadata *found) {
    *found = (struct code_metadata){0};
    if (!image.size)
        image = whole(image.at, keep);
    image = unwrapped(image, keep);
    if (begins(image, COMPRESSED))
        return of_compressed(image, used, found);
    if (begins(image, BUNDLE)) {
        enum code_state state = of_bundle(image, used, found);
        return state == CODE_READ && keep ? copied(found) : state;
    }
    found->targets = 1;
    enum code_state state = elf_note_find(image, &found->target[0]);
    return state == CODE_READ && keep ? copied(found) : state;
}

void code_metadata_free(struct code_metadata *code) {
    if (code->mapping)
        munmap(code->mapping, code->mapping_bytes);
    *code = (struct code_metadata){0};
    memset(extent, 0, sizeof extent);
}
