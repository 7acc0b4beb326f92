"""Numbers and structs of native/engine.h, as ctypes has them."""

from ctypes import Structure, c_int64, c_uint8, c_uint32, c_uint64, c_void_p

MEMORIES = 9  # numbers of MemoryKind
KINDS = 128  # op kinds are below
NO_ID = 2**64 - 1  # ST_NONE

# st_keys
NO_KEYS, SITES, HABITS, EVERY_EDGE = 0, 1, 2, 3
# st_issue
BY_TICKET, BY_RETURN, BY_HOST = 0, 1, 2
# st_extent
PART, WHOLE, EVERYTHING = 0, 1, 2
# st_host
READS_UNSEEN, STORES_UNSEEN = 1, 2
# st_hazard
HAZARDS = ("read-after-write", "write-after-read", "write-after-write")


# st_column, each with its type
HISTORY = {
    "from_op": "uint64",
    "to_op": "uint64",
    "from_timeline": "uint32",
    "to_timeline": "uint32",
    "from_instant": "uint8",
    "to_instant": "uint8",
    "key": "uint32",
    "first_key": "uint32",
    "part_op": "uint64",
    "part_timeline": "uint32",
    "part_position": "uint64",
    "part_instant": "uint8",
    "part_own": "uint32",
    "part_known": "uint64",
    "part_lost": "uint8",
    "clock_end": "uint64",
    "clock_position": "uint64",
    "timeline_actor": "uint32",
}
# st_implicit as a key, and the bit number in others
OF_RETURN, OF_STREAM, OF_THREAD, OF_CALL, OF_LOST, NO_EDGE = range(2**32 - 6, 2**32)


class Placement(Structure):
    """st_placement."""

    _fields_ = [
        ("reads", c_uint8),
        ("writes", c_uint8),
        ("judged", c_uint8),
        ("results", c_uint8),
        ("rewrites", c_uint8),
        ("frees", c_uint8),
        ("pool", c_uint8),
        ("edges", c_uint32),
        ("habit_edges", c_uint32),
        ("habit", c_uint32),
    ]


class KindRow(Structure):
    """st_kind: where the placements of one kind of op are."""

    _fields_ = [
        *((name, c_uint32) for name in ("first", "flags", "first_flag", "sizes", "first_size")),
        ("memory", c_uint8 * MEMORIES),
    ]


class RangeColumns(Structure):
    """st_ranges: the accesses, column by column."""

    _fields_ = [
        ("count", c_uint64),
        *(
            (name, c_void_p)
            for name in ("lo", "hi", "pitch", "width", "height", "bytes", "storage")
        ),
        *((name, c_void_p) for name in ("reads", "writes", "memory", "host", "extent")),
    ]


class Change(Structure):
    """st_change."""

    _fields_ = [("ticket", c_uint64), ("access", c_uint32), ("memory", c_uint8)]


class Gap(Structure):
    """st_gap."""

    _fields_ = [("first", c_uint64), ("last", c_uint64)]


class ConfigStruct(Structure):
    """st_config: what a pass needs to know before the first op."""

    _fields_ = [
        ("actors", c_uint64),
        ("actor_kind", c_void_p),
        ("actor_flags", c_void_p),
        ("actor_device", c_void_p),
        ("actor_shared", c_void_p),
        ("ranges", RangeColumns),
        ("sets", c_uint64),
        ("set_offsets", c_void_p),
        ("set_members", c_void_p),
        ("gaps", c_uint64),
        ("gap", c_void_p),
        ("changes", c_uint64),
        ("change", c_void_p),
        ("kind", c_void_p),
        ("placements", c_uint64),
        ("placement", c_void_p),
        ("flag", c_void_p),
        ("size", c_void_p),
        ("levels", c_uint8),
        ("beside", c_uint8),
        ("issue", c_uint8),
        ("strict", c_uint8),
        ("keep_pairs", c_uint8),
        ("keys", c_uint8),
        ("keep_needed", c_uint8),
        ("dependent", c_uint8),
        ("across", c_uint8),
    ]


BATCH_COLUMNS = (
    *("id", "ticket_c", "ticket_r", "kind", "level", "flags", "thread", "actor", "peer"),
    *("event", "graph", "access_offsets", "accesses", "access_set", "site", "device"),
    *("t_c", "t_r"),
)


class BatchStruct(Structure):
    """st_batch: a batch of ops, column by column."""

    _fields_ = [("rows", c_uint64), *((name, c_void_p) for name in BATCH_COLUMNS)]


class Conflict(Structure):
    """st_conflict."""

    _fields_ = [
        ("first_op", c_uint64),
        ("second_op", c_uint64),
        ("lo", c_uint64),
        ("hi", c_uint64),
        ("count", c_uint64),
        ("worst_first_op", c_uint64),
        ("worst_second_op", c_uint64),
        ("worst_lo", c_uint64),
        ("worst_hi", c_uint64),
        ("known", c_uint64),
        ("known_op", c_uint64),
        ("present_op", c_uint64),
        ("first_access", c_uint32),
        ("second_access", c_uint32),
        ("first_site", c_uint32),
        ("second_site", c_uint32),
        ("first_actor", c_uint32),
        ("second_actor", c_uint32),
        ("storage", c_uint32),
        ("hazard", c_uint8),
    ]


class Need(Structure):
    """st_need."""

    _fields_ = [
        ("instances", c_uint64),
        ("implied", c_uint64),
        ("needed", c_uint64),
        ("final", c_uint64),
        ("unrecorded", c_uint64),
        ("blocked_ns", c_int64),
        ("first_op", c_uint64),
        ("last_op", c_uint64),
        ("site", c_uint32),
    ]


class NeededPair(Structure):
    """st_needed_pair."""

    _fields_ = [
        ("first_op", c_uint64),
        ("second_op", c_uint64),
        ("sync_op", c_uint64),
        ("count", c_uint64),
        ("sync_site", c_uint32),
        ("first_site", c_uint32),
        ("second_site", c_uint32),
        ("storage", c_uint32),
        ("first_access", c_uint32),
        ("second_access", c_uint32),
        ("first_actor", c_uint32),
        ("second_actor", c_uint32),
        ("hazard", c_uint8),
    ]


class HiddenPair(Structure):
    """st_hidden_pair."""

    _fields_ = [
        ("first_site", c_uint32),
        ("second_site", c_uint32),
        ("storage", c_uint32),
        ("habit", c_uint32),
        ("hazard", c_uint8),
    ]


class Stats(Structure):
    """st_stats."""

    _fields_ = [
        *((name, c_uint64) for name in ("rows", "effective", "accesses", "timelines", "nodes")),
        ("missing", c_uint64),
        ("unordered", c_uint64),
        ("kinds", c_uint64 * KINDS),
    ]
