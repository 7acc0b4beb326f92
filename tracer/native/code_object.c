#include "code_object.h"
#include "decompress.h"
#include "elf_note.h"
#include "mappings.h"
#include <string.h>
#include <sys/mman.h>

static const char BUNDLE[] = "__CLANG_OFFLOAD_BUNDLE__", COMPRESSED[] = "CCOB";
static const uint64_t MOST_DECOMPRESSED = (uint64_t)4 << 30;
enum { WRAPPER = 0x48495046 }; // "HIPF"

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

static bool is_processor(struct bytes processor, const char *architecture) {
    size_t length = architecture ? strcspn(architecture, ":") : 0;
    return length && processor.size == length && memcmp(processor.at, architecture, length) == 0;
}

//   magic (24) | entries (8) | entries x { offset, size, length of id (8 each), id }
static enum code_state of_bundle(struct bytes bundle, const char *architecture,
                                 struct bytes *metadata) {
    struct bytes first = {0};
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
        struct bytes elf = {bundle.at + offset, size};
        at += length;
        if (!size || !processor.size)
            continue;
        if (is_processor(processor, architecture))
            return elf_note_find(elf, metadata);
        if (!first.size)
            first = elf;
    }
    return first.size ? elf_note_find(first, metadata) : CODE_UNKNOWN;
}

static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static enum code_state copied(struct bytes metadata, struct code_metadata *found) {
    void *copy = map(metadata.size);
    if (!copy)
        return CODE_NO_MEMORY;
    memcpy(copy, metadata.at, metadata.size);
    *found = (struct code_metadata){{copy, metadata.size}, copy, metadata.size};
    return CODE_READ;
}

//   version 1    magic 4 | version 2 | method 2 |                uncompressed 4 | hash 8
//   version 2    magic 4 | version 2 | method 2 | file's size 4 | uncompressed 4 | hash 8
//   version 3    magic 4 | version 2 | method 2 | file's size 8 | uncompressed 8 | hash 8
static enum code_state of_compressed(struct bytes file, const char *architecture,
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
    struct bytes metadata = {0}, content = {file.at + header, whole - header};
    enum code_state state = decompress(method, content, bundle, size);
    if (state == CODE_READ) {
        struct bytes plain = {bundle, size};
        state = begins(plain, BUNDLE) ? of_bundle(plain, architecture, &metadata) : CODE_UNKNOWN;
    }
    if (state == CODE_READ)
        state = copied(metadata, found);
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

enum code_state code_metadata_find(struct bytes image, const char *architecture, bool keep,
                                   struct code_metadata *found) {
    *found = (struct code_metadata){0};
    if (!image.size)
        image = whole(image.at, keep);
    image = unwrapped(image, keep);
    if (begins(image, COMPRESSED))
        return of_compressed(image, architecture, found);
    struct bytes metadata = {0};
    enum code_state state = begins(image, BUNDLE) ? of_bundle(image, architecture, &metadata)
                                                  : elf_note_find(image, &metadata);
    if (state == CODE_READ && keep)
        return copied(metadata, found);
    found->metadata = metadata;
    return state;
}

void code_metadata_free(struct code_metadata *code) {
    if (code->mapping)
        munmap(code->mapping, code->mapping_bytes);
    *code = (struct code_metadata){0};
    memset(extent, 0, sizeof extent);
}
