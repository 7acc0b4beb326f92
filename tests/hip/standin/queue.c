// Streams as worker threads: a queue of commands each, done in order, each command after those that
// it waits for. A command is known by what holds it, so that a snapshot of "what was last" stays
// right whatever happens to the stream.
#include "standin.h"
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#define MAX_BRANCHES 64 // threads for branches of graphs and batches; more of them share

pthread_mutex_t standin_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t something_done = PTHREAD_COND_INITIALIZER;
static struct stream *streams;
static unsigned long long created;

void lock(void) { pthread_mutex_lock(&standin_lock); }
void unlock(void) { pthread_mutex_unlock(&standin_lock); }
struct stream *all_streams(void) {
    return streams;
}

// A child of fork has no worker: it begins with no streams, and what the parent had in them is not
// its own. (A real runtime is of no use in such a child.)
static void begin_child(void) {
    pthread_mutex_init(&standin_lock, NULL);
    pthread_cond_init(&something_done, NULL);
    streams = NULL;
    forget_streams();
}
__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(lock, unlock, begin_child);
}

uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// The delay of a stream's next piece of device work: a seed gives the same ones again, in the
// order of the calls, whatever the threads do meanwhile. Between none and twice the set one.
static unsigned next_delay(struct stream *stream) {
    unsigned set = (unsigned)standin_settings.delay_us;
    if (!standin_settings.seeded)
        return set;
    stream->random += 0x9e3779b97f4a7c15u;
    return (unsigned)(mixed(stream->random) % (2 * (uint64_t)set + 1));
}

struct command *command_hold(struct command *command) {
    if (command)
        command->refs++;
    return command;
}

void command_drop(struct command *command) {
    if (!command || --command->refs)
        return;
    for (int i = 0; i < command->waits; i++)
        command_drop(command->wait[i]);
    free(command->wait);
    free(command->staged);
    work_over(&command->work);
    free(command);
}

struct command *new_command(const struct work *work, struct stream *draw_from) {
    struct command *command = calloc(1, sizeof *command);
    if (work)
        command->work = work_again(work);
    bool on_device = work && work->kind != WORK_NONE && work->kind != WORK_HOST;
    command->delay_us = on_device ? next_delay(draw_from) : 0;
    return command;
}

void wait_also(struct command *command, struct command *other) {
    if (!other || other->done)
        return;
    command->wait = realloc(command->wait, sizeof(void *) * (size_t)(command->waits + 1));
    command->wait[command->waits++] = command_hold(other);
}

struct command *push(struct stream *stream, struct command *command) {
    command->stream = stream;
    command->refs += 2; // the queue's, and that of `last`
    if (stream->tail)
        stream->tail->next = command;
    else
        stream->head = command;
    stream->tail = command;
    command_drop(stream->last);
    stream->last = command;
    pthread_cond_signal(&stream->arrived);
    return command;
}

struct command *push_marker(struct stream *stream, struct command *other) {
    struct command *marker = new_command(NULL, stream);
    wait_also(marker, other);
    return push(stream, marker);
}

void host_wait(struct command *command) {
    if (!command)
        return;
    command_hold(command);
    while (!command->done)
        pthread_cond_wait(&something_done, &standin_lock);
    command_drop(command);
}

void finish(struct stream *stream) { host_wait(stream->last); }

void finish_device(int device) {
    int count = 0;
    for (struct stream *s = streams; s; s = s->next)
        count += s->device == device && s->last;
    struct command **last = calloc((size_t)count + 1, sizeof *last);
    count = 0;
    for (struct stream *s = streams; s; s = s->next)
        if (s->device == device && s->last)
            last[count++] = command_hold(s->last);
    while (count--) {
        host_wait(last[count]);
        command_drop(last[count]);
    }
    free(last);
}

static void perform(struct command *command) {
    if (command->delay_us)
        nanosleep(&(struct timespec){command->delay_us / 1000000,
                                     (long)(command->delay_us % 1000000) * 1000},
                  NULL);
    work_perform(&command->work);
}

static void done(struct stream *stream, struct command *command) {
    stream->head = command->next;
    if (!stream->head)
        stream->tail = NULL;
    command->end_ns = now_ns();
    command->done = true;
    for (int i = 0; i < command->waits; i++) // no chain of all that ever was
        command_drop(command->wait[i]);
    command->waits = 0;
    if (command->after)
        command->after(command->owner);
    pthread_cond_broadcast(&something_done);
    command_drop(command);
}

static void unlink_stream(struct stream *stream) {
    struct stream **link = &streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
}
static void free_stream(struct stream *stream) {
    command_drop(stream->last);
    free(stream->front.list);
    pthread_cond_destroy(&stream->arrived);
    free(stream);
}

static void *serve(void *argument) {
    struct stream *stream = argument;
    lock();
    for (;;) {
        while (!stream->head && !stream->ending)
            pthread_cond_wait(&stream->arrived, &standin_lock);
        struct command *command = stream->head;
        if (!command)
            break;
        for (int i = 0; i < command->waits; i++)
            while (!command->wait[i]->done)
                pthread_cond_wait(&something_done, &standin_lock);
        if (command->work.kind != WORK_NONE) {
            unlock();
            perform(command);
            lock();
        }
        done(stream, command);
    }
    if (stream->destroyed) {
        unlink_stream(stream);
        free_stream(stream);
    }
    unlock();
    return NULL;
}

struct stream *new_stream(int device, unsigned flags, uint64_t number) {
    struct stream *stream = calloc(1, sizeof *stream);
    stream->device = device;
    stream->flags = flags;
    stream->id = ++created;
    stream->random = mixed(standin_settings.seed * 0x100000001b3u + number);
    pthread_cond_init(&stream->arrived, NULL);
    stream->next = streams;
    streams = stream;
    // Signals are the program's own threads' to handle.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pthread_create(&stream->worker, NULL, serve, stream);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return stream;
}

void end_stream(struct stream *stream) {
    unlink_stream(stream); // the handle means nothing from here on, as in clr
    end_capture_of(stream);
    stream->ending = true; // once its work is done
    pthread_cond_signal(&stream->arrived);
    unlock();
    pthread_join(stream->worker, NULL);
    lock();
    free_stream(stream);
}

void abandon_stream(struct stream *stream) {
    end_capture_of(stream);
    stream->destroyed = stream->ending = true;
    pthread_detach(stream->worker);
    pthread_cond_signal(&stream->arrived);
}

struct stream *idle_stream(int device) {
    static unsigned turn;
    struct stream *own[MAX_BRANCHES];
    unsigned count = 0;
    for (struct stream *s = streams; s; s = s->next) {
        if (!s->internal || s->device != device)
            continue;
        if (!s->head)
            return s;
        own[count++] = s;
    }
    if (count == MAX_BRANCHES)
        return own[turn++ % MAX_BRANCHES];
    struct stream *stream = new_stream(device, hipStreamNonBlocking, UINT_MAX);
    stream->internal = true;
    return stream;
}
