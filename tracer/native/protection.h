// Pages made read-only, so that who writes to them is met in the act (watch protect). By number of
// the entry of pending memory (pending_table.h).
#pragma once
#include "spans.h"
#include "write_tracking.h"

extern struct spans protected_pages;

// The next write to the pages calls protection_met (stores.h) and goes on. False: not of this
// memory.
bool protection_begin(unsigned n, struct pages pages);
// The same for pages that were written meanwhile.
void protection_renew(unsigned n);
void protection_end(unsigned n);
// The pages that these bytes lie in can be written again. False: none was protected.
bool protection_lift(uintptr_t lo, uintptr_t hi);
