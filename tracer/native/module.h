// The loaded modules, so that the parent can name return addresses.
#pragma once
#include "thread.h"

// Writes the modules loaded since the last look; cheap if there are none.
void module_tell_new(struct thread *thread);
