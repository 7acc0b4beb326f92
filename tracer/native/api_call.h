// One call of a GPU API on its way into the trace: what every front-end of one (HIP; CUDA) shares.
//
//     API_CALL(call);
//     if (api_enter(&call, CALL_NAME, KIND_..., caller, frame)) api_copy(&call, ...);
//     int rc = REAL(arguments);
//     api_leave(&call, rc);
#pragma once
#include "api_range.h"
#include "api_stream.h"
#include "op.h"

enum { API_ACCESSES = 64, API_SOURCES = 8 };

// An event that a launch records: a call of its own, or with FLAG_IMPLIED one more op of the
// launch.
struct api_record {
    void *event; // null: none
    uint32_t flags;
};

struct api_call {
    struct op op; // thread null: not recorded
    struct api_stream *stream;
    struct api_event *event;
    struct memory *freed; // taken out of the map, back again if the call fails
    uint8_t kind;         // that it was entered as
    uint16_t function;
    bool captures; // it is stored in a graph, and not run
    bool foreign;  // of another process
    bool looked;   // api_out has looked at its sources
    bool unread;   // not all that it touches is known here
    bool full;     // it touches more than there is room for
    bool timed;    // device times of it are taken
    bool signals;  // a launch whose graph records events or writes values
    unsigned sources, orders;
    const char *name;                  // of a node, where it is not the function's
    const void *executable;            // that it launches or changes, as the API names it
    struct host_function *runs;        // that its stream will run; null: none that is told of
    struct api_record also_records[2]; // behind it
    void *caller, *frame;
    const struct api_order *order;     // of a node: of its thread
    const struct api_source *launched; // of a launch: its executable's sources
    unsigned launched_sources;
    struct api_source source[API_SOURCES];
    uint32_t access[API_ACCESSES];
};

static inline void api_call_left(struct api_call *call) { op_left(&call->op); }
#define API_CALL(name)                                                                             \
    __attribute__((cleanup(api_call_left))) struct api_call name;                                  \
    name.op.thread = NULL

// Before a call that waits: raw stores into what may be in use until then are looked for. The
// handle is that of the stream or the event, as the kind says.
void api_look(enum kind kind, void *handle, void *caller, void *frame);

// False: the call is passed through unrecorded.
bool api_enter(struct api_call *call, uint32_t function, enum kind kind, void *caller, void *frame);
// It is about to be made. Raw stores into memory that it uses, and that was in use before, are told
// first: they lie before it.
void api_out(struct api_call *call);
// `failed`: it had no effect. Written, and its host memory is watched from here on.
void api_leave(struct api_call *call, int rc, bool failed);
// Another op of the same call: within the first where that encloses others, or behind it.
bool api_enter_more(struct api_call *call, const struct api_call *first, enum kind kind);

static inline struct thread *api_thread(struct api_call *call) { return call->op.thread; }

// It touches this range. Where there is no room left it may touch anything.
void api_note_full(struct api_call *call);
static inline void api_note(struct api_call *call, uint32_t id) {
    if (!id)
        return;
    if (call->op.accesses < API_ACCESSES)
        call->access[call->op.accesses++] = id;
    else if (!call->full)
        api_note_full(call);
}

// The device that is current on this thread; the runtime is asked where it is not known.
int api_device(struct api_call *call);
// Of a call that is not recorded. DEVICE_UNKNOWN: it must be asked.
void api_device_set(int device);
void api_device_changed(struct api_call *call); // within a recorded one: it must be asked

// The function's name, or what the call was given instead.
const char *api_call_name(const struct api_call *call);

// It leaves host memory in use. What has no room is counted as unwatched.
void api_uses(struct api_call *call, struct memory *memory, const void *data, uint64_t size,
              bool destination, bool written);
// The same of which only the first byte is sure.
void api_may_use(struct api_call *call, struct memory *memory, const void *data, uint64_t size,
                 bool written);

// It is stored in a graph, and at each launch does this for others or waits for it.
void api_orders(struct api_call *call, const struct api_order *order);

// It becomes a node of a graph: no stream's, but what else is told of a call stays.
#define API_NO_STREAM ((void *)(uintptr_t)(API_SPECIAL_STREAMS - 1))
// It acts on this stream, as the API names it (null, special numbers, handles).
void api_on_stream(struct api_call *call, void *stream);
void api_on_legacy(struct api_call *call, int device);
void api_acts_on(struct api_call *call, struct api_stream *stream);

// What it does with bytes.
void api_reads(struct api_call *call, const void *address, uint64_t size);
void api_writes(struct api_call *call, const void *address, uint64_t size);

enum api_waits { API_ASYNC, API_SYNC, API_ASYNC_THEN_WAIT };
// A copy of rows (height 1: linear). The kind is that of the memories.
void api_copy(struct api_call *call, void *to, uint64_t to_pitch, const void *from,
              uint64_t from_pitch, uint64_t width, uint64_t height, enum api_waits waits);
// Its kind alone, for ends whose rows the front-end knows; null: memory that is none of the host's.
void api_copy_kind(struct api_call *call, const void *to, const void *from, enum api_waits waits);
// The host memory that it leaves in use, where its kind is known: so many bytes from each address.
void api_copy_sources(struct api_call *call, const void *to, uint64_t written, const void *from,
                      uint64_t read, enum api_waits waits);
void api_copy_peer(struct api_call *call, void *to, int to_device, const void *from,
                   int from_device, uint64_t size, enum api_waits waits);
// Its devices alone.
void api_peers(struct api_call *call, const void *to, int to_device, const void *from,
               int from_device, enum api_waits waits);
void api_set(struct api_call *call, void *to, uint64_t pitch, uint64_t width, uint64_t height,
             enum api_waits waits);
// The host memory that a fill leaves in use: what changes there is the device's doing.
void api_set_target(struct api_call *call, const void *to, uint64_t size, enum api_waits waits);

// Memory.
void api_allocated(struct api_call *call, void *memory, uint64_t size, enum memory_kind kind);
void api_pool_allocated(struct api_call *call, void *memory, uint64_t size);
void api_frees(struct api_call *call, void *memory);
void api_registers(struct api_call *call, void *memory, uint64_t size);
void api_unregisters(struct api_call *call, void *memory);

// Events.
void api_on_event(struct api_call *call, void *event);
