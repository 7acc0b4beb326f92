// What the recorder keeps for a thread that calls a GPU API: made at its first such call.
#pragma once
#include "api_memory.h"

// Bytes that were told before, and what must still hold for that.
struct api_known {
    uint64_t address, size;
    uint32_t how; // mode, extent and origin; 0: empty
    uint32_t id;
    const struct memory *memory; // null: none of the API's
    uint32_t life;               // of the memory, or memory_changes where there is none
    uint32_t storage;
};
#define API_KNOWN 1024

struct api_thread {
    int32_t device; // current; DEVICE_UNKNOWN: the runtime must be asked
    uint32_t epoch; // of what is known
    struct api_known known[API_KNOWN];
};
enum { DEVICE_UNKNOWN = -2 };

// Null: no room.
struct api_thread *api_thread_of(struct thread *thread);
