// The stand-in runtime inside: work, the streams that do it, memory, and the one lock over them.
//
// standin.c says what this runtime is. Functions below are called with the lock held, except where
// they say otherwise; the functions of the API take it.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hip.h"
#include <pthread.h>
#include <stdbool.h>

#define MAX_DEVICES 16
#define NO_DEVICE (-1)
#define DEVICE_BYTES (16ull << 30)
#define MAX_THREADS 1024 // of a block
#define SHARED_BYTES 65536
#define MULTIPROCESSORS 16
// The largest copy from pageable memory that does not wait.
#define STAGED_BYTES (standin_is_cuda ? 2u << 20 : 1u << 20)

// What a program set in the environment (settings.c).
struct settings {
    int devices, version, delay_us;
    bool seeded, integrated, peers;
    uint64_t seed;
    const char *other_architecture; // of all devices but the first; null: the same
};
extern struct settings standin_settings;
extern const int standin_major; // of the library's SONAME, generated
// Whether this is the machinery within tests/cuda/standin: where CUDA's habits are others than
// clr's, they are kept instead. Generated too.
extern const bool standin_is_cuda;

// --- Work: what a command of a stream, or a node of a graph, does (work.c) ---

enum work_kind { WORK_NONE, WORK_COPY, WORK_FILL, WORK_KERNEL, WORK_HOST, WORK_WRITE, WORK_WAIT };

struct box { // where the rows and slices of a copy lie, in bytes
    char *base;
    size_t pitch, slice;
};
struct copy {
    struct box dst, src;
    size_t width, height, depth; // width in bytes
};
struct fill {
    struct box dst;
    size_t width, height, depth; // width in elements
    unsigned value, element;     // the element's size in bytes
};
struct launch { // shared by the commands and nodes that launch it
    int refs;
    const void *function; // what the program launched by
    standin_body body;
    dim3 grid, block;
    unsigned shared;
    int count;
    void **arguments; // pointers into the same allocation
};
struct host_call {
    hipHostFn_t function;
    hipStreamCallback_t callback;
    void *data;
    hipStream_t stream;
};
struct value {
    void *address;
    uint64_t value, mask;
    unsigned flags;
    bool wide; // of 64 bits
};
struct work {
    enum work_kind kind;
    union {
        struct copy copy;
        struct fill fill;
        struct launch *launch;
        struct host_call host;
        struct value value;
    };
    // A host function of a graph is read when it runs, as clr does: a later change is seen.
    const struct host_call *late_host;
};
struct work work_again(const struct work *work); // one more user of it
void work_over(struct work *work);               // one less
void work_perform(const struct work *work);      // without the lock
size_t copy_bytes(const struct copy *copy);
struct copy linear_copy(void *dst, const void *src, size_t size);

// --- Commands and streams (queue.c) ---

struct command {
    struct command *next; // of its stream, or of what waits to be thrown away
    struct stream *stream;
    struct work work;
    void *staged;
    void (*after)(void *); // called with the lock once it is done
    void *owner;
    unsigned delay_us;
    int refs;
    bool done;
    uint64_t end_ns;
    int waits;
    struct command **wait;
};
struct stream {
    struct stream *next; // of all that live
    int device, priority;
    unsigned flags;
    bool null, internal, per_thread, ending, destroyed;
    unsigned long long id;
    pthread_t worker;
    pthread_cond_t arrived;
    struct command *head, *tail, *last; // `last` is held, also when done
    uint64_t random;
    struct capture *capture;
    struct nodes { // what the next captured node comes after
        int count;
        struct graph_node **list;
    } front;
};
extern pthread_mutex_t standin_lock;
void lock(void);
void unlock(void);
struct stream *all_streams(void);
struct stream *new_stream(int device, unsigned flags, uint64_t number);
void end_stream(struct stream *stream);     // waits for its work, then frees it
void abandon_stream(struct stream *stream); // its handle ends now, it itself when its work has
struct stream *idle_stream(int device);     // of the runtime's own, for a branch of work
struct command *new_command(const struct work *work, struct stream *draw_from);
void wait_also(struct command *command, struct command *other); // NULL or done: nothing
struct command *push(struct stream *stream, struct command *command);
struct command *push_marker(struct stream *stream, struct command *other);
struct command *command_hold(struct command *command);
void command_drop(struct command *command);
void host_wait(struct command *command); // lets the lock go meanwhile; NULL: nothing
void finish(struct stream *stream);      // waits for its last command
void finish_device(int device);          // waits for the last command of each stream of it
uint64_t now_ns(void);

// --- What the handles of streams mean (streams.c) ---

struct stream *null_stream(int device);
void forget_streams(void);              // in a child of fork
extern __thread int standin_own_stream; // no stream means that of the thread (spt.c)
// The stream, or the error that says why not. `begin` also refuses what a capture does not allow
// and makes the legacy stream and the blocking ones wait for each other.
hipError_t find_stream(hipStream_t handle, struct stream **found);
hipError_t begin(hipStream_t handle, struct stream **found);
void order_with_null(struct stream *stream);
hipError_t submit(hipStream_t handle, const struct work *work); // takes the lock itself

// --- Events (events.c) ---

struct event {
    int refs, device;
    unsigned flags;
    struct event *other;            // that one meant by an event opened from a handle
    struct command *command;        // of the last record
    struct capture *capture;        // of its last record in one,
    struct nodes captured;          // with the nodes before it
    unsigned long long recorded_on; // id of the stream of the last record of any kind
};
struct event *event_of(hipEvent_t handle);
void record_command(struct event *event, struct command *command);

// --- Captures (capture.c) ---

bool is_capturing(const struct stream *stream);
bool is_capture_invalid(const struct stream *stream);
// Each of these is why a call is refused, or success. All but the last invalidate the captures.
hipError_t refuse_while_capturing(hipError_t why);       // anywhere in the process
hipError_t refuse_capturing(struct stream *stream);      // in this stream
hipError_t refuse_legacy(int device);                    // in a blocking stream of the device
hipError_t refuse_event_of_capture(struct event *event); // in the stream of its last record
hipError_t refuse_unsafe(void);                          // by a mode that forbids it to this thread
void capture_work(struct stream *stream, const struct work *work);
void capture_record(struct event *event, hipEvent_t handle, struct stream *stream, bool external);
hipError_t capture_wait(struct stream *stream, struct event *event, hipEvent_t handle,
                        bool external);
bool is_captured(const struct event *event);
void forget_capture(struct event *event);
void end_capture_of(struct stream *stream);
struct memory *capture_allocation(struct stream *stream, size_t size);
void capture_free(struct stream *stream);

// --- Memory (memory.c) ---

struct memory {
    char *base;
    size_t size; // as asked for
    hipMemoryType type;
    int device;
    unsigned flags;
    bool registered;           // not the runtime's own
    bool of_graph;             // goes with the graph
    struct physical *physical; // of the virtual memory calls
    struct pool *pool;
    unsigned long long id;
};
hipMemoryType told_type(hipMemoryType type); // as the library's version numbers it
struct memory *find_memory(const void *address);
bool is_within(const struct memory *memory, const void *address, size_t size);
struct memory *add_memory(void *base, size_t size, hipMemoryType type, int device, unsigned flags);
void forget_memory(struct memory *memory); // the entry alone
struct memory *new_memory(size_t size, hipMemoryType type, int device, unsigned flags);
void free_memory(struct memory *memory);              // its bytes are overwritten and used again
void free_block(char *base, size_t size);             // the same for the bytes alone
size_t rounded_size(size_t size);                     // what a block of so many bytes takes
struct work freed_bytes(const struct memory *memory); // overwrites them, as a free does
size_t memory_used(int device);
void give_back(struct memory *memory, struct command *freed); // to its pool (pools.c)

// --- Copies (copies.c) ---

enum manner { ASYNC, ASYNC_THEN_WAIT, SYNC };
void stage(struct command *command, const struct copy *copy); // reads its source now
hipError_t copy_box(const struct copy *copy, int kind, hipStream_t handle, enum manner manner);
bool is_between_devices(const struct memory *dst, const struct memory *src);
hipError_t copy_of_3d(const hipMemcpy3DParms *parameters, struct copy *copy);
hipError_t copy_of_driver_3d(const HIP_MEMCPY3D *parameters, struct copy *copy);

// --- Kernels (kernels.c), devices and errors ---

struct launch *new_launch(const void *function, dim3 grid, dim3 block, unsigned shared,
                          void **parameters, void **extra);
hipFunction_t function_named(const char *name);
hipFunction_t function_of(const void *stub);
const char *name_of_function(const void *function);
// How many arguments, and how large each; a null array: not known.
int arguments_of_function(const void *function, const size_t **sizes);
// These two without the lock.
hipError_t address_in_symbol(const void *shadow, size_t offset, size_t size, char **address);
int current_device(void);
bool is_device_ordinal(int device);
hipError_t fail(hipError_t error); // remembered as the thread's last one, and returned
void standin_start(int table);     // hands over a dispatch table before its first use
