// What the recorder's tests do with the stand-in ggml: scenario NAME [ARGUMENT].
// Also built as a library, so that Python can load it RTLD_LOCAL and call run_scenario().
#define _GNU_SOURCE
#include "scenario.h"
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma weak ggml_backend_tensor_set_2d
#pragma weak decodes
void decodes(int count); // fake_llama.c

void place(tensor_t *tensor, const char *name, void *buffer, size_t offset, size_t bytes) {
    memset(tensor, 0, sizeof *tensor);
    tensor->buffer = buffer;
    tensor->data = (char *)ggml_backend_buffer_get_base(buffer) + offset;
    tensor->ne[0] = (int64_t)bytes;
    snprintf(tensor->name, sizeof tensor->name, "%s", name);
}

static void add(struct machine *m, tensor_t *node, int op, tensor_t *a, tensor_t *b) {
    node->op = op;
    node->src[0] = a;
    node->src[1] = b;
    m->graph.nodes[m->graph.count++] = node;
}

void start(struct machine *m) {
    memset(m, 0, sizeof *m);
    m->device = ggml_backend_dev_init((void *)1, NULL);
    m->cpu = ggml_backend_dev_init((void *)0, NULL);
    m->device_memory = ggml_backend_buft_alloc_buffer((void *)1, 4096);
    m->host_memory = ggml_backend_buft_alloc_buffer((void *)0, 4096);
    void *weights = ggml_backend_buft_alloc_buffer((void *)1, 4096);
    ggml_backend_buffer_set_usage(weights, 1);
    m->sched = ggml_backend_sched_new((backend_t[]){m->device, m->cpu}, NULL, 2, 64, false, false);
    place(&m->input, "input", m->host_memory, 0, TENSOR_BYTES);
    m->input.flags = TENSOR_FLAG_INPUT;
    place(&m->copy, "input copy", m->device_memory, 0, TENSOR_BYTES);
    place(&m->weight, "weight", weights, 0, TENSOR_BYTES);
    place(&m->result, "result", m->device_memory, 512, TENSOR_BYTES);
    place(&m->cache, "cache", m->device_memory, 1024, 1024);
    place(&m->rows, "cache rows", m->device_memory, 1024, 1024);
    m->rows.view_src = &m->cache;
    place(&m->side, "side", m->host_memory, 1024, TENSOR_BYTES);
    add(m, &m->result, OP_ADD, &m->copy, &m->weight);
    m->result.src[2] = &m->input;
    add(m, &m->rows, OP_SET_ROWS, &m->result, &m->copy);
}

static void token(struct machine *m, int value) {
    char out[TENSOR_BYTES];
    memset(m->input.data, value, TENSOR_BYTES); // a raw store, no call
    ggml_backend_sched_graph_compute_async(m->sched, &m->graph);
    ggml_backend_tensor_get_async(m->device, &m->result, out, 0, sizeof out);
    ggml_backend_sched_synchronize(m->sched);
}

static void tokens(int count) {
    struct machine m;
    start(&m);
    ggml_backend_sched_alloc_graph(m.sched, &m.graph);
    for (int i = 0; i < count; i++)
        token(&m, i);
    ggml_backend_sched_free(m.sched);
    ggml_backend_buffer_free(m.device_memory);
    ggml_backend_buffer_free(m.host_memory);
    ggml_backend_free(m.device);
}

// Two inputs: one rewritten with new bytes each time, one with the same.
static void inputs(int count) {
    struct machine m;
    start(&m);
    m.side.flags = TENSOR_FLAG_INPUT;
    m.result.src[3] = &m.side;
    ggml_backend_sched_alloc_graph(m.sched, &m.graph);
    for (int i = 0; i < count; i++)
        token(&m, i + 1);
}

static void resets(int count) {
    struct machine m;
    start(&m);
    for (int i = 0; i < count; i++) {
        ggml_backend_sched_reset(m.sched);
        ggml_backend_sched_alloc_graph(m.sched, &m.graph);
        m.result.data = (char *)m.result.data + (i % 2 ? -256 : 256); // moved, same handle
        token(&m, i);
    }
}

static void copies(int count) {
    struct machine m;
    start(&m);
    for (int i = 0; i < count; i++) {
        ggml_backend_tensor_copy_async(m.cpu, m.device, &m.side, &m.copy);
        ggml_backend_tensor_set_async(m.device, &m.copy, "0123456789abcdef", 16, 16);
        ggml_backend_tensor_set_async(m.cpu, &m.side, "0123456789abcdef", 0, 16);
    }
    ggml_backend_synchronize(m.device);
}

// An input is written by recorded calls only: a copy, a clear, a set.
static void written(int count) {
    struct machine m;
    char zeros[TENSOR_BYTES] = {0};
    start(&m);
    ggml_backend_sched_alloc_graph(m.sched, &m.graph);
    for (int i = 0; i < count; i++) {
        memset(m.side.data, i + 1, TENSOR_BYTES);
        if (i % 3 == 0)
            ggml_backend_tensor_copy(&m.side, &m.input);
        else if (i % 3 == 1)
            ggml_backend_buffer_clear(m.host_memory, (uint8_t)(17 + i));
        else
            ggml_backend_tensor_set(&m.input, zeros, 0, sizeof zeros);
        ggml_backend_sched_graph_compute_async(m.sched, &m.graph);
        ggml_backend_sched_synchronize(m.sched);
    }
}

// The program's own memory is lent to a buffer and taken back.
static void lent(int count) {
    static char memory[4096];
    struct machine m;
    start(&m);
    for (int i = 0; i < count; i++) {
        void *buffer = ggml_backend_cpu_buffer_from_ptr(memory, sizeof memory);
        tensor_t tensor;
        place(&tensor, "lent", buffer, 0, TENSOR_BYTES);
        ggml_backend_tensor_set_async(m.device, &m.copy, memory, 0, 64);
        ggml_backend_buffer_free(buffer);
        ggml_backend_event_free(NULL);
        ggml_backend_synchronize(m.device);
    }
}

// The source of a pending copy is rewritten by a raw store before the wait.
static void rewrites(int count) {
    struct machine m;
    char source[64];
    start(&m);
    for (int i = 0; i < count; i++) {
        memset(source, i, sizeof source);
        ggml_backend_tensor_set_async(m.device, &m.copy, source, 0, sizeof source);
        memset(source, 100 + i, sizeof source);
        ggml_backend_synchronize(m.device);
    }
}

static void events(int count) {
    struct machine m;
    start(&m);
    for (int i = 0; i < count; i++) {
        void *event = ggml_backend_event_new((void *)1);
        ggml_backend_event_record(event, m.device);
        ggml_backend_event_wait(m.device, event);
        ggml_backend_event_synchronize(event);
        ggml_backend_event_free(event); // the next one gets the same address
    }
}

static void buffers(int count) {
    for (int i = 0; i < count; i++) {
        void *buffer = ggml_backend_buft_alloc_buffer((void *)1, 4096);
        ggml_backend_buffer_clear(buffer, 0);
        ggml_backend_buffer_free(buffer);
    }
}

// A buffer over the middle of another one: the same bytes by two names.
static void aliases(int count) {
    char *host = ggml_backend_buft_alloc_buffer((void *)0, 4096);
    char *base = ggml_backend_buffer_get_base(host);
    void *view = ggml_backend_cpu_buffer_from_ptr(base + 1024, 1024);
    tensor_t a, b;
    place(&a, "a", host, 1024, 64);
    place(&b, "b", view, 0, 64);
    for (int i = 0; i < count; i++) {
        ggml_backend_tensor_memset(&a, 1, 0, 64);
        ggml_backend_tensor_memset(&b, 2, 0, 64);
    }
}

// A signal handler that makes calls of its own, wherever it comes.
static struct machine interrupted;
static volatile sig_atomic_t handled;
static void call_from_handler(int signal) {
    (void)signal;
    char value[16] = {0};
    ggml_backend_tensor_set(&interrupted.side, value, 0, sizeof value);
    ggml_backend_synchronize(interrupted.device);
    handled++;
}
static void handlers(int count) {
    struct itimerval often = {.it_interval.tv_usec = 50, .it_value.tv_usec = 50}, never = {0};
    start(&interrupted);
    signal(SIGALRM, call_from_handler);
    setitimer(ITIMER_REAL, &often, NULL);
    tokens(count);
    setitimer(ITIMER_REAL, &never, NULL);
    printf("handled %d\n", handled > 0);
}

static void *worker(void *count) {
    tokens(*(int *)count);
    return NULL;
}

static void threads(int count) {
    pthread_t thread[8];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 8; i++)
            pthread_create(&thread[i], NULL, worker, &count);
        for (int i = 0; i < 8; i++)
            pthread_join(thread[i], NULL);
    }
}

static void forks(int count) {
    tokens(count);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        tokens(count + 1);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    tokens(count);
}

// Leaves an open call by longjmp.
static jmp_buf back;
static void jump(int signal) {
    (void)signal;
    longjmp(back, 1);
}
static void *fault_at;
static void abandons(int count) {
    struct machine m;
    start(&m);
    tensor_t bad = m.side;
    bad.data = fault_at;
    for (int i = 0; i < count; i++) {
        signal(SIGSEGV, jump);
        if (setjmp(back) == 0)
            ggml_backend_tensor_memset(&bad, 1, 0, 16);
        sigset_t set;
        sigemptyset(&set);
        sigaddset(&set, SIGSEGV);
        sigprocmask(SIG_UNBLOCK, &set, NULL);
        if (i % 2 == 0)
            ggml_backend_synchronize(m.device);
        else // a hook with a larger frame
            ggml_backend_tensor_copy(&m.side, &m.copy);
    }
}

static void rows_2d(int count) {
    struct machine m;
    char out[64];
    start(&m);
    memset(out, 1, sizeof out);
    void (*set)(tensor_t *, const void *, size_t, size_t, size_t, size_t, size_t) =
        ggml_backend_tensor_set_2d;
    for (int i = 0; set && i < count; i++)
        set(&m.cache, out, 0, 8, 4, 128, 16);
}

static void forever(int pause_microseconds) {
    struct machine m;
    start(&m);
    ggml_backend_sched_alloc_graph(m.sched, &m.graph);
    puts("started");
    fflush(stdout);
    for (int i = 0;; i++) {
        token(&m, i);
        if (pause_microseconds)
            usleep((useconds_t)pause_microseconds);
    }
}

// Kills itself after so many microseconds, wherever it is then: in the recorder too.
static void kill_self(int signal) {
    (void)signal;
    kill(getpid(), SIGKILL);
}
static void killed(int microseconds) {
    signal(SIGALRM, kill_self);
    struct itimerval when = {.it_value = {.tv_usec = microseconds}};
    setitimer(ITIMER_REAL, &when, NULL);
    forever(20); // slow enough for the parent to keep up
}

// Works for so many milliseconds after it said that it started.
static void timed(int milliseconds) {
    struct machine m;
    struct timespec t;
    start(&m);
    ggml_backend_sched_alloc_graph(m.sched, &m.graph);
    puts("started");
    fflush(stdout);
    clock_gettime(CLOCK_MONOTONIC, &t);
    int64_t end = t.tv_sec * 1000 + t.tv_nsec / 1000000 + milliseconds;
    for (int i = 0; t.tv_sec * 1000 + t.tv_nsec / 1000000 < end; i++) {
        token(&m, i);
        clock_gettime(CLOCK_MONOTONIC, &t);
    }
    exit(7);
}

static void replace_self(int count) {
    tokens(count);
    char text[16];
    snprintf(text, sizeof text, "%d", count + 1);
    execl("/proc/self/exe", "scenario", "tokens", text, (char *)NULL);
}

static void ask(int unused) { // reads facts only: no recorded call
    (void)unused;
    printf("%s\n", ggml_version());
}

static void leave(int code) {
    tokens(1);
    exit(code);
}

static void die(int number) {
    tokens(1);
    raise(number);
}

int run_scenario(const char *name, int argument) {
    if (!getenv("FAKE_NO_LOAD"))
        ggml_backend_load_all();
    static const struct {
        const char *name;
        void (*run)(int);
    } all[] = {
        {"tokens", tokens},       {"inputs", inputs},     {"resets", resets},
        {"copies", copies},       {"events", events},     {"rewrites", rewrites},
        {"buffers", buffers},     {"aliases", aliases},   {"threads", threads},
        {"forks", forks},         {"rows", rows_2d},      {"abandons", abandons},
        {"forever", forever},     {"exec", replace_self}, {"ask", ask},
        {"exit", leave},          {"signal", die},        {"killed", killed},
        {"timed", timed},         {"written", written},   {"lent", lent},
        {"decodes", decodes},     {"moves", moves},       {"registries", registries},
        {"elsewhere", elsewhere}, {"handlers", handlers}, {"changes", changes},
        {"shapes", shapes},       {"lives", lives},       {"borrowed", borrowed},
        {"many", many},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(name, all[i].name) == 0) {
            all[i].run(argument);
            return 0;
        }
    }
    return 2;
}

int main(int argc, char **argv) {
    int argument = argc > 2 ? atoi(argv[2]) : 3;
    int status = argc > 1 ? run_scenario(argv[1], argument) : 2;
    printf("done %s %d\n", argc > 1 ? argv[1] : "", argument);
    fprintf(stderr, "to stderr\n");
    return status;
}
