// Gates that hold streams, and what a call does while they are closed (rules.c).
#pragma once
#include "cuda.h"
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SIZE = 4096, LONGEST_S = 20, A_WHILE_NS = 20000000 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_open;

static _Noreturn void die(int line, const char *what, int result) {
    printf("line %d: %s (%d)\n", line, what, result);
    fflush(stdout);
    _exit(1);
}
#define CHECK(condition) ((condition) ? (void)0 : die(__LINE__, #condition, 0))
#define OK(call)                                                                                   \
    do {                                                                                           \
        CUresult result_ = (call);                                                                 \
        if (result_)                                                                               \
            die(__LINE__, #call, result_);                                                         \
    } while (0)

static void open_gate(void) {
    pthread_mutex_lock(&mutex);
    is_open = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}
static void pass_gate(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    while (!is_open)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}
static bool gate_is_open(void) {
    pthread_mutex_lock(&mutex);
    bool open = is_open;
    pthread_mutex_unlock(&mutex);
    return open;
}
static void hold(CUstream stream) { OK(cuLaunchHostFunc(stream, pass_gate, NULL)); }

static void *open_later(void *unused) {
    nanosleep(&(struct timespec){0, A_WHILE_NS}, NULL);
    open_gate();
    return unused;
}
// The call returns when the gate has been opened, and not before.
#define WAITS(call)                                                                                \
    do {                                                                                           \
        pthread_t opener_;                                                                         \
        pthread_create(&opener_, NULL, open_later, NULL);                                          \
        OK(call);                                                                                  \
        CHECK(gate_is_open());                                                                     \
        pthread_join(opener_, NULL);                                                               \
    } while (0)
// It returns although the gate is closed.
#define GOES_ON(call)                                                                              \
    do {                                                                                           \
        OK(call);                                                                                  \
        CHECK(!gate_is_open());                                                                    \
    } while (0)
