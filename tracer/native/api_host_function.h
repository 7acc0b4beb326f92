// Functions that a stream runs on the host. They go through one of the recorder's own, which tells
// on the driver's thread that they have begun: what their stream did before is known there, and to
// whoever learns of it from them.
#pragma once
#include "api_call.h"

// The call's stream will run (*function)(*data): both are replaced. Left as they are where the call
// is stored in a graph, whose nodes can be asked for them, or too many are pending.
void api_runs(struct api_call *call, void **function, void **data);
// The same of (*function)(stream, status, *data).
void api_runs_callback(struct api_call *call, void **function, void **data);
// It failed, or was not made: the function will not be run.
void api_runs_not(struct api_call *call);
