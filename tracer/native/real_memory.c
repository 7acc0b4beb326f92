#include "real_memory.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

static void free_first(void *block);
static void *realloc_first(void *block, size_t size);
static int munmap_first(void *address, size_t size);

// Each looks all of them up when it is called before the constructor was: so do constructors of
// libraries that the program links.
struct real_memory real_memory = {free_first, realloc_first, munmap_first};
static size_t (*size_of)(void *);

// Of the allocator that has `free`; another one could not read its blocks.
static void find_size_of(void *free_now) {
    void *found = dlsym(RTLD_NEXT, "malloc_usable_size");
    Dl_info there, here;
    if (found && dladdr(found, &there) && dladdr(free_now, &here) &&
        there.dli_fbase == here.dli_fbase)
        size_of = (size_t(*)(void *))found;
}

// While it looks names up, the loader may free and unmap what it has just allocated. Volatile,
// since dlsym is declared to call nothing in here.
static __thread volatile bool finding;

__attribute__((constructor)) static void find_all(void) {
    void *found[] = {dlsym(RTLD_NEXT, "free"), dlsym(RTLD_NEXT, "realloc"),
                     dlsym(RTLD_NEXT, "munmap")};
    if (found[0])
        find_size_of(found[0]);
    if (found[1])
        real_memory.realloc = (void *(*)(void *, size_t))found[1];
    if (found[2])
        real_memory.munmap = (int (*)(void *, size_t))found[2];
    if (found[0])
        real_memory.free = (void (*)(void *))found[0];
}

static bool find_now(void) {
    if (finding)
        return false;
    finding = true;
    find_all();
    finding = false;
    return true;
}

static void free_first(void *block) {
    if (find_now() && real_memory.free != free_first)
        real_memory.free(block); // else it is never freed, which is a small loss
}

static void *realloc_first(void *block, size_t size) {
    if (find_now() && real_memory.realloc != realloc_first)
        return real_memory.realloc(block, size);
    errno = ENOMEM;
    return NULL;
}

static int munmap_first(void *address, size_t size) {
    if (find_now() && real_memory.munmap != munmap_first)
        return real_memory.munmap(address, size);
    return (int)syscall(SYS_munmap, address, size);
}

size_t block_size(void *block) {
    size_t size = size_of ? size_of(block) : 1;
    return size ? size : 1;
}
