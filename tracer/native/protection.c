#include "protection.h"
#include "fault_signal.h"
#include "pages.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

struct spans protected_pages = NO_SPANS;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
enum { WRITABLE = PROT_READ | PROT_WRITE };
enum { TURNS = 1000 }; // who holds it may be the thread that a signal handler interrupted
static _Atomic bool lifted[PENDING_SOURCES];

static bool enter(void) {
    for (int turns = 0; turns < TURNS; turns++) {
        if (pthread_mutex_trylock(&lock) == 0)
            return true;
        sched_yield();
    }
    return false;
}

static bool set(struct pages pages, int protection) {
    return mprotect((void *)pages.lo, pages.hi - pages.lo, protection) == 0;
}

static struct pages pages_of(unsigned n) {
    return (struct pages){atomic_load(&protected_pages.lo[n]), atomic_load(&protected_pages.hi[n])};
}

// What other ranges have protected was plain before that.
static bool may_protect(unsigned n, struct pages pages) {
    struct pages part = {pages.lo, 0};
    for (; spans_leave_open(&protected_pages, n, &part.lo, &part.hi, pages.hi); part.lo = part.hi)
        if (!pages_are_plain(part))
            return false;
    return true;
}

// Where a signal's frame goes must stay writable, or the kernel kills the program: no stack.
bool protection_begin(unsigned n, struct pages pages) {
    if (!fault_signal_ready() || !enter())
        return false;
    bool begun = may_protect(n, pages);
    if (begun) {
        atomic_store(&lifted[n], false);
        span_set(&protected_pages, n, pages.lo, pages.hi);
        begun = set(pages, PROT_READ);
        if (!begun)
            span_clear(&protected_pages, n);
    }
    pthread_mutex_unlock(&lock);
    return begun;
}

void protection_renew(unsigned n) {
    struct pages pages = pages_of(n);
    if (pages.hi && atomic_exchange(&lifted[n], false))
        (void)set(pages, PROT_READ);
}

// Other ranges' pages stay protected.
void protection_end(unsigned n) {
    struct pages pages = pages_of(n), part = {pages.lo, 0};
    if (pages.hi == 0 || !enter())
        return;
    while (spans_leave_open(&protected_pages, n, &part.lo, &part.hi, pages.hi)) {
        (void)set(part, WRITABLE); // it may be gone
        part.lo = part.hi;
    }
    fault_signal_lifted(); // before the range is unknown to a thread that has just met it
    span_clear(&protected_pages, n);
    pthread_mutex_unlock(&lock);
}

bool protection_lift(uintptr_t lo, uintptr_t hi) {
    bool any = false;
    int error = errno;
    for (unsigned n = 0; n < pending_used(); n++) {
        struct pages pages = pages_of(n);
        if (lo >= pages.hi || hi <= pages.lo)
            continue;
        struct pages part = pages_around(lo, hi);
        part.lo = part.lo > pages.lo ? part.lo : pages.lo;
        part.hi = part.hi < pages.hi ? part.hi : pages.hi;
        atomic_store(&lifted[n], true);
        any |= set(part, WRITABLE) || set(pages, WRITABLE); // which takes no mapping more
    }
    errno = error;
    return any;
}

// The child has the pages as they were, and none of what they stand for.
static void after_fork_in_child(void) {
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    lock = fresh;
    for (unsigned n = 0; n < pending_used(); n++) {
        struct pages pages = pages_of(n);
        if (pages.hi)
            (void)set(pages, WRITABLE);
        span_clear(&protected_pages, n);
    }
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_in_child);
}
