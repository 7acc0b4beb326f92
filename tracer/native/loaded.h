// Libraries that the program has loaded, by what their file's name begins with. Never on the hot
// path: the loader is asked.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Its handle, which stays; null: none is loaded. `known` keeps it for the next time.
void *loaded_library(const char *begins, _Atomic(void *) *known);
bool loaded_owns(const char *begins, const void *address);
bool loaded_together(const void *one, const void *other); // addresses within one library
void loaded_pin(const void *address); // the library of this address stays, though it be closed
// A function of this name that some library has, other than this one; null: there is none.
void *loaded_function(const char *name);

// The loader's own dlsym.
typedef void *(*loaded_finder)(void *library, const char *name);
loaded_finder loaders_dlsym(void);
static inline void *plain_dlsym(void *library, const char *name) {
    return loaders_dlsym()(library, name);
}
// The same of a name that may not be there: the program, if it asks dlerror then, hears nothing of
// it.
void *quiet_dlsym(void *library, const char *name);
