#include "pending_table.h"
#include "source.h"
#include "spans.h"
#include <pthread.h>
#include <sched.h>

// Entries of another life of the process (a fork, a recording that ended) are as good as none.
enum state { NONE = 0, LIVE = 1, HELD = 2, STATES = 4 };
static _Atomic uint32_t states[PENDING_SOURCES]; // epoch * STATES + state
static struct pending entries[PENDING_SOURCES];
struct pending_key pending_keys[PENDING_SOURCES];
_Atomic uint64_t pending_live;
static _Atomic unsigned used; // entries from here on were never claimed
static _Atomic uint64_t ticks;
enum { TURNS = 1000 }; // who holds it may be the thread that a signal handler interrupted

uint64_t pending_tick(void) { return atomic_fetch_add(&ticks, 1) + 1; }
uint64_t pending_now(void) { return atomic_load_explicit(&ticks, memory_order_relaxed); }

static uint32_t word(enum state state) { return process_epoch() * STATES + state; }

static enum state state_in(uint32_t word) {
    return word / STATES == process_epoch() ? word % STATES : NONE;
}

static void count_by(int32_t change) {
    uint64_t old = atomic_load(&pending_live), fresh;
    do
        fresh = (uint64_t)process_epoch() << 32 | (pending_live_in(old) + (uint32_t)change);
    while (!atomic_compare_exchange_weak(&pending_live, &old, fresh));
}

unsigned pending_number(const struct pending *entry) { return (unsigned)(entry - entries); }
unsigned pending_used(void) { return atomic_load_explicit(&used, memory_order_relaxed); }

static void note_use(unsigned n) {
    unsigned before = pending_used();
    while (before <= n && !atomic_compare_exchange_weak(&used, &before, n + 1))
        ;
}

static struct pending *claim_free(void) {
    if (pending_live_in(atomic_load(&pending_live)) >= PENDING_SOURCES)
        return NULL;
    for (unsigned n = 0; n < PENDING_SOURCES; n++) {
        uint32_t old = atomic_load_explicit(&states[n], memory_order_relaxed);
        if (state_in(old) == NONE && atomic_compare_exchange_strong(&states[n], &old, word(HELD))) {
            count_by(1);
            note_use(n);
            return &entries[n];
        }
    }
    return NULL;
}

// Which is the oldest may change meanwhile: then one of the oldest.
static struct pending *hold_oldest(void) {
    for (int turns = 0; turns < TURNS; turns++) {
        unsigned oldest = PENDING_SOURCES;
        for (unsigned n = 0; n < pending_used(); n++)
            if (state_in(atomic_load_explicit(&states[n], memory_order_relaxed)) == LIVE &&
                (oldest == PENDING_SOURCES || PENDING_KEY(n, at) < PENDING_KEY(oldest, at)))
                oldest = n;
        if (oldest == PENDING_SOURCES)
            return NULL;
        struct pending *entry = pending_hold(oldest, false);
        if (entry)
            return entry;
    }
    return NULL;
}

struct pending *pending_claim(uint64_t *evicted) {
    *evicted = 0;
    struct pending *entry = claim_free();
    if (!entry && (entry = hold_oldest())) {
        *evicted = entry->compared ? entry->size : 0;
        source_end(entry);
        span_clear(&in_flight, pending_number(entry));
    }
    return entry;
}

struct pending *pending_hold(unsigned n, bool wait) {
    for (int turns = 0; turns < TURNS; turns++) {
        uint32_t now = atomic_load(&states[n]);
        if (state_in(now) == LIVE && atomic_compare_exchange_strong(&states[n], &now, word(HELD)))
            return &entries[n];
        if (state_in(now) == NONE || !wait)
            return NULL;
        sched_yield();
    }
    return NULL;
}

// Of the life of the process that it was held in, which may have ended meanwhile.
static void let_go(const struct pending *entry, enum state state) {
    _Atomic uint32_t *at = &states[pending_number(entry)];
    atomic_store(at, atomic_load(at) / STATES * STATES + state);
}

static void store(_Atomic uint64_t *at, uint64_t value) {
    atomic_store_explicit(at, value, memory_order_relaxed);
}

void pending_filled(struct pending *entry) {
    struct pending_key *key = &pending_keys[pending_number(entry)];
    atomic_store_explicit(&key->start, (uintptr_t)entry->data, memory_order_relaxed);
    atomic_store_explicit(&key->storage, entry->range.storage, memory_order_relaxed);
    store(&key->lo, entry->range.lo);
    store(&key->size, entry->size);
    store(&key->at, entry->at);
    atomic_store_explicit(&key->actors, PENDING_ACTOR(entry->cover[0].actor), memory_order_relaxed);
}

void pending_renewed(struct pending *entry) {
    entry->at = entry->cover[0].at = pending_tick();
    entry->covers = 1;
    pending_filled(entry);
}

void pending_covered(struct pending *entry, struct pending_cover by) {
    if (entry->covers == PENDING_COVERS)
        return;
    entry->cover[entry->covers++] = by;
    atomic_fetch_or_explicit(&pending_keys[pending_number(entry)].actors, PENDING_ACTOR(by.actor),
                             memory_order_relaxed);
}

void pending_release(struct pending *entry) { let_go(entry, LIVE); }

void pending_drop(struct pending *entry) {
    source_end(entry);
    span_clear(&in_flight, pending_number(entry));
    if (state_in(atomic_load(&states[pending_number(entry)])) != NONE)
        count_by(-1);
    let_go(entry, NONE);
}

// What the parent has in flight is no concern of the child, whose entries are of another life.
static void after_fork_in_child(void) {
    for (unsigned n = 0; n < pending_used(); n++)
        span_clear(&in_flight, n);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, after_fork_in_child);
}
