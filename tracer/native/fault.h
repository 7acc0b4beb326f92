// Faults that `record` was asked for: syncs left out at named places, pipeline copies forced. Off
// unless the environment names them.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// A place as reports print it: key of its stack, and which call from there in its scope.
#define EVERY_CALL UINT32_MAX
#define FAULT_SKIPS 64

struct faults {
    unsigned skips;
    int copies; // 0: as the program asks
};
extern struct faults faults;

// Whether the sync made there is left out; what was hit is told in the control page.
bool fault_skips(uint32_t stack_key, uint32_t ordinal);
void fault_tell_copies(int made);
