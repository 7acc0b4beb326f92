// A fast 64-bit digest of memory. Not cryptographic: it compares two looks at the same bytes.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t digest_of_bytes(const void *data, size_t size);
// The same for memory that may be unmapped by now; false: it is.
bool digest_of_foreign(const void *data, size_t size, uint64_t *digest);
