#include "digest.h"
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static uint64_t mixed(uint64_t h, uint64_t word) {
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 32;
}

static uint64_t word_at(const char *at) {
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

// Four chains, so that the multiplications overlap.
static uint64_t add(uint64_t h, const char *at, size_t size) {
    uint64_t a = h, b = ~h, c = h << 1, d = h >> 1;
    for (; size >= 32; at += 32, size -= 32) {
        a = mixed(a, word_at(at));
        b = mixed(b, word_at(at + 8));
        c = mixed(c, word_at(at + 16));
        d = mixed(d, word_at(at + 24));
    }
    h = mixed(mixed(mixed(a, b), c), d);
    for (; size >= 8; at += 8, size -= 8)
        h = mixed(h, word_at(at));
    uint64_t rest = 0;
    memcpy(&rest, at, size);
    return mixed(h, rest ^ size);
}

uint64_t digest_of_bytes(const void *data, size_t size) { return add(size, data, size); }

// The kernel copies, and says EFAULT where a plain read would kill the program.
bool digest_of_foreign(const void *data, size_t size, uint64_t *digest) {
    char chunk[8192];
    uint64_t h = size;
    for (size_t at = 0; at < size; at += sizeof chunk) {
        size_t n = size - at < sizeof chunk ? size - at : sizeof chunk;
        struct iovec to = {chunk, n}, from = {(char *)data + at, n};
        if (process_vm_readv(getpid(), &to, 1, &from, 1, 0) != (ssize_t)n)
            return false;
        h = add(h, chunk, n);
    }
    *digest = h;
    return true;
}
