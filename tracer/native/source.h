// How the bytes of a pending source are watched, whichever way was asked for. For who holds the
// entry.
#pragma once
#include "pending_table.h"

#define SOURCE_CHANGES 9

// From now on. What of it is not is counted. False: it cannot be read.
bool source_begin(struct thread *thread, struct pending *entry);
// What was written since the last time by no recorded call, as far as that can be told.
unsigned source_changes(struct thread *thread, struct pending *entry,
                        struct range changes[SOURCE_CHANGES]);
// As source_changes would find it; nothing is noted.
bool source_is_unchanged(struct thread *thread, const struct pending *entry);
void source_end(struct pending *entry);
// No source is being read any more that was when this was called.
void source_await_readers(void);
