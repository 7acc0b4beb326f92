// Host memory that asynchronous work of a device may still use: the sources of its copies, what its
// kernels read in place, and what they may still write. What the program does to such memory is no
// call, so it is watched: sources for changed bytes, all of it for free, realloc and munmap.
//
//     pending_look(caller, frame);   // entry of a call that may wait, before its op is opened
//     ...                            // the call: waits
//     pending_done(thread, actor, event);
//
// A source is looked at when it is added and at each entry of a host wait: a change that is there
// before the wait can have made it right is told as one op of kind host_write (pending_sources).
//
// One table for the process: the thread that waits need not be the one that made the copy.
#pragma once
#include "thread.h"

struct pending_use {
    // Where in the trace; its mode and origin do not matter. EXTENT_BASE_ONLY: of [lo, hi) only the
    // first byte is sure to be used.
    const struct range *range;
    const void *data; // its first byte
    uint32_t actor;   // it is in use until this was waited for
    int32_t device;   // of the actor; -1: none
    bool destination; // a copy may still write it, nothing reads it
    bool written;     // the device reads it and may write it: a change proves nothing
    bool looked;      // pending_changes has seen to what changed in it
    bool pinned;      // a driver has its pages: what the kernel tells of them is a guess
    // Whether it is memory that nobody but its API can free, and is there. For a free, the API's
    // front-end first sees to it that this is false, then calls pending_forget, then frees. False
    // at first, or null: it may vanish at any time, and is read by way of the kernel, which cannot
    // read what a driver has mapped.
    bool (*present)(const void *data, uint64_t size);
};

struct pending_wait {
    uint32_t actor, event;
    int32_t device;
};

// After an asynchronous call was accepted.
void pending_add(struct thread *thread, struct pending_use use);

void pending_look(void *caller, void *frame);
// Before a call that uses this memory: appends what has changed of it in this thread's uses to a
// list of `count` accesses, and gives their number; then they are told as one op.
enum { PENDING_LOOKED = 256 };
unsigned pending_changes(struct thread *thread, const void *data, uint64_t size,
                         uint32_t access[PENDING_LOOKED], unsigned count);
void pending_tell(const uint32_t *access, unsigned count, void *caller, void *frame);
// The same for a wait for this actor, event or device (0, 0 and -1: none): also at what other
// threads gave to it, which is done when the wait returns.
void pending_look_for(struct pending_wait wait, void *caller, void *frame);
// A recorded launch on the host may write anything: later changes of what is pending now prove
// nothing.
void pending_taint(void);
// A recorded call writes this range: the next change of a source in it is no raw store.
void pending_written(const struct touched *range);

// The event stands for all that the actor was given so far, and for all that is done when it is
// (actor 0: for nothing).
void pending_recorded(uint32_t actor, uint32_t event);
// The actor waits for the event: who waits for what the actor is given from here on, waits for what
// the event stands for.
void pending_joined(uint32_t actor, uint32_t event);
// After the wait: what the actor was given before it, or what the event stood for, is done (0:
// none). Of the work of other threads, what was there at this thread's last pending_look.
void pending_done(struct thread *thread, uint32_t actor, uint32_t event);
// ... of all actors of the device.
void pending_done_device(struct thread *thread, int32_t device);
// The storage is about to be freed: when this returns, none of it is being read.
void pending_forget(uint32_t storage);
