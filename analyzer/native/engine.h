// The order engine: one streaming pass over the ops of a trace in ticket order.
// Happens-before by segment clocks, racy pairs by range islands, needless syncs by avoidance
// clocks. C interface for ctypes. Arrays given belong to the caller; arrays got live as long as the
// engine. Results are valid after st_finish.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where an access happens.
enum st_place { ST_NOWHERE = 0, ST_HOST = 1, ST_STREAM = 2, ST_QUEUE = 3, ST_LOOSE = 4 };

// Edges an op may give, as bits of st_placement.edges (docs/internals.md).
enum st_edge {
    ST_LAUNCH = 1 << 0,
    ST_AFTER_PEER = 1 << 1,
    ST_AFTER_ACTOR = 1 << 2,
    ST_ACTOR_WAITS = 1 << 3,
    ST_RECORDS = 1 << 4,
    ST_ACTOR_WAITS_EVENT = 1 << 5,
    ST_HOST_WAITS_EVENT = 1 << 6,
    ST_HOST_WAITS_ACTOR = 1 << 7,
    ST_HOST_WAITS_DEVICE = 1 << 8,
    ST_HOST_WAITS_ALL = 1 << 9,
    ST_SIGNALS = 1 << 10,
    ST_HOST_WAITS_SIGNAL = 1 << 11,
    ST_GRAPH_ORDER = 1 << 12,
    ST_LEGACY = 1 << 13,
    ST_OWNER_RECORD = 1 << 14,
    ST_OWNER_FREE = 1 << 15,
    ST_OWNER_ALLOC = 1 << 16,
    ST_PEER_WAITS = 1 << 17,
    ST_HOST_WAITS_PRIOR = 1 << 18,
    ST_AFTER_DEVICES = 1 << 19,
    ST_DEVICES_WAIT = 1 << 20,
    ST_LEGACY_OF_PEER = 1 << 21,
    ST_RECORDS_START = 1 << 22,
    ST_RELEASES = 1 << 23,
};

// What one kind of op (of one class of memory and size and with one set of flags) does in this
// pass.
struct st_placement {
    uint8_t reads;    // st_place
    uint8_t writes;   // st_place
    uint8_t judged;   // 1: a sync whose need is judged
    uint8_t results;  // 1: what it writes to host memory is read when the host has waited for it
    uint8_t rewrites; // 1: the host memory it reads is written when the host has waited for it
    uint8_t frees;    // 1: its storage is not used after it, but to be reported
    uint8_t pool;     // 1: a call of a stream-ordered pool, which gives freed storages a new life
    uint32_t edges;   // st_edge, or-ed
    uint32_t habit_edges; // those of them that are no plain promise
    uint32_t habit;       // number of the statement that gives them
};

// How the placement of one kind of op is found. Rows first + ((m * (sizes + 1) + s) << flags) + v:
// m: class of its memory; s: thresholds that are not above its size; bit i of v: it has flag i.
struct st_kind {
    uint32_t first; // of its placements; the kinds without any share one of zeros
    uint32_t flags, first_flag;
    uint32_t sizes, first_size;
    uint8_t memory[9]; // MemoryKind to class; class 0: unknown memory
};

// What of the host's own touches of this memory is not in the trace.
enum st_host {
    ST_READS_UNSEEN = 1,  // host memory: a result there may be read
    ST_STORES_UNSEEN = 2, // host memory whose stores are not told: a source there may be rewritten
};

// How much of its storage an access touches.
enum st_extent { ST_PART = 0, ST_WHOLE = 1, ST_EVERYTHING = 2 };

// Distinct accesses as this pass sees them, column by column, by access id from 0. Ranges lie in
// one flat space: storages side by side. An empty range does not count. Copied by st_new.
struct st_ranges {
    uint64_t count;
    const uint64_t *lo, *hi;
    const uint64_t *pitch, *width, *height; // strided: height rows of width bytes; pitch 0: linear
    const uint64_t *bytes;   // what it may touch, whatever part counts: selects the placement
    const uint32_t *storage; // whose bytes these are; owner of caching allocators' blocks
    const uint8_t *reads;    // 1: counts as a read
    const uint8_t *writes;   // 1: counts as a write
    const uint8_t *memory;   // MemoryKind of a host-side range, else 0: selects the placement
    const uint8_t *host;     // st_host, or-ed
    const uint8_t *extent;   // st_extent; ST_EVERYTHING: unknown, conflicts with all bytes
};

// From this ticket on, the access is to memory of another kind.
struct st_change {
    uint64_t ticket;
    uint32_t access;
    uint8_t memory;
};

// Records were lost between these tickets.
struct st_gap {
    uint64_t first, last;
};

// When work that another thread gave to the same stream is before work given to it now: by ticket;
// if that call has returned; if the thread knows of that call.
enum st_issue { ST_BY_TICKET = 0, ST_BY_RETURN = 1, ST_BY_HOST = 2 };

// What a judged sync is keyed by, and so what the avoidance clocks answer.
// ST_EDGES: nothing is judged by keys, every edge is kept (st_history).
enum st_keys { ST_NO_KEYS = 0, ST_SITES = 1, ST_HABITS = 2, ST_EDGES = 3 };

struct st_config {
    uint64_t actors;             // ids 0 .. actors - 1; ops that name others order everything
    const uint8_t *actor_kind;   // ActorKind
    const uint32_t *actor_flags; // StreamFlag
    const int32_t *actor_device; // -1: host
    const uint8_t *actor_shared; // 1: more than one thread deals with this stream; null: with none
    struct st_ranges ranges;
    uint64_t sets; // access_set ids 0 .. sets - 1
    const uint64_t *set_offsets;
    const uint32_t *set_members;
    uint64_t gaps;
    const struct st_gap *gap; // ascending, none meets another
    uint64_t changes;
    const struct st_change *change; // by ticket
    const struct st_kind *kind;     // 128
    uint64_t placements;
    const struct st_placement *placement;
    const uint32_t *flag; // one bit each
    const uint64_t *size; // thresholds in bytes; those of a kind ascend
    uint8_t levels;       // bit set of Levels whose ops count
    uint8_t beside;       // the same: whose ops are work of the host, where no other call did it
    uint8_t issue;        // st_issue
    uint8_t strict;       // 1: returns of other threads order nothing
    uint8_t keep_pairs;   // 1: keep every racy pair found, not one a group
    uint8_t keys;         // st_keys
    uint8_t keep_needed;  // 1, with ST_SITES: keep which pairs need each site
    uint8_t dependent;    // 1: what came before a stream's last kernel can matter
    uint8_t across;       // 1: only pairs on different devices count (the host is one)
};

// Rows of table op by ticket_c. Null: the column is zero throughout (levels: every row counts).
struct st_batch {
    uint64_t rows;
    const uint64_t *id, *ticket_c, *ticket_r;
    const uint8_t *kind, *level;
    const uint32_t *flags, *thread, *actor, *peer, *event, *graph;
    const int32_t *access_offsets;
    const uint32_t *accesses;
    const uint32_t *access_set, *site;
    const int32_t *device;
    const int64_t *t_c, *t_r;
};

enum st_hazard { ST_READ_AFTER_WRITE = 0, ST_WRITE_AFTER_READ = 1, ST_WRITE_AFTER_WRITE = 2 };

// A racy pair: the first of its group (sites, hazard, storage), or every one with keep_pairs.
struct st_conflict {
    uint64_t first_op, second_op; // in trace order
    uint64_t lo, hi;              // overlap in the flat space
    uint64_t count;               // second ops of the group
    // Of the group: the pair that has most bytes in common, the first of several.
    uint64_t worst_first_op, worst_second_op, worst_lo, worst_hi;
    // Of the accesses as they are met: how much of the earlier one's timeline the later one's
    // knows. It grows with that, and is 0 for nothing.
    uint64_t known;
    // Where they are met in trace order: the last op of that timeline that is known, and the sync
    // that gave that knowledge; or ST_NONE.
    uint64_t known_op, present_op;
    uint32_t first_access, second_access;
    uint32_t first_site, second_site;
    uint32_t first_actor, second_actor;
    uint32_t storage;
    uint8_t hazard;
};

static const uint64_t ST_NONE = ~(uint64_t)0;

// What one judged sync site did.
struct st_need {
    uint64_t instances, implied, needed, final, unrecorded;
    int64_t blocked_ns;
    uint64_t first_op, last_op;
    uint32_t site;
};

// With keep_needed: pairs that are ordered and would not be without all calls of one judged sync
// site, by sites, storage and hazard. Where something races, earlier accesses to the same bytes may
// need a sync: that is counted in st_need.needed and has no pair here.
struct st_needed_pair {
    uint64_t first_op, second_op; // of the first such pair, in trace order
    uint64_t sync_op;             // the last call of the site on the way; ST_NONE: not known
    uint64_t count;               // second ops of the group
    uint32_t sync_site, first_site, second_site, storage;
    uint32_t first_access, second_access;
    uint32_t first_actor, second_actor;
    uint8_t hazard;
};

// A pair that one habit alone orders.
struct st_hidden_pair {
    uint32_t first_site, second_site, storage;
    uint32_t habit; // number of the statement * 32 + bit number of the edge
    uint8_t hazard;
};

// What ST_EDGES keeps, column by column.
enum st_column {
    // Edges: uint64 ops, uint32 timelines, uint8 instants (C, Q, S, E, R).
    ST_FROM_OP,
    ST_TO_OP,
    ST_FROM_TIMELINE,
    ST_TO_TIMELINE,
    ST_FROM_INSTANT,
    ST_TO_INSTANT,
    ST_KEY,       // uint32: number of the statement * 32 + bit number of the edge; or st_implicit
    ST_FIRST_KEY, // the same of the edge by which the event, signal or block came to stand for it
    // Parts of the work of ops, one or two an op: uint64 op; uint32 timeline, uint64 position on
    // it; uint8 instant at which it begins. It begins after what is on timeline `own` at lower
    // positions, and on others up to the positions of clock `known`. Lost: records were being lost.
    ST_PART_OP,
    ST_PART_TIMELINE,
    ST_PART_POSITION,
    ST_PART_INSTANT,
    ST_PART_OWN,
    ST_PART_KNOWN,
    ST_PART_LOST,
    // Clocks: uint64 positions by timeline, those of clock i from end i to end i + 1.
    ST_CLOCK_END,
    ST_CLOCK_POSITION,
    ST_TIMELINE_ACTOR, // uint32
};

// Edges without a statement: order of what was lost, within an op, of calls of a thread, of work of
// a stream, of calls of different threads as observed; or no edge.
enum st_implicit {
    ST_OF_RETURN = -6,
    ST_OF_STREAM = -5,
    ST_OF_THREAD = -4,
    ST_OF_CALL = -3,
    ST_OF_LOST = -2,
    ST_NO_EDGE = -1
};

struct st_stats {
    uint64_t rows;       // fed
    uint64_t effective;  // of the pass's levels, with an effect
    uint64_t accesses;   // checked
    uint64_t timelines;  // actors, copy queues and forks
    uint64_t nodes;      // of the range trees
    uint64_t missing;    // references to accesses, sets or actors that the trace lacks
    uint64_t unordered;  // rows whose ticket or id was not above the last one's
    uint64_t kinds[128]; // rows by kind, of the pass's levels, with an effect
};

struct st_engine;

// Null if memory ran out or the ranges are more than it can index.
struct st_engine *st_new(const struct st_config *config);
// 0, or 1 if memory ran out (the engine can then only be freed).
int st_feed(struct st_engine *engine, const struct st_batch *batch);
int st_finish(struct st_engine *engine);
void st_free(struct st_engine *engine);

const struct st_conflict *st_conflicts(const struct st_engine *engine, uint64_t *count);
const struct st_conflict *st_pairs(const struct st_engine *engine, uint64_t *count);
const struct st_need *st_needs(const struct st_engine *engine, uint64_t *count);
const struct st_needed_pair *st_needed_pairs(const struct st_engine *engine, uint64_t *count);
const struct st_hidden_pair *st_hidden_pairs(const struct st_engine *engine, uint64_t *count);
// A column of what ST_EDGES keeps and its length; null for no such column, or if nothing is kept.
const void *st_history(const struct st_engine *engine, int column, uint64_t *count);
const struct st_stats *st_statistics(const struct st_engine *engine);

// A C++ symbol's name as its source spells it, for st_free_name; null if it is no such symbol.
char *st_demangled(const char *name);
void st_free_name(char *name);

#ifdef __cplusplus
}
#endif
