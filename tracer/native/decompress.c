#include "decompress.h"
#include <dlfcn.h>
#include <limits.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>

enum { FUNCTIONS = 5, WORKSPACE = 1 << 20 };

struct library {
    const char *file;
    const char *names[FUNCTIONS];
    _Atomic bool wanted, tried, ready;
    _Atomic(void *) function[FUNCTIONS];
};

enum { INFLATE_INIT, INFLATE, INFLATE_END };
enum { STATIC_CONTEXT, CONTEXT_SIZE, FRAME_SIZE, DECOMPRESS, IS_ERROR };

static struct library libraries[DECOMPRESSORS] = {
    [METHOD_ZLIB] = {.file = "libz.so.1", .names = {"inflateInit_", "inflate", "inflateEnd"}},
    [METHOD_ZSTD] = {.file = "libzstd.so.1",
                     .names = {"ZSTD_initStaticDCtx", "ZSTD_estimateDCtxSize",
                               "ZSTD_findFrameCompressedSize", "ZSTD_decompressDCtx",
                               "ZSTD_isError"}},
};

// Stays open: the functions are used for the rest of the process's life.
static bool open_library(struct library *library) {
    void *handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (!handle)
        handle = dlopen(library->file, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        return false;
    for (unsigned i = 0; i < FUNCTIONS && library->names[i]; i++) {
        void *function = dlsym(handle, library->names[i]);
        if (!function)
            return false;
        atomic_store(&library->function[i], function);
    }
    return true;
}

static _Atomic unsigned opening; // threads that are in the loader

bool decompressors_open(void) {
    bool found = false;
    for (unsigned i = 0; i < DECOMPRESSORS; i++) {
        struct library *library = &libraries[i];
        // Two threads may both look: they find the same.
        if (atomic_load(&library->wanted) && !atomic_load(&library->tried)) {
            atomic_fetch_add(&opening, 1);
            atomic_store(&library->ready, open_library(library));
            atomic_store(&library->tried, true);
            atomic_fetch_sub(&opening, 1);
        }
        found |= atomic_load(&library->ready);
    }
    return found;
}

void decompressors_forked(void) {
    if (atomic_exchange(&opening, 0))
        for (unsigned i = 0; i < DECOMPRESSORS; i++)
            atomic_store(&libraries[i].tried, true);
}

static void *workspace_map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static enum code_state unzstd(struct library *zstd, struct bytes from, void *to, size_t size) {
    void *(*static_context)(void *, size_t) = zstd->function[STATIC_CONTEXT];
    size_t (*context_size)(void) = zstd->function[CONTEXT_SIZE];
    size_t (*frame_size)(const void *, size_t) = zstd->function[FRAME_SIZE];
    size_t (*decompress)(void *, void *, size_t, const void *, size_t) = zstd->function[DECOMPRESS];
    unsigned (*is_error)(size_t) = zstd->function[IS_ERROR];

    size_t frame = frame_size(from.at, from.size);
    if (is_error(frame))
        return CODE_DAMAGED;
    size_t bytes = context_size();
    void *workspace = workspace_map(bytes);
    if (!workspace)
        return CODE_NO_MEMORY;
    void *context = static_context(workspace, bytes);
    size_t made = context ? decompress(context, to, size, from.at, frame) : 0;
    munmap(workspace, bytes);
    return !context ? CODE_NO_MEMORY : made == size ? CODE_READ : CODE_DAMAGED;
}

// z_stream, as every zlib 1.x has it.
struct stream {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *message;
    void *state;
    void *(*allocate)(void *, unsigned, unsigned);
    void (*release)(void *, void *);
    void *opaque;
    int data_type;
    unsigned long checksum, reserved;
};

struct workspace {
    char *memory;
    size_t used;
};

static void *take(void *opaque, unsigned items, unsigned size) {
    struct workspace *workspace = opaque;
    size_t bytes = ((size_t)items * size + 63) & ~(size_t)63;
    if (bytes > WORKSPACE - workspace->used)
        return NULL;
    workspace->used += bytes;
    return workspace->memory + workspace->used - bytes;
}

static void leave(void *opaque, void *memory) {
    (void)opaque;
    (void)memory;
}

static unsigned at_most(size_t bytes) { return bytes < INT_MAX ? (unsigned)bytes : INT_MAX; }

static enum code_state unzlib(struct library *zlib, struct bytes from, uint8_t *to, size_t size) {
    int (*inflate_init)(struct stream *, const char *, int) = zlib->function[INFLATE_INIT];
    int (*inflate)(struct stream *, int) = zlib->function[INFLATE];
    int (*inflate_end)(struct stream *) = zlib->function[INFLATE_END];
    enum { OK = 0, STREAM_END = 1, NO_FLUSH = 0 };

    struct workspace workspace = {.memory = workspace_map(WORKSPACE)};
    if (!workspace.memory)
        return CODE_NO_MEMORY;
    struct stream stream = {.allocate = take, .release = leave, .opaque = &workspace};
    stream.next_in = from.at;
    stream.next_out = to;
    int status = inflate_init(&stream, "1", sizeof stream);
    enum code_state state = status == OK ? CODE_DAMAGED : CODE_NO_MEMORY;
    // Its counts of bytes are narrow, so it is handed what there is piece by piece. Without
    // progress it says something else than OK.
    while (status == OK) {
        stream.avail_in = at_most((size_t)(from.at + from.size - stream.next_in));
        stream.avail_out = at_most((size_t)(to + size - stream.next_out));
        status = inflate(&stream, NO_FLUSH);
    }
    if (status == STREAM_END && stream.next_out == to + size)
        state = CODE_READ;
    inflate_end(&stream);
    munmap(workspace.memory, WORKSPACE);
    return state;
}

enum code_state decompress(enum method method, struct bytes from, void *to, size_t size) {
    struct library *library = &libraries[method];
    if (!atomic_load(&library->ready)) {
        atomic_store(&library->wanted, true);
        return CODE_NO_DECOMPRESSOR;
    }
    return method == METHOD_ZSTD ? unzstd(library, from, to, size)
                                 : unzlib(library, from, to, size);
}
