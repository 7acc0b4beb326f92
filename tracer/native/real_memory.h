// The functions that host_free.c stands in for, as the program would get them without it.
#pragma once
#include <stdatomic.h>
#include <stddef.h>

struct real_memory {
    void (*_Atomic free)(void *);
    void *(*_Atomic realloc)(void *, size_t);
    int (*_Atomic munmap)(void *, size_t);
};
extern struct real_memory real_memory;

// Bytes of the block from its start, as far as its allocator says: at least 1.
size_t block_size(void *block);
