#include "api_values.h"
#include <stdio.h>
#include <string.h>

enum { WORDS = 1024, WRITES = 16, WAITS = 16 };
struct write {
    uint64_t value;
    uint32_t event;
};
struct wait {
    struct api_order order;
    uint32_t event;
};
struct word {
    struct handle handle; // by its address
    const struct memory *memory;
    uint32_t life, epoch;
    uint32_t writes, waits; // all writes so far, of which the last ones are kept; pending waits
    struct write write[WRITES];
    struct wait wait[WAITS];
};
static struct word entries[WORDS];
static const struct handles words = {entries, sizeof *entries, WORDS};

static bool is_met(const struct api_order *wait, uint64_t value) {
    uint64_t masked = value & wait->mask;
    switch ((enum api_condition)wait->condition) {
    case API_AT_LEAST:
        return masked >= wait->value;
    case API_EQUAL:
        return masked == wait->value;
    case API_ANY_BIT:
        return masked & wait->value;
    default:
        return ~(masked | wait->value) & wait->mask;
    }
}

static uint32_t tell(struct thread *thread, struct memory *memory, const struct api_order *order) {
    char where[64], name[112];
    struct record_event record = {.handle = (uintptr_t)order->object,
                                  .born = atomic_load(&process.control->ticket),
                                  .id = take_id(ID_EVENT),
                                  .device =
                                      memory && !memory_is_host(memory) ? memory->device : -1};
    if (memory) {
        memory_tell(thread, memory);
        memory_name(memory, where, sizeof where);
        snprintf(name, sizeof name, "value %llu at %s+%llu", (unsigned long long)order->value,
                 where, (unsigned long long)((uintptr_t)order->object - memory->base));
    } else {
        snprintf(name, sizeof name, "value %llu at %p", (unsigned long long)order->value,
                 order->object);
    }
    if (thread->ring)
        ring_put_named(thread->ring, RECORD_EVENT, &record, sizeof record, name);
    return record.id;
}

static struct word *word_at(void *address) {
    static const struct word fresh;
    struct word *word = handle_find(&words, address);
    return word ? word : handle_add(&words, address, &fresh);
}

// What was written to memory that is gone, or told before a fork, is nothing to wait for.
static void refresh(struct word *word, const struct memory *memory) {
    uint32_t life = memory ? atomic_load(&memory->life) : 0, epoch = process_epoch();
    if (word->memory == memory && word->life == life && word->epoch == epoch)
        return;
    word->memory = memory;
    word->life = life;
    word->epoch = epoch;
    word->writes = word->waits = 0;
}

static uint32_t waited_by(struct word *word, uint64_t value) {
    for (uint32_t i = 0; i < word->waits; i++) {
        if (!is_met(&word->wait[i].order, value))
            continue;
        uint32_t event = word->wait[i].event;
        word->wait[i] = word->wait[--word->waits];
        return event;
    }
    return 0;
}

static uint32_t written(struct word *word, struct thread *thread, struct memory *memory,
                        const struct api_order *order) {
    handles_lock();
    refresh(word, memory);
    uint32_t event = waited_by(word, order->value);
    if (!event)
        event = tell(thread, memory, order);
    word->write[word->writes++ % WRITES] = (struct write){order->value, event};
    handles_unlock();
    return event;
}

// The first write that made it true and has stayed true; 0: the last one did not.
static uint32_t made_true_by(const struct word *word, const struct api_order *order) {
    uint32_t event = 0;
    for (uint32_t i = 0; i < word->writes && i < WRITES; i++) {
        const struct write *write = &word->write[(word->writes - 1 - i) % WRITES];
        if (!is_met(order, write->value))
            break;
        event = write->event;
    }
    return event;
}

static uint32_t waited(struct word *word, struct thread *thread, struct memory *memory,
                       const struct api_order *order) {
    handles_lock();
    refresh(word, memory);
    uint32_t event = made_true_by(word, order);
    if (!event) {
        event = tell(thread, memory, order);
        if (word->waits < WAITS)
            word->wait[word->waits++] = (struct wait){*order, event};
        atomic_fetch_add(&process.control->coverage[COVERAGE_UNBOUND_VALUE_WAITS], 1);
    }
    handles_unlock();
    return event;
}

void api_value(struct api_call *call, const struct api_order *order) {
    call->op.record.kind = order->kind;
    if (call->captures) {
        api_orders(call, order);
        return;
    }
    struct memory *memory = memory_at((uintptr_t)order->object);
    struct word *word = word_at(order->object);
    if (!word)
        return;
    call->op.record.event = order->kind == KIND_VALUE_WRITE
                                ? written(word, call->op.thread, memory, order)
                                : waited(word, call->op.thread, memory, order);
}
