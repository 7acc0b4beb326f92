#include "write_tracking.h"
#include "linux_tracking.h"
#include "process.h"
#include "spans.h"
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Two ranges may share pages, and what the kernel tells it tells once: it is kept for each of them.
struct written {
    unsigned runs;
    struct pages run[TRACKED_RUNS];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // held for a few system calls
enum { TURNS = 1000 }; // who holds it may be the thread that a signal handler interrupted
static struct spans tracked = NO_SPANS;
static struct written written[PENDING_SOURCES];
static int faults = -1, pagemap = -1;
static uint32_t opened; // epoch in which they were; both belong to one process

// For those who may not see faults of the kernel, what the program does is enough.
static int open_faults(void) {
    int flags = O_CLOEXEC | O_NONBLOCK;
    int fd = (int)syscall(SYS_userfaultfd, flags | TRACK_USER_MODE_ONLY);
    if (fd >= 0)
        return fd;
    int device = open("/dev/userfaultfd", O_RDWR | O_CLOEXEC);
    fd = device >= 0 ? ioctl(device, TRACK_NEW, flags) : -1;
    if (device >= 0)
        close(device);
    return fd;
}

static bool has_features(int fd) {
    struct track_api api = {.api = TRACK_API,
                            .features = TRACK_FEATURE_WP | TRACK_FEATURE_WP_SHMEM |
                                        TRACK_FEATURE_WP_UNPOPULATED | TRACK_FEATURE_WP_ASYNC};
    return ioctl(fd, TRACK_SET_API, &api) == 0;
}

static bool is_open(void) {
    if (opened == process_epoch())
        return faults >= 0;
    opened = process_epoch();
    faults = open_faults();
    pagemap = faults >= 0 ? open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC) : -1;
    if (pagemap >= 0 && has_features(faults))
        return true;
    if (faults >= 0)
        close(faults);
    if (pagemap >= 0)
        close(pagemap);
    faults = pagemap = -1;
    return false;
}

static bool enter(void) {
    for (int turns = 0; turns < TURNS; turns++) {
        if (pthread_mutex_trylock(&lock) == 0)
            return true;
        sched_yield();
    }
    return false;
}

static void note(struct written *into, uintptr_t lo, uintptr_t hi) {
    struct pages *last = into->runs ? &into->run[into->runs - 1] : NULL;
    if (into->runs == TRACKED_RUNS) {
        last->lo = lo < last->lo ? lo : last->lo;
        last->hi = hi > last->hi ? hi : last->hi;
    } else if (last && last->hi == lo) {
        last->hi = hi;
    } else {
        into->run[into->runs++] = (struct pages){lo, hi};
    }
}

static void note_for_all(uintptr_t lo, uintptr_t hi) {
    for (unsigned n = 0; n < pending_used(); n++) {
        uintptr_t from = atomic_load(&tracked.lo[n]), to = atomic_load(&tracked.hi[n]);
        if (lo < to && from < hi)
            note(&written[n], lo > from ? lo : from, hi < to ? hi : to);
    }
}

// What was written since, and is tracked again. False: the memory is no longer tracked.
static bool scan(uintptr_t lo, uintptr_t hi) {
    enum { REGIONS = 32 };
    struct track_region region[REGIONS];
    struct track_scan arg = {
        .size = sizeof arg,
        .flags = TRACK_SCAN_WP_MATCHING | TRACK_SCAN_CHECK_WPASYNC,
        .start = lo,
        .end = hi,
        .regions = (uintptr_t)region,
        .room = REGIONS,
        .all_of = TRACK_WRITTEN,
        .told = TRACK_WRITTEN,
    };
    do {
        int count = ioctl(pagemap, TRACK_SCAN, &arg);
        if (count < 0)
            return false;
        for (int i = 0; i < count; i++)
            note_for_all(region[i].start, region[i].end);
        arg.start = arg.walk_end;
    } while (arg.start < hi);
    return true;
}

static bool track(struct pages pages) {
    struct track_register wanted = {pages.lo, pages.hi - pages.lo, TRACK_MODE_WP, 0};
    struct track_protect protect = {pages.lo, pages.hi - pages.lo, TRACK_WRITEPROTECT_ON};
    return ioctl(faults, TRACK_REGISTER, &wanted) == 0 &&
           ioctl(faults, TRACK_PROTECT, &protect) == 0;
}

// Other ranges' pages stay tracked.
static void untrack(unsigned n, struct pages pages) {
    for (uintptr_t lo = pages.lo, hi; spans_leave_open(&tracked, n, &lo, &hi, pages.hi); lo = hi) {
        struct track_unregister part = {lo, hi - lo};
        (void)ioctl(faults, TRACK_UNREGISTER, &part); // its memory may be gone
    }
}

// Before pages are tracked anew, for the ranges that already hold some of them.
static void scan_shared(struct pages pages) {
    for (unsigned n = 0; n < pending_used(); n++) {
        uintptr_t lo = atomic_load(&tracked.lo[n]), hi = atomic_load(&tracked.hi[n]);
        if (pages.lo < hi && lo < pages.hi)
            (void)scan(lo > pages.lo ? lo : pages.lo, hi < pages.hi ? hi : pages.hi);
    }
}

bool tracking_begin(unsigned n, struct pages pages) {
    if (!enter())
        return false;
    bool begun = is_open();
    if (begun) {
        scan_shared(pages);
        begun = track(pages);
        if (!begun)
            untrack(n, pages);
    }
    if (begun) {
        written[n] = (struct written){0};
        span_set(&tracked, n, pages.lo, pages.hi);
    }
    pthread_mutex_unlock(&lock);
    return begun;
}

// What was written is noted. False: it cannot be told any more.
static bool note_written(unsigned n) {
    return opened == process_epoch() &&
           scan(atomic_load(&tracked.lo[n]), atomic_load(&tracked.hi[n]));
}

int tracking_take(unsigned n, struct pages runs[TRACKED_RUNS]) {
    if (!enter())
        return 0; // the next look tells it
    struct written *mine = &written[n];
    int count = note_written(n) ? (int)mine->runs : -1;
    memcpy(runs, mine->run, sizeof mine->run);
    mine->runs = 0;
    pthread_mutex_unlock(&lock);
    return count;
}

bool tracking_is_clean(unsigned n) {
    if (!enter())
        return false;
    bool clean = note_written(n) && written[n].runs == 0;
    pthread_mutex_unlock(&lock);
    return clean;
}

void tracking_end(unsigned n) {
    struct pages pages = {atomic_load(&tracked.lo[n]), atomic_load(&tracked.hi[n])};
    if (pages.hi == 0 || !enter())
        return;
    if (opened == process_epoch())
        untrack(n, pages);
    span_clear(&tracked, n);
    pthread_mutex_unlock(&lock);
}

// The kernel tracks nothing of a child's memory; what was opened belongs to the parent's.
static void after_fork_in_child(void) {
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    lock = fresh;
    for (unsigned n = 0; n < pending_used(); n++)
        span_clear(&tracked, n);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_in_child);
}
