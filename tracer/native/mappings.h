// The program's memory as the kernel lists it; read without stdio, which would allocate.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAPPINGS_TEXT = 1024 };

struct mapping {
    uintptr_t low, high;
    bool readable, writable;
};

struct mappings {
    int fd;
    size_t start, end; // what is not read yet of the text
    char text[MAPPINGS_TEXT];
};

// By rising addresses; false at the end, and at once where there is no /proc.
void mappings_open(struct mappings *mappings);
bool mappings_next(struct mappings *mappings, struct mapping *mapping);
void mappings_close(struct mappings *mappings);

// How many bytes from here on can be read.
size_t readable_from(const void *at);
