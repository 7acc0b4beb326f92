// Memory in flight that is given back, and memory that is not in flight any more.
#include "in_flight.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void freed(size_t size, size_t at) {
    char *source = malloc(size + at);
    memset(source, 1, size + at);
    copy_from(source + at, size);
    free(source);
    wait_for_all();
}

// The allocator hands the same bytes out again: they are as good as any.
static void reused(size_t size, size_t at) {
    char *source = malloc(size);
    memset(source, 1, size);
    copy_from(source, size);
    free(source);
    wait_for_all();
    for (int i = 0; i < 3; i++) {
        char *again = malloc(size);
        if (again != source)
            exit(99);
        again[at] = 2;
        copy_from(again, size);
        wait_for_all();
        free(again);
    }
}

static void destination_freed(size_t size, size_t at) {
    char *destination = malloc(size + at);
    copy_to(destination + at, size);
    free(destination);
    wait_for_all();
}

static void freed_late(size_t size, size_t at) {
    for (int i = 0; i < 3; i++) {
        char *source = calloc(1, size + at), *other = malloc(100);
        copy_from(source + at, size);
        free(other); // not in flight
        wait_for_all();
        free(source);
        free(NULL);
    }
}

static void unmapped(size_t size, size_t at) {
    char *source = pages(size);
    copy_from(source, size);
    munmap(source + at / PAGE * PAGE, PAGE);
    wait_for_all();
}

static void moved(size_t size, size_t at) {
    char *source, *behind;
    do {
        source = malloc(size);
        behind = malloc(size);
    } while (behind < source || behind > source + 2 * size);
    memset(source, 1, size);
    copy_from(source, size / 2);
    char *now = realloc(source, size * 2 + at); // there is no room where it is
    if (now == source)
        exit(98);
    wait_for_all();
    free(now);
    free(behind);
}

static void shrunk(size_t size, size_t at) {
    char *source = malloc(size);
    memset(source, 1, size);
    copy_from(source + size / 2, size / 2);
    char *now = realloc(source, size / 2 + at);
    wait_for_all();
    free(now);
}

// Where it is, and what is in flight is still there.
static void stays(size_t size, size_t at) {
    char *source = malloc(size);
    memset(source, 1, size);
    copy_from(source, size / 2);
    char *now = realloc(source, size - 16 - at);
    if (now != source)
        exit(96);
    wait_for_all();
    free(now);
}

static void failed(size_t size, size_t at) {
    char *source = malloc(size);
    memset(source, (int)at, size);
    copy_from(source, size);
    volatile size_t far_too_much = (size_t)1 << 62;
    if (realloc(source, far_too_much) || munmap(source + 1, size) == 0)
        exit(97);
    wait_for_all();
    free(source);
}

// As many as there are entries, and more.
static void many(size_t size, size_t at) {
    enum { MANY = 400 };
    char *source[MANY];
    for (int i = 0; i < MANY; i++) {
        source[i] = calloc(1, size + at);
        copy_from(source[i] + at, size);
    }
    wait_for_all();
    for (int i = 0; i < MANY; i++)
        free(source[i]);
}

const struct scenario frees[] = {
    {"freed", freed},
    {"reused", reused},
    {"destination_freed", destination_freed},
    {"freed_late", freed_late},
    {"unmapped", unmapped},
    {"moved", moved},
    {"shrunk", shrunk},
    {"stays", stays},
    {"failed", failed},
    {"many", many},
    {0},
};
