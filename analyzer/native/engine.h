// The order engine: one streaming pass over the ops of a trace in ticket order.
// Happens-before by segment clocks, racy pairs by range islands, redundant syncs by avoidance clocks.
// C interface for ctypes. Arrays belong to the caller unless said otherwise.
#pragma once
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Where an access happens.
enum st_place { ST_NOWHERE = 0, ST_HOST = 1, ST_STREAM = 2, ST_QUEUE = 3 };

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
};

// What one kind of op (with one kind of host memory) does under the pass's profile and edge classes.
struct st_placement {
    uint8_t reads;   // st_place
    uint8_t writes;  // st_place
    uint8_t judged;  // 1: a sync whose need is judged
    uint8_t spare;
    uint32_t edges;  // st_edge, or-ed
};

// One distinct access as this pass sees it. Ranges lie in one flat space: storages side by side.
struct st_range {
    uint64_t lo, hi;   // empty: the access does not count in this pass
    uint8_t reads;     // 1: counts as a read
    uint8_t writes;    // 1: counts as a write
    uint8_t memory;    // MemoryKind of a host-side range, else 0: selects the placement
    uint8_t result;    // 1: host memory that a device may write: an unseen host read is anchored
};
#ifdef __cplusplus
}
#endif
