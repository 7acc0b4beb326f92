// Faults of the program's own, while memory of it is protected: it gets all of them, as without a
// recorder. Its results are on stdout.
#define _GNU_SOURCE
#include "in_flight.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

static sigjmp_buf back;
static char *forbidden;
static volatile sig_atomic_t met;

static char *closed_page(void) {
    return mmap(NULL, PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static void leave(int number, siginfo_t *info, void *context) {
    (void)context;
    met += number == SIGSEGV && info->si_addr == forbidden;
    siglongjmp(back, 1);
}

static void open_it(int number, siginfo_t *info, void *context) {
    (void)number, (void)context;
    met++;
    mprotect(info->si_addr, PAGE, PROT_READ | PROT_WRITE);
}

static void on_fault(void (*handler)(int, siginfo_t *, void *), int flags) {
    struct sigaction action = {.sa_sigaction = handler, .sa_flags = SA_SIGINFO | flags};
    sigaction(SIGSEGV, &action, NULL);
}

static void recover_from(char *at) {
    if (sigsetjmp(back, 1) == 0)
        store(at, 1);
}

// A handler from before, left by longjmp; the same fault again and again.
static void left(size_t size, size_t at) {
    char *source = pages(size);
    forbidden = closed_page();
    on_fault(leave, 0);
    copy_from(source, size);
    for (int i = 0; i < 3; i++)
        recover_from(forbidden);
    store(source + at, 77);
    recover_from(forbidden);
    wait_for_all();
    printf("%d\n", (int)met);
}

// A handler that comes later, and mends.
static void mended(size_t size, size_t at) {
    char *source = pages(size);
    copy_from(source, size);
    struct sigaction before;
    sigaction(SIGSEGV, NULL, &before);
    printf("%d\n", before.sa_handler == SIG_DFL);
    on_fault(open_it, 0);
    for (int i = 0; i < 2; i++)
        store(closed_page(), 1);
    store(source + at, 77);
    sigaction(SIGSEGV, NULL, &before);
    printf("%d %d\n", (int)met, before.sa_sigaction == open_it);
    printf("%d\n", (void *)signal(SIGSEGV, SIG_DFL) == (void *)open_it);
    wait_for_all();
}

static char *inside;
static void writes_source(int number) {
    (void)number;
    met++;
    store(inside, 78); // a protected page within the handler of another fault
    mprotect(forbidden, PAGE, PROT_READ | PROT_WRITE);
}

static void nested(size_t size, size_t at) {
    char *source = pages(size);
    inside = source + at;
    forbidden = closed_page();
    signal(SIGSEGV, writes_source);
    copy_from(source, size);
    store(forbidden, 1);
    printf("%d %d\n", (int)met, *inside == 78);
    wait_for_all();
}

static void on_its_stack(size_t size, size_t at) {
    static char small[16 << 10];
    stack_t stack = {.ss_sp = small, .ss_size = sizeof small};
    char *source = pages(size);
    sigaltstack(&stack, NULL);
    on_fault(open_it, SA_ONSTACK);
    copy_from(source, size);
    store(source + at, 77);
    store(closed_page(), 1);
    printf("%d\n", (int)met);
    wait_for_all();
}

static void no_core(void) { setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); }

static void crash(size_t size, size_t at) {
    no_core();
    char *source = pages(size);
    copy_from(source, size);
    store(source + at, 1);
    store(closed_page(), 1);
}

static void crash_in_handler(int number) {
    (void)number;
    met++;
    if (write(1, "once\n", 5) == 5)
        store(closed_page(), 1); // blocked by now: it dies of it
}

static void crash_twice(size_t size, size_t at) {
    no_core();
    char *source = pages(size);
    copy_from(source, size);
    signal(SIGSEGV, crash_in_handler);
    store(source + at, 1);
    store(closed_page(), 1);
}

// Constant memory is a source like any other, and stays constant.
static const char constant[4 * PAGE] = {1};

static void constant_written(size_t size, size_t at) {
    no_core();
    copy_from(constant, size);
    store((char *)constant + at, 1);
}

static void sent(size_t size, size_t at) {
    char *source = pages(size);
    signal(SIGSEGV, SIG_IGN);
    copy_from(source, size);
    raise(SIGSEGV);
    store(source + at, 1);
    wait_for_all();
    printf("ignored\n");
    fflush(stdout);
    no_core();
    copy_from(source, size);
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}

const struct scenario faults[] = {
    {"left", left},
    {"mended", mended},
    {"nested", nested},
    {"on_its_stack", on_its_stack},
    {"crash", crash},
    {"crash_twice", crash_twice},
    {"constant_written", constant_written},
    {"sent", sent},
    {0},
};
