// Stores into sources in flight, and those that are none.
#define _GNU_SOURCE
#include "in_flight.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static void writer(char *at) {
    store(at, (char)(*at + 1));
    __asm__ volatile("" ::: "memory"); // not a tail call: it is to be seen on the stack
}

static void rewritten(size_t size, size_t at) {
    char *source = pages(size);
    copy_from(source, size);
    writer(source + at);
    wait_for_all();
}

static void rewritten_in_buffer(size_t size, size_t at) {
    char *source = buffer(size + 3 * PAGE) + PAGE + 100;
    copy_from(source, size);
    writer(source + at);
    wait_for_all();
}

static void waited_for(size_t size, size_t at) {
    char *source = pages(size);
    for (int i = 0; i < 3; i++) {
        copy_from(source, size);
        wait_for_all();
        writer(source + at);
    }
}

static void same_value(size_t size, size_t at) {
    char *source = pages(size);
    copy_from(source, size);
    store(source + at, source[at]);
    wait_for_all();
}

static void restored(size_t size, size_t at) {
    char *source = pages(size), before = source[at];
    copy_from(source, size);
    store(source + at, (char)(before + 1));
    store(source + at, before);
    wait_for_all();
}

static void *write_there(void *at) {
    writer(at);
    return NULL;
}

static void by_thread(size_t size, size_t at) {
    char *source = pages(size);
    pthread_t thread;
    copy_from(source, size);
    pthread_create(&thread, NULL, write_there, source + at);
    pthread_join(thread, NULL);
    wait_for_all();
}

static void *wait_there(void *unused) {
    wait_for_all();
    return unused;
}

// Who waits is not who copied: the change must be seen at that wait, or it never is.
static void waited_by_thread(size_t size, size_t at) {
    char *source = pages(size);
    pthread_t thread;
    copy_from(source, size);
    writer(source + at);
    pthread_create(&thread, NULL, wait_there, NULL);
    pthread_join(thread, NULL);
    writer(source + at); // it may be written now
    wait_for_all();
}

static char *target;
static void on_signal(int number) {
    (void)number;
    writer(target);
}

static void by_handler(size_t size, size_t at) {
    char *source = pages(size);
    struct sigaction action = {.sa_handler = on_signal};
    sigfillset(&action.sa_mask); // not even then may the write kill the program
    sigaction(SIGUSR1, &action, NULL);
    target = source + at;
    copy_from(source, size);
    raise(SIGUSR1);
    wait_for_all();
}

static void *write_masked(void *at) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    writer(at);
    return NULL;
}

static void by_masked_thread(size_t size, size_t at) {
    char *source = pages(size);
    pthread_t thread;
    copy_from(source, size);
    pthread_create(&thread, NULL, write_masked, source + at);
    pthread_join(thread, NULL);
    wait_for_all();
}

// Over the end of a page.
static void by_memcpy(size_t size, size_t at) {
    char *source = pages(size), other[64];
    memset(other, 99, sizeof other);
    copy_from(source, size);
    memcpy(source + at / PAGE * PAGE + PAGE - 32, other, sizeof other);
    wait_for_all();
}

// More places than one look has room for.
static void all_over(size_t size, size_t at) {
    char *source = pages(size);
    copy_from(source, size);
    for (size_t i = at; i < size; i += 2 * PAGE)
        writer(source + i);
    wait_for_all();
}

// Two threads meet the same pages at once.
static void *write_all(void *source) {
    for (size_t i = 0; i < 64; i++)
        writer((char *)source + i * PAGE);
    return NULL;
}

static void by_two_threads(size_t size, size_t at) {
    char *source = pages(size);
    for (size_t turn = 0; turn < 20; turn++) {
        pthread_t thread[2];
        copy_from(source, size);
        for (int i = 0; i < 2; i++)
            pthread_create(&thread[i], NULL, write_all, source + at + i);
        for (int i = 0; i < 2; i++)
            pthread_join(thread[i], NULL);
        wait_for_all();
    }
}

// Pages of both; the second begins when the first was written to already.
static void overlapping(size_t size, size_t at) {
    char *source = pages(2 * size);
    copy_from(source, size);
    writer(source + at);
    copy_from(source + size / 2, size);
    wait_for_all();
    copy_from(source, size);
    copy_from(source + size / 2, size);
    writer(source + size / 2 + at);
    wait_for_all();
}

static void beside(size_t size, size_t at) {
    char *memory = pages(size + 4 * PAGE), *source = memory + PAGE + 100;
    copy_from(source, size);
    writer(source - 1 - at);
    writer(source + size + at);
    wait_for_all();
}

static void between_rows(size_t size, size_t at) {
    char *source = pages(4 * PAGE);
    copy_rows_from(source, size, 8, 1024);
    writer(source + size + at);
    wait_for_all();
}

static void in_a_row(size_t size, size_t at) {
    char *source = pages(4 * PAGE);
    copy_rows_from(source, size, 8, 1024);
    writer(source + 5 * 1024 + at);
    wait_for_all();
}

// What a device writes changes bytes, too.
static void by_device(size_t size, size_t at) {
    char *memory = pages(size);
    copy_to(memory, size);
    copy_from(memory, size);
    writer(memory + at); // stands for what the device does
    wait_for_all();
}

// By calls of the system: into a pipe first, then from there.
static void by_read(size_t size, size_t at) {
    char *source = pages(size), text[64];
    int ends[2];
    memset(text, 55, sizeof text);
    if (pipe(ends) != 0)
        exit(92);
    FILE *zero = fopen("/dev/zero", "r");
    for (int turn = 0; turn < 4; turn++) {
        struct iovec pieces[2] = {{source + at, 8}, {source + at + PAGE, 8}};
        if (write(ends[1], text, sizeof text) != sizeof text)
            exit(93);
        copy_from(source, size);
        ssize_t done = turn == 0   ? read(ends[0], source + at, sizeof text)
                       : turn == 1 ? readv(ends[0], pieces, 2)
                       : turn == 2 ? (ssize_t)fread(source + at, 1, 100000, zero)
                                   : pread(fileno(zero), source + at, 16, 0);
        if (done != (turn == 0 ? 64 : turn == 1 ? 16 : turn == 2 ? 100000 : 16))
            exit(94);
        wait_for_all();
    }
}

static void on_stack(size_t size, size_t at) {
    char source[64 * PAGE];
    memset(source, 3, sizeof source);
    copy_from(source, size);
    writer(source + at);
    raise(SIGWINCH); // ignored, but looked at
    wait_for_all();
}

// The child's stores are its own.
static void forked(size_t size, size_t at) {
    char *source = pages(size);
    copy_from(source, size);
    pid_t child = fork();
    if (child == 0) {
        for (size_t i = 0; i < size; i += PAGE)
            writer(source + i);
        _exit(source[at] == 0 ? 1 : 7);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != 7)
        exit(95);
    wait_for_all();
}

static void forked_then_rewritten(size_t size, size_t at) {
    char *source = pages(size);
    copy_from(source, size);
    pid_t child = fork();
    if (child == 0) {
        copy_from(source, size); // watched there, too
        writer(source + at);
        wait_for_all();
        _exit(7);
    }
    waitpid(child, NULL, 0);
    writer(source + at);
    wait_for_all();
}

const struct scenario stores[] = {
    {"rewritten", rewritten},
    {"rewritten_in_buffer", rewritten_in_buffer},
    {"waited_for", waited_for},
    {"same_value", same_value},
    {"restored", restored},
    {"by_thread", by_thread},
    {"waited_by_thread", waited_by_thread},
    {"by_handler", by_handler},
    {"by_masked_thread", by_masked_thread},
    {"by_memcpy", by_memcpy},
    {"all_over", all_over},
    {"by_two_threads", by_two_threads},
    {"overlapping", overlapping},
    {"beside", beside},
    {"between_rows", between_rows},
    {"in_a_row", in_a_row},
    {"by_device", by_device},
    {"by_read", by_read},
    {"on_stack", on_stack},
    {"forked", forked},
    {"forked_then_rewritten", forked_then_rewritten},
    {0},
};
