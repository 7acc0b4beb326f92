// Queries in vain. A thread that asks until something is done would fill its ring within
// milliseconds, and order hangs on none of them: of a long run not all are kept.
#pragma once
#include "api_call.h"

// Whether it asks again what its thread has just asked in vain, and is not needed. Counted.
bool api_asks_again(const struct api_call *call);
// It was written.
void api_asked(struct thread *thread, const struct record_op *record);
