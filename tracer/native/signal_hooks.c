// The program's choices about SIGSEGV, where writes are met by it (watch protect). Everything else
// passes through.
#include "fault_signal.h"
#include "libc_calls.h"
#include "watch.h"
#include <errno.h>

#define EXPORT __attribute__((visibility("default")))

// Who blocks the signal would be killed by a write to a protected page.
static const sigset_t *without_faults(const sigset_t *set, sigset_t *copy) {
    if (watch != WATCH_PROTECT || !set || !sigismember(set, SIGSEGV))
        return set;
    *copy = *set;
    sigdelset(copy, SIGSEGV);
    return copy;
}

EXPORT int sigaction(int number, const struct sigaction *wanted, struct sigaction *before) {
    struct sigaction copy;
    if (number == SIGSEGV && fault_signal_taken())
        return fault_signal_choose(wanted, before);
    if (watch == WATCH_PROTECT && wanted) {
        copy = *wanted;
        sigdelset(&copy.sa_mask, SIGSEGV);
        wanted = &copy;
    }
    return LIBC(sigaction)(number, wanted, before);
}

static signal_handler choose_handler(signal_handler handler, int flags) {
    struct sigaction wanted = {.sa_handler = handler, .sa_flags = flags}, before;
    return fault_signal_choose(&wanted, &before) ? SIG_ERR : before.sa_handler;
}

#define SIGNAL_HOOK(name, flags)                                                                   \
    EXPORT signal_handler name(int number, signal_handler handler) {                               \
        if (number == SIGSEGV && fault_signal_taken())                                             \
            return choose_handler(handler, flags);                                                 \
        return LIBC(name)(number, handler);                                                        \
    }
SIGNAL_HOOK(signal, SA_RESTART)
SIGNAL_HOOK(bsd_signal, SA_RESTART)
SIGNAL_HOOK(ssignal, SA_RESTART)
SIGNAL_HOOK(sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))
SIGNAL_HOOK(__sysv_signal, (int)(SA_RESETHAND | SA_NODEFER))

#define MASK_HOOK(name)                                                                            \
    EXPORT int name(int how, const sigset_t *set, sigset_t *before) {                              \
        sigset_t copy;                                                                             \
        if (how != SIG_UNBLOCK)                                                                    \
            set = without_faults(set, &copy);                                                      \
        return LIBC(name)(how, set, before);                                                       \
    }
MASK_HOOK(sigprocmask)
MASK_HOOK(pthread_sigmask)
