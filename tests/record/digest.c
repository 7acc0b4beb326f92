// Exit 1: a changed byte that is looked at did not change the digest; 2: the kernel's copy of the
// same bytes has another one; 3: unmapped memory was said to be read.
#include "digest.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 40000, PAGE = 4096 };
static unsigned char bytes[MOST];

static int check(size_t size, size_t looked_at_start, size_t looked_at_end) {
    uint64_t digest = digest_of_bytes(bytes, size), other;
    if (!digest_of_foreign(bytes, size, &other) || other != digest)
        return 2;
    for (size_t i = 0; i < size; i++) {
        if (i == looked_at_start && looked_at_end < size)
            i = size - looked_at_end;
        bytes[i] ^= (unsigned char)(1 << i % 8);
        if (digest_of_bytes(bytes, size) == digest)
            return 1;
        bytes[i] ^= (unsigned char)(1 << i % 8);
    }
    return 0;
}

int main(void) {
    srand(7);
    for (size_t i = 0; i < MOST; i++)
        bytes[i] = (unsigned char)rand();
    int status = 0;
    for (size_t size = 1; size < 300 && !status; size++)
        status = check(size, size, 0);
    for (size_t size = DIGEST_WHOLE - 9; size <= DIGEST_WHOLE && !status; size++)
        status = check(size, size, 0);
    for (size_t size = DIGEST_WHOLE + 1; size <= MOST && !status; size += 3999)
        status = check(size, 2048, 1024);
    char *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(gone, PAGE);
    uint64_t unused;
    return status ? status : digest_of_foreign(gone, 64, &unused) ? 3 : 0;
}
