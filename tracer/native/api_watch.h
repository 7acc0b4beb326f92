// Host memory that calls of a GPU API leave in use (api_watch.c), for api_call.c.
#pragma once
#include "api_call.h"

static inline bool api_uses_memory(const struct api_call *call) {
    return call->sources || call->launched_sources;
}

// Before the call: raw stores into memory that it uses, and that was in use before, are told.
void api_look_before(struct api_call *call);
// Behind it: its memory is in use.
void api_watch(struct api_call *call);
// Behind it: what it has waited for is not in use any more.
void api_note_waited(struct api_call *call);
