// Device times of a GPU API's calls, where something takes them (cuda_times.c): it is told which op
// the device work belongs to that a call is about to give.
#pragma once
#include <stdbool.h>
#include <stdint.h>

// Null: none are taken. The first says whether they are of this op, the second that its call is
// over.
extern bool (*_Atomic api_time)(uint64_t op);
extern void (*_Atomic api_timed)(void);
