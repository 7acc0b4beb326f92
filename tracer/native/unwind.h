// The unwinder of libgcc, which every C++ program has loaded; bound at run time, since the recorder
// links to libc only.
#pragma once
#include <stdbool.h>
#include <stdint.h>

struct _Unwind_Context;
enum unwind_answer { UNWIND_GO_ON = 0, UNWIND_STOP = 4 };
typedef int (*unwind_step)(struct _Unwind_Context *context, void *data);

// Calls `step` for each frame, innermost first, until it says stop. Nothing where there is none.
void unwind(unwind_step step, void *data);
uintptr_t unwind_address(struct _Unwind_Context *context);  // return address in the frame
uintptr_t unwind_function(struct _Unwind_Context *context); // start of its function
