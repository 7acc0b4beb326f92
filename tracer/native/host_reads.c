// Functions by which a program has the system write its memory: into protected pages they would
// fail (watch protect), so these are made writable first, and what was written is told. Without
// protected pages they pass through.
//
// Not among them are ioctl, io_uring, and what libc calls within itself: see docs/commands.md.
#include "libc_calls.h"
#include "op.h"
#include "protection.h"
#include "stores.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0), OP_FRAME()

static inline bool allow(uintptr_t buffer, size_t size) {
    return spans_end_behind(&protected_pages, buffer) && store_allow(buffer, size);
}

static ssize_t made(uintptr_t buffer, ssize_t size, void *caller, void *frame) {
    if (size > 0)
        store_made(buffer, (size_t)size, caller, frame);
    return size;
}

#define READ_HOOK(name, arguments, passed)                                                         \
    EXPORT ssize_t name arguments {                                                                \
        if (!allow((uintptr_t)buffer, size))                                                       \
            return LIBC(name) passed;                                                              \
        return made((uintptr_t)buffer, LIBC(name) passed, CALLER);                                 \
    }
READ_HOOK(read, (int fd, void *buffer, size_t size), (fd, buffer, size))
READ_HOOK(pread, (int fd, void *buffer, size_t size, off_t at), (fd, buffer, size, at))
READ_HOOK(pread64, (int fd, void *buffer, size_t size, off64_t at), (fd, buffer, size, at))
READ_HOOK(recv, (int fd, void *buffer, size_t size, int flags), (fd, buffer, size, flags))
READ_HOOK(recvfrom,
          (int fd, void *buffer, size_t size, int flags, struct sockaddr *from, socklen_t *length),
          (fd, buffer, size, flags, from, length))
READ_HOOK(__read_chk, (int fd, void *buffer, size_t size, size_t room), (fd, buffer, size, room))
READ_HOOK(__pread_chk, (int fd, void *buffer, size_t size, off_t at, size_t room),
          (fd, buffer, size, at, room))
READ_HOOK(__pread64_chk, (int fd, void *buffer, size_t size, off64_t at, size_t room),
          (fd, buffer, size, at, room))
READ_HOOK(__recv_chk, (int fd, void *buffer, size_t size, size_t room, int flags),
          (fd, buffer, size, room, flags))

#define FREAD_HOOK(name, arguments, passed)                                                        \
    EXPORT size_t name arguments {                                                                 \
        if (!allow((uintptr_t)buffer, size * count))                                               \
            return LIBC(name) passed;                                                              \
        size_t whole = LIBC(name) passed;                                                          \
        made((uintptr_t)buffer, (ssize_t)(whole * size), CALLER);                                  \
        return whole;                                                                              \
    }
FREAD_HOOK(fread, (void *buffer, size_t size, size_t count, FILE *file),
           (buffer, size, count, file))
FREAD_HOOK(fread_unlocked, (void *buffer, size_t size, size_t count, FILE *file),
           (buffer, size, count, file))
FREAD_HOOK(__fread_chk, (void *buffer, size_t room, size_t size, size_t count, FILE *file),
           (buffer, room, size, count, file))

static bool allow_all(const struct iovec *piece, size_t pieces) {
    bool any = false;
    for (size_t i = 0; i < pieces; i++)
        any |= allow((uintptr_t)piece[i].iov_base, piece[i].iov_len);
    return any;
}

static ssize_t all_made(const struct iovec *piece, ssize_t size, void *caller, void *frame) {
    for (ssize_t left = size; left > 0; piece++) {
        ssize_t part = left < (ssize_t)piece->iov_len ? left : (ssize_t)piece->iov_len;
        made((uintptr_t)piece->iov_base, part, caller, frame);
        left -= part;
    }
    return size;
}

EXPORT ssize_t readv(int fd, const struct iovec *piece, int pieces) {
    if (pieces <= 0 || !allow_all(piece, (size_t)pieces))
        return LIBC(readv)(fd, piece, pieces);
    return all_made(piece, LIBC(readv)(fd, piece, pieces), CALLER);
}

EXPORT ssize_t recvmsg(int fd, struct msghdr *message, int flags) {
    if (!message || !allow_all(message->msg_iov, message->msg_iovlen))
        return LIBC(recvmsg)(fd, message, flags);
    return all_made(message->msg_iov, LIBC(recvmsg)(fd, message, flags), CALLER);
}
