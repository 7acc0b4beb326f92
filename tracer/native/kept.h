// Memory kept for the life of the process, in small pieces: mapped, never the program's malloc.
#pragma once
#include <stddef.h>

// Zeroed. Null: no memory. One caller at a time.
void *kept_take(size_t bytes);
const char *kept_string(const char *string);
