// The kernel's own record of written pages: userfaultfd's asynchronous write protection, read by
// PAGEMAP_SCAN (Linux 6.7). No fault reaches the program, and system calls may write, too.
// By number of the entry of pending memory (pending_table.h).
#pragma once
#include "pages.h"
#include <stdbool.h>
#include <stdint.h>

#define TRACKED_RUNS 8

// Pages written from now on are known. False: not of this memory, or not on this kernel.
bool tracking_begin(unsigned n, struct pages pages);
// Runs of pages written since the last time, in the order of their addresses; the last stands for
// all that had no room. -1: it cannot be told any more.
int tracking_take(unsigned n, struct pages runs[TRACKED_RUNS]);
// Whether there are none; nothing is forgotten.
bool tracking_is_clean(unsigned n);
void tracking_end(unsigned n);
