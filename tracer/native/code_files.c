#include "code_files.h"
#include "digest.h"
#include "process.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { ALL_COPIED = 128 << 20 };

// Whether so many bytes more keep within the program's own limit: over it, it would be killed.
static bool may_grow(int fd, uint64_t bytes) {
    struct rlimit limit;
    off_t end = lseek(fd, 0, SEEK_END);
    return getrlimit(RLIMIT_FSIZE, &limit) == 0 && end >= 0 &&
           (limit.rlim_cur == RLIM_INFINITY || (uint64_t)end + bytes <= limit.rlim_cur);
}

static bool write_whole(int fd, const char *from, uint64_t size) {
    if (!may_grow(fd, size))
        return false;
    while (size) {
        ssize_t n = write(fd, from, size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        from += n;
        size -= (uint64_t)n;
    }
    return true;
}

// Lines that were told, by their hash: who loads the same over and over tells it once, or, where
// two lines fall on one place, now and then.
static bool is_news(const char *line, size_t length) {
    enum { LINES = 4096 };
    static _Atomic uint64_t told[LINES];
    uint64_t hash = digest_of_bytes(line, length) ^ process_epoch() * 0x9e3779b97f4a7c15ull;
    return atomic_exchange(&told[hash % LINES], hash) != hash;
}

void code_file_line(const char *line, size_t length) {
    char path[FOLDER_LENGTH + 8];
    if (!is_news(line, length))
        return;
    snprintf(path, sizeof path, "%s/code", process.folder);
    int fd = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    // One write: whole beside other threads'. What is cut off, on a full disk, is read as no line.
    (void)write_whole(fd, line, length);
    close(fd);
}

// What is to be copied, and is not more than one image or all of them may have. Given back by what
// fails.
static _Atomic uint64_t in_all;
static bool take_room(uint64_t size) {
    static _Atomic uint32_t epoch; // of a child, or of a recording begun later, nothing is yet
    uint32_t now = process_epoch();
    if (atomic_exchange(&epoch, now) != now)
        atomic_store(&in_all, 0);
    if (size > CODE_COPIED_MOST)
        return false;
    if (atomic_fetch_add(&in_all, size) + size <= ALL_COPIED)
        return true;
    atomic_fetch_sub(&in_all, size);
    return false;
}

// A head may lie. Memory that is there is read, whatever it holds.
static bool is_there(const void *bytes, uint64_t size) {
    static unsigned char resident[CODE_COPIED_MOST / RECORD_PAGE + 2]; // of no interest
    uintptr_t from = (uintptr_t)bytes / RECORD_PAGE * RECORD_PAGE;
    return mincore((void *)from, (uintptr_t)bytes + size - from, resident) == 0;
}

// False: it cannot be. Where another thread is still at it, that may fail: then this is read as a
// copy that is missing.
static bool copy_to(const char *path, const void *bytes, uint64_t size, bool *before) {
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    *before = fd < 0 && errno == EEXIST;
    bool whole = fd >= 0 && write_whole(fd, bytes, size);
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && !whole)
        unlink(path);
    return whole || *before;
}

uint64_t code_file_copy(const void *bytes, uint64_t size) {
    char path[FOLDER_LENGTH + 32];
    if (!take_room(size))
        return 0;
    uint64_t hash = is_there(bytes, size) ? digest_of_bytes(bytes, size) : 0;
    bool before = false;
    snprintf(path, sizeof path, "%s/code-%016llx", process.folder, (unsigned long long)hash);
    bool copied = hash && copy_to(path, bytes, size, &before);
    if (!copied || before)
        atomic_fetch_sub(&in_all, size);
    return copied ? hash : 0;
}
