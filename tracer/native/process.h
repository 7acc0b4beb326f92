// The recording process: its folder, its ticket counter, and what happens to it at fork.
#pragma once
#include "record.h"
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define FOLDER_LENGTH 480

struct process {
    _Atomic bool wanted; // `record` asked for a recording, or the program itself
    _Atomic uint32_t
        epoch; // the n-th life of this image: grows at fork, so that the child re-registers
    _Atomic uint32_t ready;  // epoch for which the folder exists
    _Atomic uint32_t failed; // epoch for which it could not be made
    struct control *control; // never null: a private page until the shared one exists
    char folder[FOLDER_LENGTH];
    uint64_t ring_bytes;
    bool stacks;     // call sites are wanted
    bool without[3]; // by enum level: calls of it are not recorded
    bool by_itself;  // the program records itself: no function of it is interposed
};
extern struct process process;

// Whether `record` asked for a recording, also before this library was initialised.
bool process_wanted(void);
// Makes the folder at the first hooked call of this epoch. False: this process is not recorded.
bool process_start(void);

// The program records itself from here on, in a life of its own with `folder` for its rings. False:
// it is recorded already, or the folder's name is too long.
bool process_record(const char *folder, long ring_kb, bool stacks);
// The end of that. Calls that other threads are in are not written.
void process_stop(void);

// A version of what is recorded, for meta.json; told once.
void process_tell_version(const char *name, const char *version);

static inline uint32_t process_epoch(void) {
    return atomic_load_explicit(&process.epoch, memory_order_relaxed);
}

static inline uint64_t take_ticket(void) { return atomic_fetch_add(&process.control->ticket, 1); }

static inline int64_t clock_ns(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}
static inline int64_t now_ns(void) { return clock_ns(CLOCK_MONOTONIC); }
// The same clock at its last tick, at a fifth of the price.
static inline int64_t tick_ns(void) { return clock_ns(CLOCK_MONOTONIC_COARSE); }
int64_t thread_cpu_ns(void);

// Ids are dense from 1 within their table; 0 means none.
enum id_table {
    ID_ACTOR,
    ID_STORAGE,
    ID_EVENT,
    ID_STACK,
    ID_SCOPE,
    ID_WALK,
    ID_GRAPH,
    ID_ACCESS,
    ID_TABLES
};
uint32_t take_id(enum id_table table);

// Map a new file of this many bytes, reserved for real; NULL where there is no room for it.
void *process_map(int fd, size_t bytes);
