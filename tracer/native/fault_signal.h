// SIGSEGV, by which writes to the pages of protection.h are met. The program's handler stays the
// program's: it gets every other fault, and finds its own choice when it asks what it has chosen.
#pragma once
#include <signal.h>
#include <stdbool.h>

// The signal comes here. False: it does not.
bool fault_signal_ready(void);
// Pages were made writable again: a thread that has just met one finds nothing, and tries again.
void fault_signal_lifted(void);
// Whether what the program chooses for SIGSEGV is kept here.
bool fault_signal_taken(void);
int fault_signal_choose(const struct sigaction *wanted, struct sigaction *before);
