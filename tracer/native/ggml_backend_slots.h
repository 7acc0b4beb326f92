// The slots of a backend: copies, launches, waits, events, its end.
#pragma once
#include "ggml_abi.h"

// At its first sight, where slots are used.
void backend_slots_take(backend_t backend);
