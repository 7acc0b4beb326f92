// The slots of a buffer: its data set, read, copied, cleared, freed.
#pragma once
#include <stdbool.h>

// At its first sight, where slots are used. False: they stay as they are.
bool buffer_slots_take(void *buffer, const char *name);
// False: another buffer lives at this address by now, and the end of the one before was not seen.
bool buffer_slots_stand(void *buffer);
// Its free is recorded by its slot.
bool buffer_free_slotted(const void *buffer);
