// Ranges told once a thread: ops name them by number.
#pragma once
#include "thread.h"

// Number of the range; 0: it could not be told (the ring is full).
uint32_t intern_range(struct thread *thread, const struct range *range);
