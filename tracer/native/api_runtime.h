// The runtime or driver whose API is recorded: what is asked of it, and what the trace has of it
// once.
#pragma once
#include "library.h"
#include "thread.h"

struct api_runtime {
    const char *name; // HIP, CUDA: devices are called by it ("CUDA0")
    struct library *library;
    uint32_t first_call; // enum call of the library's first function
    // Functions that tell the current device, the version, and the allocation around an address.
    const char *device, *version, *extent;
    int major, minor;     // what the parts of a version are multiplied by
    void (*begins)(void); // what else is to be done then; may be null
    int (*ask_device)(int *device);
    int (*ask_extent)(void **base, size_t *size, void *memory);
    _Atomic uint32_t told; // process epoch
};

// Told once a recording, at its first call.
void api_runtime_tell(struct api_runtime *runtime, struct thread *thread);
static inline void api_runtime_met(struct api_runtime *runtime, struct thread *thread) {
    if (atomic_load_explicit(&runtime->told, memory_order_relaxed) != process_epoch())
        api_runtime_tell(runtime, thread);
}

// Of the one that was met last: a process has one, with few exceptions.
bool api_runtime_is_met(void);
const char *api_runtime_name(void);
int api_runtime_device(void); // the current one; 0: it does not say
// Bytes of the allocation that begins there; 0: it does not say.
size_t api_runtime_extent(void *memory);
// Of a function of its library; null: of another.
const char *api_runtime_call(uint32_t call);
