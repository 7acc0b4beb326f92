// Streams and events of a GPU API as rows of the trace.
#pragma once
#include "handle.h"
#include "kinds.h"
#include "thread.h"

struct capture; // graph under construction (capture.h)

struct api_stream {
    struct handle handle; // id: actor
    int32_t device;
    uint32_t flags;                    // enum stream_flag
    uint32_t number;                   // in its name; 0: a default stream
    uint32_t thread;                   // OS id of the thread that a per-thread stream is of
    _Atomic(struct capture *) capture; // its calls are stored there, not run; null: they run
    uint32_t front;                    // set of nodes that the next one stored comes after
    struct handle meeting;             // id: event by which streams of a group wait for it
};

struct api_event {
    struct handle handle;
    int32_t device;
    bool unfenced;            // makes nothing visible to the host or to other devices
    bool foreign;             // another process records it or waits for it, too
    bool of_start;            // it stands for a kernel's start, not for its end
    _Atomic uint64_t capture; // number of the one in which it was recorded last; 0: in none
    uint32_t front;           // ... and set of nodes of it that it stands for
};

// Numbers that an API gives streams instead of handles are below this.
#define API_SPECIAL_STREAMS 16
#define API_PER_THREAD 2

// Null: the table is full, counted.
struct api_stream *api_stream_made(struct thread *thread, void *stream, int device, uint32_t flags);
struct api_stream *api_stream_find(void *stream);
struct api_stream *api_legacy_stream(struct thread *thread, int device);
struct api_stream *api_per_thread_stream(struct thread *thread, int device);
void api_stream_tell(struct thread *thread, struct api_stream *stream);
// The event that stands for the stream where several wait for each other.
uint32_t api_stream_meeting(struct thread *thread, struct api_stream *stream);
void api_stream_gone(void *stream);

struct api_event *api_event_made(struct thread *thread, void *event, int device, bool unfenced);
struct api_event *api_event_find(void *event);
// First met here where it was not seen to be made.
struct api_event *api_event_of(struct thread *thread, void *event);
void api_event_gone(void *event);
