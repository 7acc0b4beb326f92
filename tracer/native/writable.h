// Whether memory can be written, asked of the kernel: an interface may lie in constant memory.
#pragma once
#include <stdbool.h>
#include <stddef.h>

// Reads /proc/self/maps: not for the hot path.
bool is_writable(const void *start, size_t bytes);
