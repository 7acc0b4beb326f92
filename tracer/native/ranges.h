// Ranges and marks that a program tells by a library for that: scopes of its calls.
#pragma once
#include "call.h"
#include "nvtx.h"

// The message may be null. Scopes of a domain are popped by themselves.
// The level of the range within its domain, from 0; below 0: there is none.
int range_push(const struct nvtx_domain *domain, const char *message);
int range_pop(const struct nvtx_domain *domain);
// The range is the thread's that started it; any may end it.
uint64_t range_start(const struct nvtx_domain *domain, const char *message);
void range_end(uint64_t range);
void range_mark(const struct nvtx_domain *domain, const char *message, enum call call, void *caller,
                void *frame);
