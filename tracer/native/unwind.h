// The unwinder of libgcc, which every C++ program has; bound at run time, since the recorder links
// to libc only.
#pragma once
#include <stdint.h>

struct _Unwind_Context;
typedef int (*unwind_step)(struct _Unwind_Context *context, void *data);
struct unwinder {
    int (*walk)(unwind_step step, void *data);
    uintptr_t (*address)(struct _Unwind_Context *context);
    void (*resume)(void *exception);
    int (*personality)(int version, int actions, uint64_t kind, void *exception,
                       struct _Unwind_Context *context);
};

// Members are null where there is no libgcc.
const struct unwinder *unwinder(void);
