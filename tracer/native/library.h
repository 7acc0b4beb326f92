// A library whose functions the recorder stands in for: where the real ones are, whichever way a
// program came to them. Nothing here is on the hot path.
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct library_entry {
    const char *name;
    void *wrapper;
    uint8_t table;  // of a runtime that hands out dispatch tables: which, ...
    uint16_t index; // ... and where in it
};

struct library {
    const char *files[2];    // what the name of its file begins with; the second may be null
    const char *prefixes[2]; // of its functions' names; the second may be null
    const struct library_entry *entries;
    _Atomic(void *) *real; // as many
    unsigned count;
    void *missing; // what is called where the program has no such function
    uint64_t bit;  // of control.other_libraries
    _Atomic(void *) handle;
};

// A function of the library that is not recorded, to ask it something; null: there is none.
void *library_unrecorded(struct library *library, const char *name);
// The library's own function, null where there is none.
void *library_look_up(struct library *library, unsigned function);
// As above, or of a library of another name; one that says that it is missing where there is none.
void *library_resolve(struct library *library, unsigned function);
// Whether calls of this function, as it was looked up, are recorded: if no other was before it. A
// process may have two of a library, and handles of one mean nothing to the other. What is recorded
// stays, though the program close it.
bool library_recorded(struct library *library, unsigned function, void *found);
// The function of this name; `count`: none that is recorded.
unsigned library_named(const struct library *library, const char *name);
// Whether this is an address within such a library.
bool library_owns(const struct library *library, const void *address);

// A table of entries and what is real, from the list X of its functions. Wrappers are declared as
// what they are not: only their addresses are used.
#define LIBRARY_DECLARE(name, table, index) extern char wrapper_##name[] __asm__(#name);
#define LIBRARY_ENTRY(name, table, index) {#name, wrapper_##name, table, index},
