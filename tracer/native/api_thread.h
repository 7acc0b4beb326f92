// What the recorder keeps for a thread that calls a GPU API: made at its first such call.
#pragma once
#include "api_memory.h"
#include "api_parts.h"

// Bytes that were told before, and what must still hold for that.
struct api_known {
    uint64_t address, size;
    uint64_t how;          // API_HOW, perhaps with API_WORD; 0: empty
    struct memory *memory; // null: none of the API's
    struct api_part part;  // that bounded it
    uint32_t life;         // of the memory, or memory_changes where there is none
    uint32_t parts;        // the memory's before the part was looked at
    uint32_t id;
    uint32_t spare;
};
static_assert(sizeof(struct api_known) == 64, "a line of the cache");
#define API_KNOWN 4096
#define API_KNOWN_WAYS 4

// The last answer of memory_at of the addresses that share this place.
struct api_place {
    uint64_t address;
    struct memory *memory;
    uint32_t changes; // memory_changes before it was asked
};
#define API_PLACES 256

// The last query of a thread that was in vain (api_queries.h).
struct api_query {
    uint64_t head; // of its ring behind that: nothing was told since
    int64_t t_c;
    uint32_t event, actor, stack;
    int32_t rc;
    uint32_t kept; // of its run
    uint8_t kind;  // 0: none
};

// Host memory that a call leaves in use behind it.
struct api_source {
    struct memory *memory; // null: pageable
    const void *data;
    uint64_t size;
    uint32_t life;    // of the memory: in another one it is not there any more
    bool destination; // the device writes it, and does not read it
    bool written;     // the device reads it and may write it
    bool possible;    // all but its first byte
};

// What a stream does for others or waits for, stored in a graph: done at each of its launches.
struct api_order {
    uint8_t kind;      // KIND_EVENT_RECORD, _EVENT_WAIT, _VALUE_WRITE, _VALUE_WAIT
    uint8_t condition; // of a wait for a value: enum api_condition (api_values.h)
    void *object;      // the event, or where the value lies
    uint64_t value, mask;
};
#define API_LAUNCHED 256
#define API_ORDERS 256

struct api_thread {
    int32_t device; // current; DEVICE_UNKNOWN: the runtime must be asked
    uint32_t epoch; // of what is known
    _Alignas(64) struct api_known known[API_KNOWN];
    struct api_place place[API_PLACES];
    struct api_query query;
    struct api_source launched[API_LAUNCHED]; // by the launch of a graph that is being made
    struct api_order order[API_ORDERS];       // of the node that is being made
};
enum { DEVICE_UNKNOWN = -2 };

struct api_thread *api_thread_begin(struct thread *thread);
// Null: no room.
static inline struct api_thread *api_thread_of(struct thread *thread) {
    struct api_thread *api = thread->api;
    return api && api->epoch == thread->epoch ? api : api_thread_begin(thread);
}
