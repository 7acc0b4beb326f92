// Functions of libc that the recorder stands in for and then calls, as the program would get them
// without it. (free and its kind: real_memory.h.)
#pragma once
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#undef fread_unlocked // a macro, where the compiler optimises

typedef void (*signal_handler)(int);
signal_handler sysv_signal(int number, signal_handler handler);
signal_handler __sysv_signal(int number, signal_handler handler);
signal_handler bsd_signal(int number, signal_handler handler);
ssize_t __read_chk(int fd, void *buffer, size_t size, size_t room);
ssize_t __pread_chk(int fd, void *buffer, size_t size, off_t at, size_t room);
ssize_t __pread64_chk(int fd, void *buffer, size_t size, off64_t at, size_t room);
ssize_t __recv_chk(int fd, void *buffer, size_t size, size_t room, int flags);
size_t __fread_chk(void *buffer, size_t room, size_t size, size_t count, FILE *file);

#define LIBC_CALLS(X)                                                                              \
    X(sigaction)                                                                                   \
    X(signal)                                                                                      \
    X(bsd_signal)                                                                                  \
    X(ssignal)                                                                                     \
    X(sysv_signal)                                                                                 \
    X(__sysv_signal)                                                                               \
    X(sigprocmask)                                                                                 \
    X(pthread_sigmask)                                                                             \
    X(read)                                                                                        \
    X(pread)                                                                                       \
    X(pread64)                                                                                     \
    X(readv)                                                                                       \
    X(recv)                                                                                        \
    X(recvfrom)                                                                                    \
    X(recvmsg)                                                                                     \
    X(fread)                                                                                       \
    X(fread_unlocked)                                                                              \
    X(__read_chk)                                                                                  \
    X(__pread_chk)                                                                                 \
    X(__pread64_chk)                                                                               \
    X(__recv_chk)                                                                                  \
    X(__fread_chk)

enum libc_call {
#define NUMBER(name) LIBC_##name,
    LIBC_CALLS(NUMBER)
#undef NUMBER
        LIBC_CALL_COUNT
};

// Found by the constructor; in calls before that, when they are made.
extern _Atomic(void *) libc_found[LIBC_CALL_COUNT];
void *libc_find(enum libc_call call);

static inline void *libc_call(enum libc_call call) {
    void *found = atomic_load_explicit(&libc_found[call], memory_order_relaxed);
    return found ? found : libc_find(call);
}
#define LIBC(name) ((__typeof__(&name))libc_call(LIBC_##name))
