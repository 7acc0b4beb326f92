/*
id = "COPY03"
name = "copy on unified memory"
family = "copy"
rows = "advice"
severity = "note"
rank = 52
view = "copy_side"
message = "{first} copies {what} between host and device, which both reach the same memory"
why = """
Managed memory, and all memory of a device that is integrated, is reached by host and device at the same
address. A copy from one side to the other moves bytes that could have been used where they are; of
managed memory it may move pages back and forth as well.
"""
bad = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_managed", writes = [["m", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["m", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
fix = """
Let the producer write, or the consumer read, the memory in place. Then the order between the two has to
be made explicitly: without the copy the device reads the host's own bytes while the host may rewrite
them (RACE04, RACE05).
"""
limits = """
An integrated device is known only by memory that the trace calls a device's own and yet reachable by
the host. Copies that move data on purpose, out of a buffer that is refilled at once, are told too.
"""
sources = [
  "ggml-org/llama.cpp#28056: inputs read in place on a device with unified memory",
]
*/

-- Copies between host and device of which one side is managed, or a device's memory that the host
-- reaches.
SELECT
  c.level, c.site, c.name AS part, any_value(c.name) AS what,
  list(DISTINCT c.op ORDER BY c.op) AS ops,
  count(DISTINCT c.op) AS count, sum(c.host_ns) AS cost_ns, sum(c.size_bytes) AS size_bytes,
  arg_min(c.access, c.op) AS access
FROM copy_side AS c
WHERE (
    c.memory = 'managed'
    OR (c.device >= 0 AND c.memory IN ('pinned', 'registered', 'mapped', 'host'))
  )
  AND (
    regexp_matches(c.kind, 'h2d|d2h|tensor_(set|get)')
    OR EXISTS (FROM copy_side AS o WHERE o.op = c.op AND o.mode <> c.mode AND o.device < 0)
  )
GROUP BY c.level, c.site, c.name
