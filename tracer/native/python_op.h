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
// Python's lock is held in all of these. A number belongs to one life of the image: in another one
// nothing is entered or left by it.

// A number for a call that will be made again; 0: no room. Many calls later it is another's.
enum { MOST_PREPARED = 1 << 17 };
uint64_t python_prepare(const struct python_call *call);
void python_enter_prepared(uint64_t number);
// Enters a call that is made once: `with` only leaves it. Its number.
uint64_t python_enter(const struct python_call *call);
#define IS_ENTERED(number) ((number) >> 31 & 1)
// The call entered last under this number: calls of generators and tasks are left in any order. The
// op is written unless the recording has ended since.
void python_leave(uint64_t number, bool failed);

// A number for the range, the same in every thread; 0: there is no room for more.
uint32_t python_range(const struct range *range);
// The range of a number; null: there is none.
const struct range *python_range_of(uint32_t number);
// Those of the recordings before.
void python_forget(void);
