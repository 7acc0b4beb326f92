// Exit 1: a changed byte that is looked at did not change the digest; 2: the kernel's copy of the
// same bytes has another one; 3: unmapped memory was said to be read; 4: bytes that are counted as
// left out were looked at after all.
#include "digest.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 300000, PAGE = 4096, ROOM = 4096, START = 2048, END = 1024 };
static unsigned char bytes[MOST];
static char copy[ROOM];

static int differs(size_t size, size_t at, uint64_t digest) {
    bytes[at] ^= (unsigned char)(1 << at % 8);
    int different = digest_of_bytes(bytes, size) != digest;
    bytes[at] ^= (unsigned char)(1 << at % 8);
    return different;
}

// Every byte up to `start` and from `end` before the last on; of the rest every `step`-th.
static int check(size_t size, size_t start, size_t end, size_t step) {
    uint64_t digest = digest_of_bytes(bytes, size), other;
    if (!digest_of_foreign(bytes, size, copy, ROOM, &other) || other != digest)
        return 2;
    for (size_t at = 0; at < size; at += at < start || at + end >= size ? 1 : step)
        if (!differs(size, at, digest))
            return 1;
    return 0;
}

// Of a large range start and end count, and no more bytes than are said to be looked at.
static int check_samples(size_t size) {
    uint64_t digest = digest_of_bytes(bytes, size), other;
    if (!digest_of_foreign(bytes, size, copy, ROOM, &other) || other != digest)
        return 2;
    size_t looked_at = 0;
    for (size_t at = 0; at < size; at++) {
        int seen = differs(size, at, digest);
        if (!seen && (at < START || at >= size - END))
            return 1;
        looked_at += (size_t)seen;
    }
    return size - looked_at == digest_leaves_out(size) ? 0 : 4;
}

int main(void) {
    srand(7);
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (unsigned char)rand();
    int status = 0;
    for (size_t size = 1; size < 300 && !status; size++)
        status = check(size, size, 0, 1);
    for (size_t size = 2 * ROOM - 9; size <= 2 * ROOM + 9 && !status; size++)
        status = check(size, 70, 70, 17);
    for (size_t size = DIGEST_WHOLE - 3; size <= DIGEST_WHOLE && !status; size++)
        status = check(size, 70, 70, 997);
    if (!status)
        status = check_samples(DIGEST_WHOLE + 1);
    if (!status)
        status = check_samples(MOST - 5);
    char *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(gone, PAGE);
    uint64_t unused;
    return status ? status : digest_of_foreign(gone, 64, copy, ROOM, &unused) ? 3 : 0;
}
