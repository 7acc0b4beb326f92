// A fast 64-bit digest of memory. Not cryptographic: it compares two looks at the same bytes.
//
// Looked at are all bytes of a range of up to 256 KB. Of a larger one those at its start and end,
// where inputs that grow change, and blocks spread between: what a look costs is bounded, a change
// that is seen is a change, and the bytes not looked at are counted.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DIGEST_WHOLE (256u << 10)
#define DIGEST_SAMPLES (4u << 10) // of a larger range

struct byte_rows {
    const char *at;
    size_t size;        // of one row
    size_t rows, pitch; // so many of them, so far apart; what lies between is not looked at
};

uint64_t digest_of_bytes(const void *data, size_t size);
// For looks at every graph: of all that is larger than DIGEST_SAMPLES only samples.
uint64_t digest_of_samples(const void *data, size_t size);
// Of large rows, and of rows beyond so many bytes, samples.
uint64_t digest_of_rows(struct byte_rows bytes);

// The same for memory that may be unmapped by now; false: it is. The bytes go through `copy`, which
// has room for so many: a multiple of 64, and at least DIGEST_SAMPLES.
bool digest_of_foreign(const void *data, size_t size, char *copy, size_t room, uint64_t *digest);
bool digest_of_foreign_rows(struct byte_rows bytes, char *copy, size_t room, uint64_t *digest);

// Bytes that are not looked at.
uint64_t digest_leaves_out(uint64_t size);
uint64_t digest_of_samples_leaves_out(uint64_t size);
uint64_t digest_leaves_out_of_rows(struct byte_rows bytes);
