#include "fault_signal.h"
#include "libc_calls.h"
#include "stores.h"
#include <errno.h>
#include <string.h>
#include <ucontext.h>

// The program's choices; the last one counts. An old one is not written over while a thread may
// still read it.
enum { CHOICES = 16 };
static struct sigaction choices[CHOICES];
static _Atomic unsigned chosen;
static _Atomic bool taken;
static _Atomic unsigned lifts;

// Where this thread's last fault was that found nothing, and how many lifts there had been.
static __thread uintptr_t missed_at;
static __thread unsigned missed_lifts;
// The frame from which the program's handler was called; null: it was not, or has returned.
static __thread char *calling;

static struct sigaction theirs(void) { return choices[atomic_load(&chosen) % CHOICES]; }

static void choose(const struct sigaction *wanted) {
    unsigned next = atomic_load(&chosen) + 1;
    choices[next % CHOICES] = *wanted;
    atomic_store(&chosen, next);
}

bool fault_signal_taken(void) { return atomic_load_explicit(&taken, memory_order_relaxed); }
void fault_signal_lifted(void) { atomic_fetch_add(&lifts, 1); }

static void *handler_of(const struct sigaction *action) {
    return action->sa_flags & SA_SIGINFO ? (void *)action->sa_sigaction
                                         : (void *)action->sa_handler;
}

// As the kernel would: the instruction is tried again, and the program dies of it.
static void do_default(const siginfo_t *info) {
    struct sigaction plain = {.sa_handler = SIG_DFL};
    LIBC(sigaction)(SIGSEGV, &plain, NULL);
    if (info->si_code <= 0)
        raise(SIGSEGV);
}

static void call(const struct sigaction *action, int number, siginfo_t *info, void *context) {
    sigset_t mask = action->sa_mask, before;
    sigdelset(&mask, SIGSEGV); // it may write to protected pages
    LIBC(pthread_sigmask)(SIG_BLOCK, &mask, &before);
    if (action->sa_flags & SA_SIGINFO)
        action->sa_sigaction(number, info, context);
    else
        action->sa_handler(number);
    LIBC(pthread_sigmask)(SIG_SETMASK, &before, NULL);
}

// A handler that is still running lies further out on the stack; one that was left by longjmp does
// not. While it runs, the signal is blocked, as far as the program can tell.
static void hand_on(int number, siginfo_t *info, void *context) {
    struct sigaction action = theirs();
    char *here = __builtin_frame_address(0), *outer = calling && here < calling ? calling : NULL;
    void *handler = handler_of(&action);
    bool blocked = outer && !(action.sa_flags & (int)SA_NODEFER);
    if (handler == (void *)SIG_IGN && info->si_code <= 0)
        return;
    if (blocked || handler == (void *)SIG_DFL || handler == (void *)SIG_IGN) {
        do_default(info);
        return;
    }
    if (action.sa_flags & (int)SA_RESETHAND)
        choose(&(struct sigaction){.sa_handler = SIG_DFL});
    calling = here;
    call(&action, number, info, context);
    calling = outer;
}

static bool just_lifted(uintptr_t address) {
    unsigned now = atomic_load(&lifts);
    bool again = missed_at != address || missed_lifts != now;
    missed_at = address;
    missed_lifts = now;
    return again;
}

static struct store store_at(const siginfo_t *info, const void *context) {
    const ucontext_t *at = context;
#if defined(__x86_64__)
    uintptr_t instruction = (uintptr_t)at->uc_mcontext.gregs[REG_RIP];
    uintptr_t stack = (uintptr_t)at->uc_mcontext.gregs[REG_RSP];
#elif defined(__aarch64__)
    uintptr_t instruction = at->uc_mcontext.pc, stack = at->uc_mcontext.sp;
#endif
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), low = (uintptr_t)at->uc_stack.ss_sp;
    return (struct store){
        .address = (uintptr_t)info->si_addr,
        .instruction = (void *)instruction,
        .stack = (void *)stack,
        // On a signal stack of the program: what there is below this frame.
        .room = here - low < at->uc_stack.ss_size ? here - low : SIZE_MAX,
    };
}

static void on_fault(int number, siginfo_t *info, void *context) {
    int error = errno;
    bool ours = info->si_code > 0 &&
                (store_met(store_at(info, context)) || just_lifted((uintptr_t)info->si_addr));
    errno = error;
    if (!ours)
        hand_on(number, info, context);
}

// On the program's signal stack only where the program's handler wants to be: there is little room.
static bool install(void) {
    struct sigaction ours = {.sa_sigaction = on_fault}, before, their = theirs();
    ours.sa_flags = SA_SIGINFO | (int)SA_NODEFER | (their.sa_flags & SA_ONSTACK);
    if (LIBC(sigaction)(SIGSEGV, &ours, &before) != 0)
        return false;
    atomic_store(&taken, true);
    return true;
}

// Another may have come by a system call of its own.
bool fault_signal_ready(void) {
    struct sigaction now;
    sigset_t mask;
    if (LIBC(pthread_sigmask)(SIG_BLOCK, NULL, &mask) != 0 || sigismember(&mask, SIGSEGV) ||
        LIBC(sigaction)(SIGSEGV, NULL, &now) != 0)
        return false;
    if (now.sa_flags & SA_SIGINFO && now.sa_sigaction == on_fault)
        return true;
    choose(&now);
    return install();
}

int fault_signal_choose(const struct sigaction *wanted, struct sigaction *before) {
    struct sigaction now = theirs();
    if (wanted)
        choose(wanted);
    if (before)
        *before = now;
    return wanted && !install() ? -1 : 0;
}
