// The unwinder of libgcc, which every C++ program has; bound at run time, since the recorder links
// to libc only.
#pragma once
#include <stdint.h>

struct _Unwind_Context;
enum unwind_answer { UNWIND_GO_ON = 0, UNWIND_STOP = 4 };
typedef int (*unwind_step)(struct _Unwind_Context *context, void *data);
struct unwinder {
    int (*walk)(unwind_step step, void *data);
    uintptr_t (*address)(struct _Unwind_Context *context);  // where the frame returns to
    uintptr_t (*above)(struct _Unwind_Context *context);    // end of the frame it called
    uintptr_t (*function)(struct _Unwind_Context *context); // start of its function
    void (*resume)(void *exception);
    int (*personality)(int version, int actions, uint64_t kind, void *exception,
                       struct _Unwind_Context *context);
};

// Members are null where there is no libgcc.
const struct unwinder *unwinder(void);
