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

// The architectures of the GPUs in use, each once.
enum { ARCHITECTURES = 8, ARCHITECTURE_LENGTH = 32 };
struct architectures {
    unsigned number;
    char name[ARCHITECTURES][ARCHITECTURE_LENGTH];
};
// One more, as HIP names it: "gfx942:sramecc+:xnack-", of which what follows a colon does not
// count. False: it is no such name, or there is no room.
bool architecture_add(struct architectures *all, const char *name);

// The metadata (msgpack) of one image, and the mapping that holds it; null: it lies in the
// program's own image. A bundle has that of each of its GPUs that may be the one in use: what a
// kernel does with an argument differs between them, down to nothing where its code is left out.
enum { CODE_TARGETS = 32 };
struct code_metadata {
    struct bytes target[CODE_TARGETS];
    unsigned targets;
    void *mapping;
    size_t mapping_bytes;
};

// Of a bundle: the GPUs in use, or all where one of those is not in it (it runs the code of a
// generic one) or none is known. With `keep` the metadata outlives the image.
enum code_state code_metadata_find(struct bytes image, const struct architectures *used, bool keep,
                                   struct code_metadata *found);
void code_metadata_free(struct code_metadata *metadata);
