#include "process.h"
#include "kinds.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static _Alignas(RECORD_PAGE) char private_page[RECORD_PAGE];
static _Atomic uint32_t next_id[ID_TABLES];
static char root[FOLDER_LENGTH / 2];
static struct control *forked_from; // the last recorded process that this one descends from
static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

struct process process = {.epoch = 1, .control = (struct control *)private_page};

int64_t thread_cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

uint32_t take_id(enum id_table table) { return atomic_fetch_add(&next_id[table], 1) + 1; }

// An exec keeps the process id, so a folder of that name may be there: then PID.1, PID.2, ...
static bool make_folder(void) {
    for (int n = 0; n < 1000; n++) {
        int length = n ? snprintf(process.folder, FOLDER_LENGTH, "%s/%d.%d", root, (int)getpid(), n)
                       : snprintf(process.folder, FOLDER_LENGTH, "%s/%d", root, (int)getpid());
        if (length >= FOLDER_LENGTH)
            return false;
        if (mkdir(process.folder, 0700) == 0)
            return true;
        if (errno != EEXIST)
            return false;
    }
    return false;
}

// Reserved for real: a write to a hole of a full tmpfs would kill the program with SIGBUS. A file
// over the program's own size limit would kill it with SIGXFSZ.
void *process_map(int fd, size_t bytes) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < bytes)
        return NULL;
    int failed = EINTR; // some kernels give up at any signal: a profiler's timer
    for (int tries = 0; failed == EINTR && tries < 64; tries++)
        failed = posix_fallocate(fd, 0, (off_t)bytes);
    if (failed)
        return NULL;
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

static struct control *make_control(void) {
    char path[FOLDER_LENGTH + 16];
    snprintf(path, sizeof path, "%s/control", process.folder);
    int fd = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return NULL;
    void *page = process_map(fd, RECORD_PAGE);
    close(fd);
    return page;
}

static bool start_locked(uint32_t epoch) {
    struct control *shared = make_folder() ? make_control() : NULL;
    if (!shared) {
        atomic_store(&process.failed, epoch);
        if (forked_from)
            atomic_fetch_add(&forked_from->unrecorded_forks, 1);
        return false;
    }
    ssize_t n = readlink("/proc/self/exe", shared->program, sizeof shared->program - 1);
    shared->program[n > 0 ? n : 0] = 0;
    shared->pid = getpid();
    shared->parent = getppid();
    shared->started_ns = now_ns();
    atomic_store(&shared->ticket, 1);
    atomic_store(&shared->reentrant, atomic_load(&process.control->reentrant));
    atomic_store(&shared->other_libraries, atomic_load(&process.control->other_libraries));
    process.control = shared;
    atomic_store(&shared->magic, CONTROL_MAGIC);
    atomic_store(&process.ready, epoch);
    return true;
}

bool process_start(void) {
    if (!process_wanted())
        return false;
    uint32_t epoch = process_epoch();
    if (atomic_load(&process.ready) == epoch)
        return true;
    if (atomic_load(&process.failed) == epoch)
        return false;
    pthread_mutex_lock(&starting);
    bool ready = atomic_load(&process.ready) == epoch ||
                 (atomic_load(&process.failed) != epoch && start_locked(epoch));
    pthread_mutex_unlock(&starting);
    return ready;
}

// A new life of this image: threads register anew, with rings of their own.
static void begin_epoch(void) {
    memset(private_page, 0, sizeof private_page);
    atomic_store(&((struct control *)private_page)->ticket, 1);
    process.control = (struct control *)private_page;
    atomic_fetch_add(&process.epoch, 1);
}

// The child shares the parent's mappings: it must leave them alone and start a folder of its own.
static void after_fork_in_child(void) {
    if (process.control != (struct control *)private_page)
        forked_from = process.control;
    begin_epoch();
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    starting = fresh;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, after_fork_in_child); }

void process_tell_version(const char *name, const char *version) {
    char *versions = process.control->versions, pair[128];
    int length = snprintf(pair, sizeof pair, "%s=%s;", name, version);
    pthread_mutex_lock(&starting);
    size_t used = strnlen(versions, sizeof process.control->versions);
    if (length > 0 && (size_t)length < sizeof pair && !strstr(versions, pair) &&
        used + (size_t)length < sizeof process.control->versions)
        memcpy(versions + used, pair, (size_t)length + 1);
    pthread_mutex_unlock(&starting);
}

static bool want(const char *folder, long ring_kb, bool stacks) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!folder || !*folder || strlen(folder) >= sizeof root)
        return false;
    strcpy(root, folder);
    process.stacks = stacks;
    process.ring_bytes = ring_kb >= 16 && ring_kb <= 1 << 20 ? (uint64_t)ring_kb << 10 : 4 << 20;
    process.ring_bytes = (process.ring_bytes + RECORD_PAGE - 1) / RECORD_PAGE * RECORD_PAGE;
    pthread_once(&once, watch_forks);
    atomic_store(&process.wanted, true);
    return true;
}

bool process_record(const char *folder, long ring_kb, bool stacks) {
    if (atomic_load(&process.wanted))
        return false;
    begin_epoch();
    process.by_itself = want(folder, ring_kb, stacks);
    return process.by_itself;
}

void process_stop(void) {
    atomic_store(&process.wanted, false);
    begin_epoch();
}

static void read_environment(void) {
    const char *kilobytes = getenv("SYNCTRACE_RING_KB");
    const char *stacks = getenv("SYNCTRACE_STACKS");
    const char *level = getenv("SYNCTRACE_LEVEL");
    process.without[LEVEL_GGML] = level && strcmp(level, "api") == 0;
    process.without[LEVEL_API] = level && strcmp(level, "ggml") == 0;
    atomic_store(&((struct control *)private_page)->ticket, 1);
    want(getenv("SYNCTRACE_RECORD_FOLDER"), kilobytes ? atol(kilobytes) : 0,
         !stacks || *stacks != '0');
}

// Libraries of the program may be initialised before this one, and call. No lock: the call may be a
// signal handler's that interrupts this.
__attribute__((constructor)) static void look_at_environment(void) {
    static _Atomic bool looked;
    if (!atomic_load_explicit(&looked, memory_order_relaxed) && !atomic_exchange(&looked, true))
        read_environment();
}

bool process_wanted(void) {
    look_at_environment();
    return atomic_load_explicit(&process.wanted, memory_order_relaxed);
}
