// A program with work in flight on the stand-in ggml: what it does to the host memory of that work
// is what the tests are about. The stand-in has moved the bytes when a call returns; that they
// could still be moved then is what the recorder has to assume of any backend.
#pragma once
#include <stdbool.h>
#include <stddef.h>

enum { PAGE = 4096, FAR = 8 << 20 }; // bytes of memory on the device

void start(void);
// In flight from here on, until all is waited for.
void copy_from(const void *data, size_t size);
void copy_rows_from(const void *data, size_t size, size_t rows, size_t pitch);
void copy_to(void *data, size_t size);
void wait_for_all(void);
// Memory of the program's own, filled with something; and of a host buffer of ggml.
char *pages(size_t size);
char *buffer(size_t size);
// So that the compiler does it, even if the value stays.
static inline void store(char *at, char value) { *(volatile char *)at = value; }

struct scenario {
    const char *name;
    void (*run)(size_t size, size_t at);
};
extern const struct scenario stores[], frees[], faults[]; // each ends with a null name
