#include "digest.h"
#include <assert.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static uint64_t mixed(uint64_t h, uint64_t word) {
    h ^= word;
    return (h << 29 | h >> 35) * 0x9e3779b97f4a7c15ull;
}

static uint64_t word_at(const char *at) {
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

enum { LINE = 64, START = 2 << 10, END = 1 << 10, BLOCK = 128, BLOCKS = 8, PIECES = BLOCKS + 2 };
static_assert(START + END + BLOCK * BLOCKS == DIGEST_WHOLE, "what is looked at of a large range");
static_assert(START % LINE == 0 && END % LINE == 0 && BLOCK % LINE == 0, "no rest but the last's");

// Eight chains in registers, so that the multiplications overlap, through all pieces; what is left
// of the last by words.
static uint64_t digest_of(uint64_t seed, const struct iovec *piece, unsigned pieces) {
    uint64_t a = seed, b = seed + 1, c = seed + 2, d = seed + 3;
    uint64_t e = seed + 4, f = seed + 5, g = seed + 6, h = seed + 7;
    const char *at = NULL;
    size_t size = 0;
    for (unsigned i = 0; i < pieces; i++) {
        at = piece[i].iov_base;
        for (size = piece[i].iov_len; size >= LINE; at += LINE, size -= LINE) {
            a = mixed(a, word_at(at));
            b = mixed(b, word_at(at + 8));
            c = mixed(c, word_at(at + 16));
            d = mixed(d, word_at(at + 24));
            e = mixed(e, word_at(at + 32));
            f = mixed(f, word_at(at + 40));
            g = mixed(g, word_at(at + 48));
            h = mixed(h, word_at(at + 56));
        }
    }
    h = mixed(mixed(mixed(a, b), mixed(c, d)), mixed(mixed(e, f), mixed(g, h)));
    for (; size >= 8; at += 8, size -= 8)
        h = mixed(h, word_at(at));
    uint64_t rest = 0;
    memcpy(&rest, at, size);
    return mixed(h, rest ^ size);
}

static unsigned pieces_of(const void *data, size_t size, struct iovec *piece) {
    char *at = (char *)data;
    if (size <= DIGEST_WHOLE) {
        piece[0] = (struct iovec){at, size};
        return 1;
    }
    size_t step = (size - START - END) / BLOCKS;
    piece[0] = (struct iovec){at, START};
    for (size_t i = 0; i < BLOCKS; i++)
        piece[1 + i] = (struct iovec){at + START + i * step, BLOCK};
    piece[PIECES - 1] = (struct iovec){at + size - END, END};
    return PIECES;
}

uint64_t digest_of_bytes(const void *data, size_t size) {
    struct iovec piece[PIECES];
    unsigned pieces = pieces_of(data, size, piece);
    return digest_of(size, piece, pieces);
}

// The kernel copies, and says EFAULT where a plain read would kill the program.
bool digest_of_foreign(const void *data, size_t size, uint64_t *digest) {
    char copy[DIGEST_WHOLE];
    struct iovec piece[PIECES], to = {copy, size < sizeof copy ? size : sizeof copy};
    unsigned pieces = pieces_of(data, size, piece);
    if (process_vm_readv(getpid(), &to, 1, piece, pieces, 0) != (ssize_t)to.iov_len)
        return false;
    *digest = digest_of(size, &to, 1);
    return true;
}
