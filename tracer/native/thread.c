#include "thread.h"
#include "kinds.h"
#include "module.h"
#include "op.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

__thread struct thread *thread_known __attribute__((tls_model("initial-exec")));
static __thread bool registering __attribute__((tls_model("initial-exec")));

static pthread_key_t at_exit;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void leave(void *state) {
    struct thread *thread = state;
    thread_known = NULL;
    if (thread->ring && thread->epoch == process_epoch())
        ring_close(thread->ring);
    else if (thread->ring)
        ring_forget(thread->ring);
    if (thread->scratch)
        munmap(thread->scratch, thread->scratch_bytes);
    if (thread->copy)
        munmap(thread->copy, THREAD_COPY);
    if (thread->python)
        munmap(thread->python, thread->python_bytes);
    if (thread->api)
        munmap(thread->api, thread->api_bytes);
    munmap(thread, sizeof *thread);
}

static void make_key(void) { pthread_key_create(&at_exit, leave); }

static void tell_thread(struct thread *thread) {
    char name[17] = "";
    prctl(PR_GET_NAME, name);
    struct record_actor actor = {
        .handle = (uint64_t)thread->ring->thread,
        .born = atomic_load(&process.control->ticket),
        .id = thread->actor,
        .device = -1,
        .kind = ACTOR_KIND_THREAD,
    };
    ring_put_named(thread->ring, RECORD_ACTOR, &actor, sizeof actor, name);
}

static void begin_epoch(struct thread *thread) {
    thread->epoch = process_epoch();
    thread->depth = thread->scopes = thread->scopes_beyond = 0;
    thread->mute = 0;
    thread->pending_mark = 0;
    thread->busy = false; // a call that the last life ended in, or was forked in
    memset(thread->sites, 0, sizeof thread->sites);
    memset(thread->ranges, 0, sizeof thread->ranges);
    memset(thread->known, 0, sizeof thread->known);
    if (thread->ring)
        ring_forget(thread->ring);
    thread->actor = take_id(ID_ACTOR);
    thread->ring = ring_create(thread->actor);
    if (!thread->ring)
        return;
    tell_thread(thread);
    if (!atomic_exchange(&process.control->calls_told, 1))
        op_tell_calls(thread);
    if (!process.by_itself)
        module_tell_new(thread);
}

static struct thread *register_thread(void) {
    struct thread *thread = thread_known;
    if (!thread) {
        pthread_once(&once, make_key);
        thread = mmap(NULL, sizeof *thread, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
        if (thread == MAP_FAILED)
            return NULL;
        pthread_setspecific(at_exit, thread);
    }
    begin_epoch(thread);
    thread_known = thread;
    return thread;
}

struct thread *thread_not_ready(void) {
    struct thread *thread = thread_known;
    if (thread && thread->epoch == process_epoch()) {
        atomic_fetch_add(&process.control->reentrant, 1);
        return NULL;
    }
    if (registering) { // a signal handler's call, that interrupted what follows
        atomic_fetch_add(&process.control->reentrant, 1);
        return NULL;
    }
    registering = true;
    thread = process_start() ? register_thread() : NULL;
    registering = false;
    return thread;
}

static void *pages(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

char *thread_copy(struct thread *thread) {
    if (!thread->copy)
        thread->copy = pages(THREAD_COPY);
    return thread->copy;
}

void *thread_scratch(struct thread *thread, size_t bytes) {
    if (bytes <= thread->scratch_bytes)
        return thread->scratch;
    bytes = (bytes * 2 + RECORD_PAGE - 1) / RECORD_PAGE * RECORD_PAGE;
    void *memory = pages(bytes);
    if (!memory)
        return NULL;
    if (thread->scratch)
        munmap(thread->scratch, thread->scratch_bytes);
    thread->scratch = memory;
    thread->scratch_bytes = bytes;
    return memory;
}
