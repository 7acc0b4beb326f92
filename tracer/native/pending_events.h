// What events stand for, as far as pending.c needs it.
#pragma once
#include "pending_table.h"

// Of no actor: the event is not known, or was never recorded while anything was pending.
struct pending_cover pending_event(uint32_t event);
