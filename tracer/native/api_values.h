// Values that streams write to memory and wait for there: which write a wait is for.
#pragma once
#include "api_call.h"

enum api_condition { API_AT_LEAST, API_EQUAL, API_ANY_BIT, API_NO_BIT };

// The call's stream writes the value or waits for it (order->kind). Told as an event: a wait has
// that of the first write that made it true and has stayed true; where there is none yet, one of
// its own, which the write that makes it true then has.
void api_value(struct api_call *call, const struct api_order *order);
