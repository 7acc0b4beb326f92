// Exit 1: a changed byte that is looked at did not change the digest; 2: the kernel's copy of the
// same bytes has another one; 3: unmapped memory was said to be read; 4: other bytes were looked at
// than are not counted as left out; 5: bytes between rows were looked at.
#include "digest.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { MOST = 600000, PAGE = 4096, ROOM = 4096, START = 2048, END = 1024 };
static char data[MOST], copy[ROOM];

static int differs(struct byte_rows bytes, size_t at, uint64_t digest) {
    char *byte = data + (bytes.at - data) + at, before = *byte;
    *byte ^= (char)(1 << at % 8);
    int different = digest_of_rows(bytes) != digest;
    *byte = before;
    return different;
}

static struct byte_rows whole(size_t size) { return (struct byte_rows){data, size, 1, 0}; }

static int same_by_both_ways(struct byte_rows bytes, uint64_t digest) {
    uint64_t other;
    return digest_of_foreign_rows(bytes, copy, ROOM, &other) && other == digest;
}

// Every byte up to `start` and from `end` before the last on; of the rest every `step`-th.
static int check(size_t size, size_t start, size_t end, size_t step) {
    uint64_t digest = digest_of_bytes(data, size);
    if (!same_by_both_ways(whole(size), digest))
        return 2;
    for (size_t at = 0; at < size; at += at < start || at + end >= size ? 1 : step)
        if (!differs(whole(size), at, digest))
            return 1;
    return 0;
}

// Of a large range start and end count, and no more bytes than are said to be looked at.
static int check_samples(size_t size) {
    uint64_t digest = digest_of_bytes(data, size);
    if (!same_by_both_ways(whole(size), digest))
        return 2;
    size_t looked_at = 0;
    for (size_t at = 0; at < size; at++) {
        int seen = differs(whole(size), at, digest);
        if (!seen && (at < START || at >= size - END))
            return 1;
        looked_at += (size_t)seen;
    }
    return size - looked_at == digest_leaves_out(size) ? 0 : 4;
}

// As looks at graphs' inputs are.
static int check_input(size_t size) {
    uint64_t digest = digest_of_samples(data, size);
    size_t looked_at = 0;
    for (size_t at = 0; at < size; at++) {
        data[at] ^= 1;
        looked_at += digest_of_samples(data, size) != digest;
        data[at] ^= 1;
    }
    return size - looked_at == digest_of_samples_leaves_out(size) ? 0 : 4;
}

static int check_rows(struct byte_rows bytes, size_t step) {
    uint64_t digest = digest_of_rows(bytes);
    if (!same_by_both_ways(bytes, digest))
        return 2;
    size_t seen = 0, asked = 0;
    for (size_t at = 0; at < (bytes.rows - 1) * bytes.pitch + bytes.size; at += step) {
        int different = differs(bytes, at, digest);
        if (different && at % bytes.pitch >= bytes.size)
            return 5;
        seen += (size_t)different;
        asked += at % bytes.pitch < bytes.size;
    }
    if (digest_leaves_out_of_rows(bytes) == 0)
        return seen == asked ? 0 : 1;
    size_t all = bytes.rows * bytes.size;
    return step > 1 || all - seen == digest_leaves_out_of_rows(bytes) ? 0 : 4;
}

int main(void) {
    srand(7);
    for (size_t i = 0; i < MOST; i++)
        data[i] = (char)rand();
    int status = 0;
    for (size_t size = 1; size < 300 && !status; size++)
        status = check(size, size, 0, 1);
    for (size_t size = 2 * ROOM - 9; size <= 2 * ROOM + 9 && !status; size++)
        status = check(size, 70, 70, 17);
    for (size_t size = DIGEST_WHOLE - 3; size <= DIGEST_WHOLE && !status; size++)
        status = check(size, 70, 70, 2999);
    if (!status)
        status = check_samples(DIGEST_WHOLE + 1);
    if (!status)
        status = check_samples(MOST - 5);
    for (size_t size = DIGEST_SAMPLES - 1; size <= 3 * DIGEST_SAMPLES && !status; size += 1365)
        status = check_input(size);
    struct byte_rows rows[] = {
        {data, 1, 300, 3},      {data, 100, 70, 130},      {data, ROOM / 2, 5, ROOM},
        {data, ROOM, 3, ROOM},  {data, ROOM + 1, 3, 9000}, {data + 1, 63, 129, 64},
        {data, 100, 5900, 101}, // every third row
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++)
        status = check_rows(rows[i], rows[i].rows > 1000 ? 211 : 1);
    char *gone = mmap(NULL, PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(gone, PAGE);
    uint64_t unused;
    return status ? status : digest_of_foreign(gone, 64, copy, ROOM, &unused) ? 3 : 0;
}
