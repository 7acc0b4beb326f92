// Where a call of a Python program came from: its Python frames.
#pragma once
#include "thread.h"

// A frame of this file is nobody's call site: what records is left out of the stacks.
bool python_hide(const char *file);
bool python_is_hidden(const char *file);
// A frame that lies in no module: a name for it that no address has, and what it is.
void python_tell_frame(struct thread *thread, uint64_t address, int line, const char *function,
                       const char *file);

// As site_of_call (site.h). Called by the thread that holds Python's lock.
struct site_entry *python_site(struct thread *thread, uint32_t call, uint32_t scope);
