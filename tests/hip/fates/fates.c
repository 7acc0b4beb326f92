// A correct program that meets with something: each fate by name, with a number.
//
//     fates FATE NUMBER
//
// `steps` is what all of them do: a staging buffer, two streams, an event each way.
#define _GNU_SOURCE
#include "program.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct line { // a thread's own streams and memory
    hipStream_t copies, compute;
    hipEvent_t copied, done;
    uint32_t *staging, *in, *out, value;
};

static struct line *new_line(void) {
    struct line *line = calloc(1, sizeof *line);
    *line =
        (struct line){new_stream(),        new_stream(),        new_event(),         new_event(),
                      pinned_words(WORDS), device_words(WORDS), device_words(WORDS), 0};
    return line;
}

static void step(struct line *line) {
    host_waits(line->copied);
    set_words(line->staging, ++line->value);
    wait_for(line->copies, line->done);
    upload(line->copies, line->in, line->staging);
    record(line->copied, line->copies);
    wait_for(line->compute, line->copied);
    pass(line->compute, line->in, line->out);
    record(line->done, line->compute);
}
static uint32_t result(struct line *line) {
    uint32_t *host = pinned_words(WORDS);
    download(line->compute, host, line->out);
    drain(line->compute);
    return host[WORDS - 1];
}
static void steps(int count) {
    struct line *line = new_line();
    for (int i = 0; i < count; i++)
        step(line);
    printf("%u\n", result(line));
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
static void for_ms(int ms) {
    struct line *line = new_line();
    printf("started\n");
    fflush(stdout);
    for (double end = seconds() + ms / 1e3; seconds() < end;)
        step(line);
    exit(7);
}

static void die(int signal) {
    (void)signal;
    kill(getpid(), SIGKILL);
}
static void killed(int us) {
    struct itimerval soon = {{0, 0}, {0, us}};
    signal(SIGALRM, die);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (struct line *line = new_line();;)
        step(line);
}

static void killed_by(int signal) {
    steps(3);
    fflush(stdout);
    kill(getpid(), signal);
}

static void forks(int count) {
    steps(count);
    fflush(stdout);
    pid_t child = fork();
    if (!child) { // of its parent's streams only the handles are left, so it makes its own
        steps(count + 1);
        fflush(stdout);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    steps(count);
    exit(WEXITSTATUS(status));
}

static char *self;
static void executes(int count) {
    char number[16];
    snprintf(number, sizeof number, "%d", count + 1);
    steps(count);
    fflush(stdout);
    execl(self, self, "steps", number, (char *)NULL);
}

static void *thread_of(void *count) {
    struct line *line = new_line();
    for (intptr_t i = 0; i < (intptr_t)count; i++)
        step(line);
    return (void *)(uintptr_t)result(line);
}
static void threads(int count) {
    enum { THREADS = 64 };
    pthread_t thread[THREADS];
    uintptr_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, thread_of, (void *)(intptr_t)count);
    for (int i = 0; i < THREADS; i++) {
        void *got;
        pthread_join(thread[i], &got);
        sum += (uintptr_t)got;
    }
    printf("%zu\n", (size_t)sum);
}

// A handler's calls: of functions that take no lock of the runtime, since the handler may interrupt
// one that holds it.
static volatile sig_atomic_t handled;
static void handler(int signal) {
    (void)signal;
    int device;
    handled += hipGetDevice(&device) == 0 && hipEventRecord(NULL, NULL) != 0;
}
static void handlers(int count) {
    struct itimerval often = {{0, 50}, {0, 50}};
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    struct line *line = new_line();
    while (handled < count)
        step(line);
    setitimer(ITIMER_REAL, &(struct itimerval){{0, 0}, {0, 0}}, NULL);
    printf("%d\n", result(line) == line->value);
}

// The one wait that holds the host's write behind the copy's read.
static void guarded(int count) {
    hipStream_t stream = new_stream();
    uint32_t *staging = pinned_words(WORDS), *in = device_words((size_t)count * WORDS);
    for (int i = 0; i < count; i++) {
        set_words(staging, 1 + (uint32_t)i);
        upload(stream, in + i * WORDS, staging);
        OK(hipStreamSynchronize(stream));
    }
    print_device("in", stream, in, (size_t)count * WORDS);
}

static const struct {
    const char *name;
    void (*meet)(int number);
} fates[] = {
    {"steps", steps},       {"exit", exit},       {"timed", for_ms},  {"killed", killed},
    {"signal", killed_by},  {"forks", forks},     {"exec", executes}, {"threads", threads},
    {"handlers", handlers}, {"guarded", guarded},
};

int main(int argc, char **argv) {
    self = argv[0];
    for (size_t i = 0; argc == 3 && i < sizeof fates / sizeof *fates; i++)
        if (!strcmp(fates[i].name, argv[1])) {
            fates[i].meet(atoi(argv[2]));
            return 0;
        }
    return 2;
}
