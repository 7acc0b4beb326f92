#include "kept.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

enum { CHUNK = 1 << 20, ALIGNMENT = 16 };

static char *chunk;
static size_t chunk_left;

void *kept_take(size_t bytes) {
    if (bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (bytes > chunk_left) {
        size_t size = bytes > CHUNK ? bytes : CHUNK;
        void *fresh = mmap(NULL, size, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (fresh == MAP_FAILED)
            return NULL;
        chunk = fresh;
        chunk_left = size;
    }
    void *taken = chunk;
    chunk += bytes;
    chunk_left -= bytes;
    return taken;
}

const char *kept_string(const char *string) {
    size_t bytes = strlen(string) + 1;
    char *copy = kept_take(bytes);
    return copy ? memcpy(copy, string, bytes) : NULL;
}
