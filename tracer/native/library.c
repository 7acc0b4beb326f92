#include "library.h"
#include "loaded.h"
#include "process.h"
#include <string.h>

bool library_owns(const struct library *library, const void *address) {
    return loaded_owns(library->files[0], address) ||
           (library->files[1] && loaded_owns(library->files[1], address));
}

void *library_unrecorded(struct library *library, const char *name) {
    void *handle = loaded_library(library->files[0], &library->handle);
    if (!handle && library->files[1])
        handle = loaded_library(library->files[1], &library->handle);
    return handle ? quiet_dlsym(handle, name) : NULL;
}

static void *keep(struct library *library, unsigned function, void *real) {
    void *none = NULL;
    atomic_compare_exchange_strong(&library->real[function], &none, real);
    return atomic_load(&library->real[function]);
}

void *library_look_up(struct library *library, unsigned function) {
    const struct library_entry *entry = &library->entries[function];
    void *real = library_unrecorded(library, entry->name);
    return real && real != entry->wrapper ? keep(library, function, real) : NULL;
}

void *library_resolve(struct library *library, unsigned function) {
    void *real = library_look_up(library, function);
    if (real)
        return real;
    real = loaded_function(library->entries[function].name); // of another name: chipStar's
    return real ? keep(library, function, real) : library->missing;
}

// Any function of the library that is recorded.
static void *met(struct library *library) {
    for (unsigned i = 0; i < library->count; i++) {
        void *real = atomic_load(&library->real[i]);
        if (real && library_owns(library, real)) // else a profiler's, in the runtime's own table
            return real;
    }
    return NULL;
}

bool library_recorded(struct library *library, unsigned function, void *found) {
    void *real = atomic_load(&library->real[function]);
    void *first = real ? real : met(library);
    if (!first)
        loaded_pin(found);
    if (!first || (!real && loaded_together(first, found)))
        first = keep(library, function, found);
    bool recorded = loaded_together(first, found);
    if (!recorded && library_owns(library, first))
        atomic_fetch_or(&process.control->other_libraries, library->bit);
    return recorded;
}

static bool begins(const char *name, const char *prefix) {
    return prefix && strncmp(name, prefix, strlen(prefix)) == 0;
}

unsigned library_named(const struct library *library, const char *name) {
    unsigned at = 0;
    if (!begins(name, library->prefixes[0]) && !begins(name, library->prefixes[1]))
        return library->count;
    while (at < library->count && strcmp(library->entries[at].name, name) != 0)
        at++;
    return at;
}
