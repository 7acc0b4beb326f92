#include "wrapper.h"
#include "process.h"
#include "resolve.h"
#include "unwind.h"
#include <stdatomic.h>
#include <stddef.h>

// Return addresses are few. One word each: the address, and in its top bit whether it lies in a
// wrapper; user addresses leave that bit free.
enum { KNOWN = 1024 };
#define IS_WRAPPER (1ull << 63)
static _Atomic uint64_t known[KNOWN];

static _Atomic uint64_t *entry_of(uintptr_t address) {
    return &known[(address * 0x9e3779b97f4a7c15ull >> 32) % KNOWN];
}

// The scheduler's functions and llama.cpp's do more than pass on: they are places.
static bool passes_on(uintptr_t start) {
    for (int function = 0; function < FUNCTION_ggml_backend_sched_new; function++)
        if ((uintptr_t)resolve((enum function)function) == start)
            return true;
    return false;
}

struct look {
    uintptr_t caller;
    uintptr_t beyond; // 0: not met
    bool met;
};

static int step(struct _Unwind_Context *context, void *data) {
    struct look *look = data;
    uintptr_t address = unwinder()->address(context);
    look->met |= address == look->caller;
    if (!look->met)
        return UNWIND_GO_ON;
    _Atomic uint64_t *entry = entry_of(address);
    uint64_t word = atomic_load_explicit(entry, memory_order_relaxed);
    if ((word & ~IS_WRAPPER) != address) {
        word = address | (passes_on(unwinder()->function(context)) ? IS_WRAPPER : 0);
        atomic_store_explicit(entry, word, memory_order_relaxed);
    }
    if (word & IS_WRAPPER)
        return UNWIND_GO_ON;
    look->beyond = address;
    return UNWIND_STOP;
}

void *wrapper_caller(void *caller) {
    uintptr_t address = (uintptr_t)caller;
    bool no_wrapper = atomic_load_explicit(entry_of(address), memory_order_relaxed) == address;
    if (no_wrapper || !process.stacks)
        return caller;
    struct look look = {.caller = address};
    const struct unwinder *libgcc = unwinder();
    if (libgcc->walk && libgcc->address && libgcc->function)
        libgcc->walk(step, &look);
    return look.beyond ? (void *)look.beyond : caller;
}
