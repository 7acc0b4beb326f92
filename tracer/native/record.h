// What the recorder leaves for the parent: the layout of the files it shares with `record`.
// tracer/rings.py reads the same layout; tests/record/test_layout.py compares the two.
//
//   FOLDER/PID/control     one page: ticket counter, counters of what was lost or not watched
//   FOLDER/PID/ring-N      one per thread (N: actor id): a page of header, then `size` bytes of
//   data
//
// A ring has one writer (its thread) and one reader (the parent). `head` and `tail` count bytes
// since the start and never wrap; a record lies at (head % size) and never crosses the end:
//
//        tail            head
//         v               v
//   ......[rec][rec][rec].......[rec][pad]   pad fills the rest when a record does not fit
//
// Every record starts with 8 bytes and is a multiple of 8 long:
//
//   0       4      6       8
//   | size  | type | count | fixed part | count x item, or a string ending in 0 |
//
// Example, a tensor_set of 16 bytes: size 144, type 1, count 2, and the ids of two accesses in its
// fixed part. What a thread touches for the first time is told by a record_access before the op.
#pragma once
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

#define RECORD_PAGE 4096
#define CONTROL_MAGIC 0x31746e6f63637473ull // "stccont1"
#define RING_MAGIC 0x31676e6972637473ull    // "stcring1"

struct control {
    _Atomic uint64_t magic; // written last
    _Atomic uint64_t ticket;
    int64_t pid;
    int64_t parent;
    int64_t started_ns;          // CLOCK_MONOTONIC at the first recorded call
    _Atomic uint64_t calls_told; // 1 once the names of the functions were written
    _Atomic uint64_t lost;       // records of threads that could get no ring
    _Atomic uint64_t untracked;  // objects beyond the tables, or of unknown layout
    _Atomic uint64_t unwatched;  // host bytes too large to be watched for raw writes
    _Atomic uint64_t unread;     // tensors not read: unknown struct layout, or outside their buffer
    _Atomic uint64_t reentrant;  // calls made inside the recorder (signal handlers)
    _Atomic uint64_t layout;     // bits: enum layout_bit
    _Atomic uint64_t abandoned;  // calls left by longjmp
    _Atomic uint64_t skipped;    // syncs left out on request
    _Atomic uint64_t faults_hit; // bit i: the i-th place of the request was met
    _Atomic uint64_t copies;     // pipeline copies that a scheduler has, where they were forced
    _Atomic uint64_t unfreed;    // buffers whose free cannot be seen
    _Atomic uint64_t blind;      // graph launches before which host stores were not looked for
    char versions[256];          // "name=value;" pairs of what is recorded
    char program[512];           // path of the executable
    _Atomic uint64_t coverage[16];     // enum coverage
    _Atomic uint64_t unrecorded_forks; // children that could make no folder of their own
    _Atomic uint64_t other_libraries;  // of which there is one beside that which is recorded
    _Atomic uint64_t device_times;     // enum device_times (cuda_times.h)
    _Atomic uint64_t cupti;            // CUDA version of the CUPTI that was found; 0: of none
    _Atomic uint64_t cuda_needed;      // ... which it must be of at least
    _Atomic uint64_t cupti_answer;     // what it answered, where it refused
};
static_assert(sizeof(struct control) == 144 + 256 + 512 + 128 + 16 + 32, "control layout");

// Bits of other_libraries.
enum { OTHER_HIP = 1, OTHER_RCCL = 2, OTHER_CUDA = 4 };

// What was met and not watched: counters of the control page. Their names in
// meta.json are those of tracer/rings.py: COVERAGE.
enum coverage {
    COVERAGE_KERNELS_WITHOUT_LAYOUT = 0, // launches of kernels of unknown parameter layout
    COVERAGE_GUESSED_POINTERS = 1,       // words of by-value parameters taken for pointers
    COVERAGE_UNRESOLVED_POINTERS = 2,    // pointer arguments into no allocation that is known
    COVERAGE_UNWATCHED_KERNELS_HOST_MEMORY = 3, // launches on host memory that was not watched
    COVERAGE_FOREIGN_HANDLES = 4,               // memory and events of other processes
    COVERAGE_UNWATCHED_MANAGED_BYTES = 5,
    COVERAGE_UNBOUND_VALUE_WAITS = 6,     // waits for a value that no recorded call wrote
    COVERAGE_UNREAD_NODES = 7,            // graph nodes whose ranges are not known
    COVERAGE_RANGES_NOT_TRACKED = 8,      // sources whose written pages the kernel does not tell
    COVERAGE_RANGES_NOT_PROTECTED = 9,    // sources whose pages could not be made read-only
    COVERAGE_RANGES_WITHOUT_FREE = 10,    // host memory in use whose free cannot be seen
    COVERAGE_KERNELS_NOT_UNPACKED = 11,   // launches whose code no library could decompress
    COVERAGE_CALLS_WITH_MORE_RANGES = 12, // calls that touch more than is kept of one
    COVERAGE_DEVICE_RECORDS_LOST = 13,    // CUPTI's records that found no room
    COVERAGE_REPEATED_QUERIES = 14,       // in vain, as those around them: not kept
};

enum layout_bit {
    LAYOUT_TENSOR_KNOWN = 1,   // the tensor struct has the size this recorder was written for
    LAYOUT_TENSOR_UNKNOWN = 2, // it has not: tensors were not read
    LAYOUT_SLOTS_2D = 4,       // the backend interface has the 2d slots
    LAYOUT_BY_SLOTS = 8,       // calls are recorded by slots, not by names
};

struct ring {
    _Atomic uint64_t magic; // written last
    uint64_t size;          // bytes of data
    int64_t thread;         // OS thread id
    uint32_t actor;
    _Atomic uint32_t closed; // the thread has ended
    char spare0[32];
    // The writer's line.
    _Atomic uint64_t head;
    _Atomic uint64_t dropped;  // records that found the ring full
    _Atomic uint64_t reported; // of these, told by gap records
    _Atomic uint64_t open;     // lower bound of the tickets of its unfinished ops; 0: none
    _Atomic uint64_t first;    // ticket at which the untold loss began
    uint64_t at;               // head % size, for the writer alone
    char spare1[16];
    // The reader's line.
    _Atomic uint64_t tail;
    char spare2[56];
};
static_assert(sizeof(struct ring) == 192 && sizeof(struct ring) <= RECORD_PAGE, "ring layout");

enum record_type {
    RECORD_PAD = 0,
    RECORD_OP = 1,       // record_op
    RECORD_GAP = 2,      // record_gap
    RECORD_ACTOR = 3,    // record_actor, name
    RECORD_STORAGE = 4,  // record_storage, name
    RECORD_EVENT = 5,    // record_event, name
    RECORD_STACK = 6,    // record_stack, count x return address
    RECORD_MODULE = 7,   // record_module, path
    RECORD_SCOPE = 8,    // record_scope, name
    RECORD_RENAME = 9,   // record_rename, name: a scope whose name is known only at its end
    RECORD_RANGES = 10,  // record_ranges, ranges: a part of a graph's range set
    RECORD_GRAPH = 11,   // record_graph, operations (count 1: and a name): the set is whole
    RECORD_CALL = 12,    // record_call, name
    RECORD_ACCESS = 13,  // record_access: a range and its number
    RECORD_OP_LONG = 14, // record_op, count x uint32_t: more accesses than fit into it
    RECORD_FRAME = 15,   // record_frame, function, file: a frame that lies in no module (Python's)
    RECORD_MEMORY = 16,  // record_memory: bytes of a storage are memory of another kind now
    RECORD_NODE = 17,    // record_node, count x id of an access (padded to 8), name
    RECORD_NODE_EDGES = 18,   // record_node_edges, count x {first node, second node}, each uint32_t
    RECORD_KERNEL = 19,       // record_kernel, name
    RECORD_NAME = 24,         // record_name, name: what the program calls a thread, stream or event
    RECORD_DEVICE_OPS = 30,   // count x device_op
    RECORD_DEVICE_TIMES = 31, // count x device_time
};

struct record_head {
    uint32_t size; // bytes, this head included
    uint16_t type;
    uint16_t count;
};
static_assert(sizeof(struct record_head) == 8, "record_head layout");

// Numbers of mode, extent, origin and usage are those of tracer/kinds.py.
// (*) With EXTENT_BASE_ONLY, [lo, hi) is what is certain: one byte, or none; [name_lo, name_hi) is
// what is possibly touched, and has the storage's name.
struct range {
    uint32_t storage; // 0: unknown memory
    uint8_t mode, extent, origin, usage;
    uint64_t lo, hi;               // bytes possibly touched, offsets in the storage
    uint64_t pitch, width, height; // strided; 0: linear
    uint64_t name_lo, name_hi;     // what the name stands for, offsets in the storage (*)
    uint32_t kernel, word;         // record_kernel.call whose parameter led there, and its byte
    char name[64];                 // empty: the storage's own
};
static_assert(sizeof(struct range) == 136, "range layout");

struct record_access {
    struct record_head head;
    uint32_t id;
    uint32_t spare;
    struct range range;
};
static_assert(sizeof(struct record_access) == 152, "record_access layout");

// Ops are the bulk: all of one size, so that the parent takes them in as columns.
#define OP_ACCESSES 8
struct record_op {
    struct record_head head; // count: accesses
    uint64_t ticket_c, ticket_r;
    int64_t t_c, t_r;
    int64_t cpu_ns;  // -1: not taken
    uint64_t parent; // ticket_c of the enclosing op; 0: none
    uint32_t flags;
    uint32_t actor, peer;
    uint32_t event;
    uint32_t walk; // record_graph.walk launched; 0: none
    uint32_t stack, ordinal;
    uint32_t scope;
    int32_t rc;
    int32_t device;
    uint8_t kind, level;
    uint16_t call;
    uint32_t graph;
    uint32_t timed; // 1: device times of it were asked for
    uint32_t spare;
    uint32_t access[OP_ACCESSES]; // record_access.id; 0: none
};
static_assert(sizeof(struct record_op) == 144, "record_op layout");

struct record_gap {
    struct record_head head;
    uint64_t first, ticket; // the loss lies between these tickets
    uint64_t dropped;
};
static_assert(sizeof(struct record_gap) == 32, "record_gap layout");

struct record_actor {
    struct record_head head;
    uint64_t handle, born;
    uint32_t id;
    int32_t device;
    uint32_t flags;
    uint32_t kind;
};
static_assert(sizeof(struct record_actor) == 40, "record_actor layout");

struct record_storage {
    struct record_head head;
    uint64_t handle, base, size, born;
    uint32_t id;
    int32_t device;
    uint32_t memory;
    uint32_t spare;
};
static_assert(sizeof(struct record_storage) == 56, "record_storage layout");

struct record_event {
    struct record_head head;
    uint64_t handle, born;
    uint32_t id;
    int32_t device;
};
static_assert(sizeof(struct record_event) == 32, "record_event layout");

struct record_stack {
    struct record_head head;
    uint32_t id;
    uint32_t key; // of its frames, each as module and offset: equal in other runs
};
static_assert(sizeof(struct record_stack) == 16, "record_stack layout");

struct record_module {
    struct record_head head;
    uint64_t base, size, loaded;
};
static_assert(sizeof(struct record_module) == 32, "record_module layout");

struct record_scope {
    struct record_head head;
    uint64_t number, since;
    uint32_t id, parent;
    uint32_t kind;
    uint32_t named; // 0: its name comes with a record_rename, if it comes
};
static_assert(sizeof(struct record_scope) == 40, "record_scope layout");

struct record_rename {
    struct record_head head;
    uint32_t id;
    uint32_t spare;
};
static_assert(sizeof(struct record_rename) == 16, "record_rename layout");

struct record_ranges {
    struct record_head head;
    uint32_t walk;
    uint32_t spare;
};
static_assert(sizeof(struct record_ranges) == 16, "record_ranges layout");

struct record_graph {
    struct record_head head;
    uint64_t handle;
    uint32_t walk, graph;
    uint32_t nodes;
    uint32_t spare;
};
static_assert(sizeof(struct record_graph) == 32, "record_graph layout");

struct record_frame {
    struct record_head head;
    uint64_t address; // its top bit is set
    uint32_t line;
    uint32_t spare;
};
static_assert(sizeof(struct record_frame) == 24, "record_frame layout");

struct record_call {
    struct record_head head;
    uint32_t id;
    uint32_t spare;
};
static_assert(sizeof(struct record_call) == 16, "record_call layout");

struct record_memory {
    struct record_head head;
    uint32_t storage;
    uint32_t kind;   // kinds.py: MemoryKind
    uint64_t lo, hi; // offsets in the storage
    uint64_t since;  // ticket
};
static_assert(sizeof(struct record_memory) == 40, "record_memory layout");

// Nodes and edges of a version come first; the record_graph of the same walk closes it, and its
// ranges are those of all its nodes (and of record_ranges of that walk, if there are any).
struct record_node {
    struct record_head head; // count: accesses
    uint32_t walk, node;
    uint8_t kind;
    char spare[7];
};
static_assert(sizeof(struct record_node) == 24, "record_node layout");

struct record_node_edges {
    struct record_head head; // count: edges
    uint32_t walk;
    uint32_t spare;
};
static_assert(sizeof(struct record_node_edges) == 16, "record_node_edges layout");

enum kernel_flag { KERNEL_LAYOUT_KNOWN = 1 };

// Told before the first op that launches it. `call` is its own number: a record_call of the
// kernel's name goes before, and ops of KIND_KERNEL that launch it have that number.
struct record_kernel {
    struct record_head head;
    uint64_t code; // hash of its code object; 0: not known
    uint32_t call;
    uint32_t pointers; // parameters that are pointers
    uint32_t guessed;  // words of by-value parameters that are looked at for pointers
    uint32_t flags;    // enum kernel_flag
};
static_assert(sizeof(struct record_kernel) == 32, "record_kernel layout");

enum named { NAMED_THREAD = 1, NAMED_ACTOR = 2, NAMED_EVENT = 3 };
struct record_name {
    struct record_head head;
    uint64_t which; // a thread's number in the system; of an actor or an event its id
    uint32_t what;  // enum named
    uint32_t spare;
};
static_assert(sizeof(struct record_name) == 24, "record_name layout");

// What is known of device work, by the number that the profiling library has for a call: the op it
// was given by, and when the device did it. In any order, and of one call perhaps several times.
#define DEVICE_ITEMS 256
struct device_op {
    uint64_t ticket_c;
    uint32_t correlation;
    uint32_t spare;
};
static_assert(sizeof(struct device_op) == 16, "device_op layout");

struct device_time {
    uint32_t correlation;
    uint32_t kind;      // of CUPTI's record
    int64_t start, end; // ns, CLOCK_MONOTONIC
};
static_assert(sizeof(struct device_time) == 24, "device_time layout");
