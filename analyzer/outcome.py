"""What the order stage hands to the rules: racy pairs, judged syncs and their need, proposals."""

import pyarrow as pa

U8, U32, U64, STR = pa.uint8(), pa.uint32(), pa.uint64(), pa.string()

CONFLICTS = pa.schema(
    [
        ("profile", STR),
        ("level", U8),
        ("verdict", STR),
        ("hazard", STR),
        ("first_op", U64),
        ("second_op", U64),
        ("first_access", U32),
        ("second_access", U32),
        ("storage", U32),
        ("lo", U64),
        ("hi", U64),
        ("first_site", U32),
        ("second_site", U32),
        ("count", U64),
        ("worst_first_op", U64),  # of the group: the pair with most bytes in common
        ("worst_second_op", U64),
        ("worst_lo", U64),
        ("worst_hi", U64),
        ("first_actor", U32),
        ("second_actor", U32),
        ("known_op", U64),
        ("present_op", U64),
        ("hidden_by", STR),
    ]
)
# Groups of ordered pairs that need a sync site: in each pass that judges one row a group.
NEEDED = pa.schema(
    [
        ("profile", STR),
        ("level", U8),
        ("sync_site", U32),
        ("first_site", U32),
        ("second_site", U32),
        ("storage", U32),
        ("hazard", STR),
        ("needed", U64),  # second ops, with what was not seen assumed; 0: not in this pass
        ("proven", U64),  # second ops of accesses that were seen; 0: not in this pass
        ("sync_op", U64),
        ("first_op", U64),
        ("second_op", U64),
        ("first_access", U32),
        ("second_access", U32),
        ("first_actor", U32),
        ("second_actor", U32),
    ]
)
NEEDS = pa.schema(
    [
        ("profile", STR),
        ("level", U8),
        ("site", U32),
        ("instances", U64),
        ("implied", U64),
        ("needed", U64),
        ("proven", U64),
        ("final", U64),
        ("unrecorded", U64),
        ("blocked_ns", U64),
        ("first_op", U64),
        ("last_op", U64),
        ("made_by", U32),  # site of the other layer's sync that makes these; null: none
    ]
)
# Over-broad and avoidable places: what stands in place of the first sync, or what it serves.
PROPOSALS = pa.schema(
    [
        ("profile", STR),
        ("level", STR),
        ("site", U32),
        ("how", STR),
        ("ops", pa.list_(U64)),
        ("blocked_ns", U64),
        ("event", U32),
        ("record_op", U64),
        ("before_op", U64),
        ("streams", pa.list_(U32)),
        ("recorded_on", pa.list_(U32)),
        ("write_op", U64),
        ("read_op", U64),
        ("bytes", U64),
    ]
)
