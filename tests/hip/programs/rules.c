// Runs the case of the given name, or lists them; what the cases are made of.
#include "rules.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MAX_FLAGS 64
#define LONGEST_S 60
#define A_WHILE_NS 5000000

static const struct rule *const sets[] = {stream_rules,  event_rules,  copy_rules,
                                          fill_rules,    memory_rules, kernel_rules,
                                          capture_rules, graph_rules,  pool_rules};
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool gate_is_open[8], flag_is_up[MAX_FLAGS];
static int flags;

_Noreturn void die(const char *file, int line, const char *what, int error) {
    printf("%s:%d: %s (%d)\n", file, line, what, error);
    fflush(stdout);
    _exit(1);
}

static void pause_a_while(void) { nanosleep(&(struct timespec){0, A_WHILE_NS}, NULL); }

// --- Gates and flags ---

void pass_gate(int number) {
    pthread_mutex_lock(&mutex);
    while (!gate_is_open[number])
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}
static void gate(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    pass_gate(*(int *)arguments[0]);
}
static void raise_flag(void **arguments, dim3 grid, dim3 block) {
    (void)grid, (void)block;
    pthread_mutex_lock(&mutex);
    flag_is_up[*(int *)arguments[0]] = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}
static void gate_stub(void) {}
static void flag_stub(void) {}

void open_gate(int number) {
    pthread_mutex_lock(&mutex);
    gate_is_open[number] = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&mutex);
}

static void launch(void (*stub)(void), int number, hipStream_t stream) {
    dim3 one = {1, 1, 1};
    OK(hipLaunchKernel((void *)stub, one, one, (void *[]){&number}, 0, stream));
}
void hold(hipStream_t stream, int number) { launch(gate_stub, number, stream); }
int raise_in(hipStream_t stream) {
    launch(flag_stub, flags, stream);
    return flags++;
}

static hipKernelNodeParams node_of(void (*stub)(void), int number) {
    int *kept = malloc(sizeof *kept);
    void **arguments = malloc(sizeof *arguments);
    *kept = number;
    *arguments = kept;
    dim3 one = {1, 1, 1};
    return (hipKernelNodeParams){
        .func = (void *)stub, .gridDim = one, .blockDim = one, .kernelParams = arguments};
}
hipKernelNodeParams raising(int *flag) { return node_of(flag_stub, *flag = flags++); }
hipKernelNodeParams holding(int number) { return node_of(gate_stub, number); }

bool is_held(int flag) {
    pause_a_while();
    pthread_mutex_lock(&mutex);
    bool held = !flag_is_up[flag];
    pthread_mutex_unlock(&mutex);
    return held;
}
void runs(int flag) {
    pthread_mutex_lock(&mutex);
    while (!flag_is_up[flag])
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
}

bool stays(const volatile char *byte, char value) {
    pause_a_while();
    return *byte == value;
}
void becomes(const volatile char *byte, char value) {
    while (*byte != value)
        pause_a_while();
}

// --- Other threads ---

struct caller {
    call call;
    void *data;
    bool returned;
};
static void *make_call(void *argument) {
    struct caller *caller = argument;
    caller->call(caller->data);
    pthread_mutex_lock(&mutex);
    caller->returned = true;
    pthread_mutex_unlock(&mutex);
    return NULL;
}
void must_block(call call, void *data) {
    struct caller caller = {call, data, false};
    pthread_t thread;
    pthread_create(&thread, NULL, make_call, &caller);
    pause_a_while();
    pthread_mutex_lock(&mutex);
    CHECK(!caller.returned);
    pthread_mutex_unlock(&mutex);
    open_gate(0);
    pthread_join(thread, NULL);
}
void in_thread(call call, void *data) {
    struct caller caller = {call, data, false};
    pthread_t thread;
    pthread_create(&thread, NULL, make_call, &caller);
    pthread_join(thread, NULL);
}

// --- What most cases begin with ---

static hipStream_t stream(unsigned flags) {
    hipStream_t made;
    OK(hipStreamCreateWithFlags(&made, flags));
    return made;
}
hipStream_t blocking(void) { return stream(hipStreamDefault); }
hipStream_t non_blocking(void) { return stream(hipStreamNonBlocking); }
char *device_bytes(size_t size, char value) {
    void *bytes;
    OK(hipMalloc(&bytes, size));
    return memset(bytes, value, size);
}
char *pinned_bytes(size_t size, char value) {
    void *bytes;
    OK(hipHostMalloc(&bytes, size, hipHostMallocDefault));
    return memset(bytes, value, size);
}

int main(int count, char **arguments) {
    size_t size = sizeof(int);
    alarm(LONGEST_S);
    standin_kernel((void *)gate_stub, gate, 1, &size);
    standin_kernel((void *)flag_stub, raise_flag, 1, &size);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        for (const struct rule *rule = sets[i]; rule->name; rule++)
            if (count < 2) {
                puts(rule->name);
            } else if (!strcmp(rule->name, arguments[1])) {
                rule->run();
                _exit(0); // whatever a case left behind a closed gate
            }
    return count < 2 ? 0 : 2;
}
