// Calls of a Python program, each entered and left by a function of its own.
#pragma once
#include "op.h"

// What a call does, said before it is entered. `ranges` are numbers given by python_range.
struct python_call {
    uint32_t call, actor, peer, event, graph, walk, flags;
    int32_t device;
    const uint32_t *ranges;
    unsigned count;
    uint8_t kind;
};
// Whatever is entered is left, recorded or not. Python's lock is held.
void python_enter(const struct python_call *call);
// The call entered last. The op is written unless the recording has ended since.
void python_leave(bool failed);

// A number for a call that will be made again, in this life of the image; 0: no room for more.
uint64_t python_prepare(const struct python_call *call);
void python_enter_prepared(uint64_t number);

// A number for the range, the same in every thread; 0: there is no room for more.
uint32_t python_range(const struct range *range);
// The range of a number; null: there is none.
const struct range *python_range_of(uint32_t number);
// Those of the recordings before.
void python_forget(void);
