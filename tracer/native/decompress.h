// zstd and zlib by the system's libraries, opened when the first compressed code object is read.
// Their memory is mapped, never the program's malloc.
#pragma once
#include "code_object.h"

enum method { METHOD_ZLIB = 0, METHOD_ZSTD = 1 }; // as llvm::compression::Format numbers them
enum { DECOMPRESSORS = 2 };

// Looks for what `decompress` missed, once. True: there is one. It takes the loader's lock, so the
// caller holds none.
bool decompressors_open(void);
// In the child of a fork. The loader's lock is held for ever where a thread of the parent was in
// it: then none is looked for any more.
void decompressors_forked(void);

// The first stream in `from`, which must give exactly `size` bytes.
enum code_state decompress(enum method method, struct bytes from, void *to, size_t size);
