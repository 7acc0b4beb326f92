// A runtime that can be closed, as the stand-in cannot, and that knows its own memory.
#include <stddef.h>

static char memory[64];
int hipMalloc(void **made, size_t size);
int hipFree(void *freed);

int hipMalloc(void **made, size_t size) {
    *made = memory;
    return size <= sizeof memory ? 0 : 2;
}
int hipFree(void *freed) { return freed == memory ? 0 : 1; } // not another runtime's
