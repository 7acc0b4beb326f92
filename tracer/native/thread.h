// What the recorder keeps for one thread: its ring, its open calls and scopes, its cache of stacks.
#pragma once
#include "process.h"
#include "ring.h"

#define OPEN_OPS 32
#define OPEN_SCOPES 64
#define STACK_CACHE 2048
#define RANGE_CACHE 512
#define KNOWN_ACCESSES 128

struct scope {
    uint32_t id;
    uint32_t kind;
    uint32_t children; // scopes opened within it
    void *frame;       // stack frame of the call that opened it
    const void *subject;
};

struct site_entry {
    uint64_t key;
    uint32_t stack;
    uint32_t scope;   // innermost scope of the last call
    uint32_t ordinal; // calls from here within that scope
    uint32_t hits;
    uint32_t stack_key;
    bool waited;     // its last call took long
    bool several;    // of Python's: paths lead here, which one only the frames can tell
    uint64_t digest; // ... of which this was the first
};

// Where, above the frame of a call from one place, the return addresses of its callers lie: what
// tells paths apart that come through one place, such as a runtime between the program and a
// driver.
#define PATHS 2048
#define PATH_SLOTS 6
struct path_entry {
    uint64_t key; // of the call, its return address and its frame
    uint32_t count;
    uint16_t slot[PATH_SLOTS]; // in words above the frame, within its page
};

// The site that a path with these return addresses led to.
#define KNOWN_PATHS 2048
struct known_path {
    uint64_t key; // of the path and its return addresses
    uint64_t site;
    uint32_t hits;
    bool several; // it led to more than one: which, only the whole stack can tell
};

// A range that this thread has told.
struct range_entry {
    uint64_t hash;
    uint32_t id; // 0: empty
    struct range range;
};

// Whether Python code is a library's (python_frames.c).
#define PYTHON_CODES 1024
#define PYTHON_PAGES 128
#define PYTHON_NEAR 4 // frames, the program's own innermost one the first, that tell places apart
struct python_code {
    uintptr_t code;    // 0: empty
    uint64_t identity; // of what is there (python_frames.c)
    bool library;
};

// Bytes that an op touches, as told: the number of the range and where it lies.
struct touched {
    uint32_t id; // 0: it could not be told
    uint32_t storage;
    uint64_t lo, hi;
};

// What was asked to be told before, and what the answer was made of (ggml_known.h).
struct question {
    const void *subject; // a tensor, or host memory
    uint64_t offset, size;
    unsigned how;
};
struct known_access {
    struct question question;
    uint64_t changes;
    uint64_t facts[19];
    struct touched touched; // id 0: empty
};

// A call entered and not left. By value: the call may be left by longjmp.
struct open_op {
    uint64_t ticket;
    void *frame;
    unsigned children;
    uint8_t level;
    bool encloses; // nested ops are its children
    bool lowered;  // nested ops of a lower level did its work
    bool ranged;   // a launch whose ranges are known: kernels within have none of their own
    uint32_t last; // actor of the last device op within; 0: none
    int32_t last_device;
};

struct thread {
    struct ring *ring; // null: none could be made, records are counted as lost
    uint32_t epoch;
    uint32_t actor;
    bool busy;     // inside the recorder: a signal handler's calls pass through
    bool waited;   // has waited for a backend since its last call (where slots are used)
    unsigned mute; // depth of an open call whose nested calls are its own business; 0: none
    unsigned depth;
    struct open_op open[OPEN_OPS];
    unsigned scopes, scopes_beyond; // open ones, and open ones that have no room
    struct scope scope[OPEN_SCOPES];
    uint32_t ended_seen;   // of the scopes that other threads ended
    uint64_t pending_mark; // what is pending was looked at up to then (pending.c)
    char *scratch;
    size_t scratch_bytes;
    char *copy; // of memory that may be unmapped
    struct site_entry sites[STACK_CACHE];
    struct path_entry paths[PATHS];
    struct known_path known_paths[KNOWN_PATHS];
    struct range_entry ranges[RANGE_CACHE];
    unsigned known_turn;    // what is given up next in a full set
    struct touched touched; // the last that was not known
    struct known_access known[KNOWN_ACCESSES];
    struct python_code python_code[PYTHON_CODES];
    uintptr_t python_page[PYTHON_PAGES]; // where frames were found: memory is there
    bool python_far;                     // more than the near frames tell places apart
    void *python;                        // calls entered by Python (python_op.c)
    size_t python_bytes;
    void *api; // of a GPU API's calls (api_thread.h)
    size_t api_bytes;
};

// Initial-exec: the default model may call malloc at a thread's first access. Two words only, since
// the space for such variables is small in a program that loads the recorder late.
extern __thread struct thread *thread_known __attribute__((tls_model("initial-exec")));
struct thread *thread_not_ready(void);

// The calling thread, registered at its first op; null: not recorded, or inside the recorder.
static inline struct thread *thread_self(void) {
    struct thread *thread = thread_known;
    return thread && thread->epoch == process_epoch() && !thread->busy ? thread
                                                                       : thread_not_ready();
}

// The same, inside the recorder until thread_leave: for what is told without an op. A signal
// handler that comes in between finds nothing half done.
static inline struct thread *thread_enter(void) {
    struct thread *thread = thread_self();
    if (thread)
        thread->busy = true;
    atomic_signal_fence(memory_order_seq_cst);
    return thread;
}
static inline void thread_leave(struct thread *thread) {
    atomic_signal_fence(memory_order_seq_cst);
    if (thread)
        thread->busy = false;
}

// Memory for a graph walk, kept for the next one; null: none.
void *thread_scratch(struct thread *thread, size_t bytes);
// Room to copy the program's memory to; null: none.
#define THREAD_COPY (64u << 10)
char *thread_copy(struct thread *thread);
