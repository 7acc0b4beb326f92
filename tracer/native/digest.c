#include "digest.h"
#include <assert.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LINE = 64, START = 2 << 10, END = 1 << 10, BLOCK = 128, BLOCKS = 8, PIECES = BLOCKS + 2 };
static_assert(START + END + BLOCK * BLOCKS == DIGEST_SAMPLES, "what is looked at of a large range");
static_assert(START % LINE == 0 && END % LINE == 0 && BLOCK % LINE == 0, "no rest but the last's");

// Eight chains, so that the multiplications overlap.
struct chains {
    uint64_t h[8];
};

static uint64_t mixed(uint64_t h, uint64_t word) {
    h ^= word;
    return (h << 29 | h >> 35) * 0x9e3779b97f4a7c15ull;
}

static uint64_t word_at(const char *at) {
    uint64_t word;
    memcpy(&word, at, 8);
    return word;
}

static struct chains started(uint64_t size) {
    return (struct chains){
        {size, size + 1, size + 2, size + 3, size + 4, size + 5, size + 6, size + 7}};
}

// All whole lines of these bytes. The chains are in registers meanwhile.
static void absorb(struct chains *chains, const char *at, size_t size) {
    uint64_t a = chains->h[0], b = chains->h[1], c = chains->h[2], d = chains->h[3];
    uint64_t e = chains->h[4], f = chains->h[5], g = chains->h[6], h = chains->h[7];
    for (; size >= LINE; at += LINE, size -= LINE) {
        a = mixed(a, word_at(at));
        b = mixed(b, word_at(at + 8));
        c = mixed(c, word_at(at + 16));
        d = mixed(d, word_at(at + 24));
        e = mixed(e, word_at(at + 32));
        f = mixed(f, word_at(at + 40));
        g = mixed(g, word_at(at + 48));
        h = mixed(h, word_at(at + 56));
    }
    *chains = (struct chains){{a, b, c, d, e, f, g, h}};
}

// With what is left behind the last whole line, by words.
static uint64_t finished(const struct chains *chains, const char *at, size_t size) {
    const uint64_t *h = chains->h;
    uint64_t all = mixed(mixed(mixed(h[0], h[1]), mixed(h[2], h[3])),
                         mixed(mixed(h[4], h[5]), mixed(h[6], h[7])));
    for (; size >= 8; at += 8, size -= 8)
        all = mixed(all, word_at(at));
    uint64_t rest = 0;
    memcpy(&rest, at, size);
    return mixed(all, rest ^ size);
}

static void samples_of(const char *data, size_t size, struct iovec piece[PIECES]) {
    char *at = (char *)data;
    size_t step = (size - START - END) / BLOCKS;
    piece[0] = (struct iovec){at, START};
    for (size_t i = 0; i < BLOCKS; i++)
        piece[1 + i] = (struct iovec){at + START + i * step, BLOCK};
    piece[PIECES - 1] = (struct iovec){at + size - END, END};
}

static uint64_t of_all(const void *data, size_t size) {
    struct chains chains = started(size);
    absorb(&chains, data, size);
    return finished(&chains, (const char *)data + size / LINE * LINE, size % LINE);
}

uint64_t digest_of_samples(const void *data, size_t size) {
    if (size <= DIGEST_SAMPLES)
        return of_all(data, size);
    struct chains chains = started(size);
    struct iovec piece[PIECES];
    samples_of(data, size, piece);
    for (unsigned i = 0; i < PIECES; i++)
        absorb(&chains, piece[i].iov_base, piece[i].iov_len);
    return finished(&chains, "", 0);
}

uint64_t digest_of_bytes(const void *data, size_t size) {
    return size <= DIGEST_WHOLE ? of_all(data, size) : digest_of_samples(data, size);
}

// The kernel copies, and says EFAULT where a plain read would kill the program.
static bool fetch(char *copy, size_t size, const struct iovec *piece, unsigned pieces) {
    struct iovec to = {copy, size};
    return process_vm_readv(getpid(), &to, 1, piece, pieces, 0) == (ssize_t)size;
}

bool digest_of_foreign(const void *data, size_t size, char *copy, size_t room, uint64_t *digest) {
    struct chains chains = started(size);
    if (size > DIGEST_WHOLE) {
        struct iovec piece[PIECES];
        samples_of(data, size, piece);
        if (!fetch(copy, DIGEST_SAMPLES, piece, PIECES))
            return false;
        absorb(&chains, copy, DIGEST_SAMPLES);
        *digest = finished(&chains, "", 0);
        return true;
    }
    size_t part = 0;
    for (size_t done = 0; done < size; done += part) {
        part = size - done < room ? size - done : room;
        if (!fetch(copy, part, &(struct iovec){(char *)data + done, part}, 1))
            return false;
        absorb(&chains, copy, part);
    }
    *digest = finished(&chains, copy + part / LINE * LINE, part % LINE);
    return true;
}

// Every so many rows are looked at: all of them if they are no more than DIGEST_WHOLE.
static size_t step_of(struct byte_rows bytes) {
    size_t all = bytes.rows * bytes.size;
    return all > DIGEST_WHOLE ? (all + DIGEST_WHOLE - 1) / DIGEST_WHOLE : 1;
}

uint64_t digest_of_rows(struct byte_rows bytes) {
    if (bytes.rows == 1)
        return digest_of_bytes(bytes.at, bytes.size);
    uint64_t digest = bytes.rows;
    for (size_t i = 0; i < bytes.rows; i += step_of(bytes))
        digest = mixed(digest, digest_of_bytes(bytes.at + i * bytes.pitch, bytes.size));
    return digest;
}

enum { BATCH = 64 }; // rows that one system call copies

static bool absorb_batch(uint64_t *digest, const struct iovec *row, unsigned rows, char *copy) {
    size_t size = row->iov_len;
    if (rows && !fetch(copy, rows * size, row, rows))
        return false;
    for (unsigned i = 0; i < rows; i++)
        *digest = mixed(*digest, digest_of_bytes(copy + i * size, size));
    return true;
}

bool digest_of_foreign_rows(struct byte_rows bytes, char *copy, size_t room, uint64_t *digest) {
    if (bytes.rows == 1)
        return digest_of_foreign(bytes.at, bytes.size, copy, room, digest);
    struct iovec row[BATCH];
    unsigned rows = 0;
    *digest = bytes.rows;
    for (size_t i = 0; i < bytes.rows; i += step_of(bytes)) {
        char *at = (char *)bytes.at + i * bytes.pitch;
        if (bytes.size > room) {
            uint64_t one;
            if (!digest_of_foreign(at, bytes.size, copy, room, &one))
                return false;
            *digest = mixed(*digest, one);
            continue;
        }
        row[rows++] = (struct iovec){at, bytes.size};
        if (rows < BATCH && (rows + 1) * bytes.size <= room)
            continue;
        if (!absorb_batch(digest, row, rows, copy))
            return false;
        rows = 0;
    }
    return absorb_batch(digest, row, rows, copy);
}

uint64_t digest_leaves_out(uint64_t size) {
    return size > DIGEST_WHOLE ? size - DIGEST_SAMPLES : 0;
}

uint64_t digest_of_samples_leaves_out(uint64_t size) {
    return size > DIGEST_SAMPLES ? size - DIGEST_SAMPLES : 0;
}

uint64_t digest_leaves_out_of_rows(struct byte_rows bytes) {
    if (bytes.rows == 1)
        return digest_leaves_out(bytes.size);
    size_t looked_at = (bytes.rows + step_of(bytes) - 1) / step_of(bytes);
    return bytes.rows * bytes.size - looked_at * (bytes.size - digest_leaves_out(bytes.size));
}
