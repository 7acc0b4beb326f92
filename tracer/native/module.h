// The loaded modules, so that the parent can name return addresses.
#pragma once
#include "thread.h"

// Writes the modules loaded since the last look; cheap if there are none.
void module_tell_new(struct thread *thread);

// Where an address lies: in which module, and how far from its start.
struct module_place {
    uint64_t name; // hash of its file's name, without folders; 0: code of no file
    uint64_t offset;
};
// Of several addresses at once, without a look at any symbol: for dladdr a large library takes
// long.
void module_places(const uint64_t *addresses, unsigned count, struct module_place *places);
