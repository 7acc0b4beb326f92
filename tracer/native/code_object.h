// Where the metadata of an AMDGPU code object lies: in an ELF image as hipModuleLoadData gets it,
// in a clang offload bundle of such images, compressed or not, or behind the wrapper that a program
// registers with __hipRegisterFatBinary. Nothing of what is read here is trusted.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    const uint8_t *at;
    size_t size;
};

enum code_state {
    CODE_UNREAD = 0, // not looked at yet
    CODE_READ = 1,
    CODE_UNKNOWN = 2,         // not there, of no known form, or of no AMD GPU
    CODE_WITHOUT = 3,         // no metadata in it (code objects before v3), or none of this kernel
    CODE_DAMAGED = 4,         // sizes that lie, metadata that ends too early
    CODE_NO_DECOMPRESSOR = 5, // compressed, and libzstd.so.1 or libz.so.1 is not there
    CODE_NO_MEMORY = 6,       // or larger than what is decompressed at most
};

// The metadata of one image (msgpack) and the mapping that holds it. A null mapping: it lies in the
// program's own image.
struct code_metadata {
    struct bytes metadata;
    void *mapping;
    size_t mapping_bytes;
};

// `architecture`: the one wanted of a bundle ("gfx90a", what follows a colon does not count); null,
// or not in it: its first AMD GPU. With `keep` the metadata outlives the image.
enum code_state code_metadata_find(struct bytes image, const char *architecture, bool keep,
                                   struct code_metadata *found);
void code_metadata_free(struct code_metadata *metadata);
