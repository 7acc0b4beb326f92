/*
id = "LIFE03"
name = "reused in flight"
family = "life"
severity = "error"
rank = 2
view = "conflict"
message = "{second} {second_verb} {buffer}, handed out again, while {first} may still {first_verb} it"
why = """
An allocator handed the same bytes to a new owner whose stream is not ordered after the old
owner's last use. Caching allocators order reuse by the stream of the allocation only, plus the
streams that were recorded on the block; stream-ordered pools by the streams of free and
allocation.
"""
bad = [
  { op = "cache_alloc", stream = "S0", writes = [["b", 0, 4096]] },
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "kernel", stream = "S0", writes = [["b", 0, 4096]] },
  { op = "event_record", stream = "S0", event = "e" },
  { op = "event_wait", stream = "S1", event = "e" },
  { op = "memcpy_async_d2h", stream = "S1", reads = [["b", 0, 4096]], writes = [["h", 0, 4096]] },
  { op = "cache_free", writes = [["b", 0, 4096]] },
  { op = "cache_alloc", stream = "S0", writes = [["b", 0, 4096]] },
  { op = "kernel", stream = "S0", writes = [["b", 0, 4096]] },
  { op = "device_sync" },
]
good = [
  { op = "alloc_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "kernel", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "free_async", stream = "S1", writes = [["b", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_wait", stream = "S2", event = "e" },
  { op = "alloc_async", stream = "S2", writes = [["b", 0, 4096]] },
  { op = "kernel", stream = "S2", writes = [["b", 0, 4096]] },
  { op = "stream_sync", stream = "S2" },
]
fix = """
Tell the allocator of every stream that uses the block (record_stream) before it is freed, or let
the freeing stream wait for the other's last use first.
"""
limits = """
Needs the allocator's own calls in the trace. A pool may have internal order that the trace cannot
see.
"""
sources = [
  "pytorch/pytorch#18465: a flattened buffer reused while a collective used it",
  "sgl-project/sglang#34076: index buffers reused across streams",
]
*/

-- The bytes got a new owner between the two ops, or one of the two is the allocation itself.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict AS c
WHERE first_kind = 'alloc_async'
  OR second_kind = 'alloc_async'
  OR EXISTS (
    FROM life AS l
    WHERE l.kind IN ('alloc_async', 'cache_alloc')
      AND l.storage = c.storage
      AND l.op > c.first_op
      AND l.op < c.second_op
      AND l.lo_byte < c.hi_byte
      AND c.lo_byte < l.hi_byte
  )
