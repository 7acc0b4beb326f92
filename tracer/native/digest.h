// A fast 64-bit digest of memory. Not cryptographic: it compares two looks at the same bytes.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t digest_of_bytes(const void *data, size_t size);
// Likewise for memory that may be unmapped by now; false: it is. Two looks at the same size
// compare, a look by this and one by the other do not.
bool digest_of_foreign(const void *data, size_t size, uint64_t *digest);
