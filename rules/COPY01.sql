/*
id = "COPY01"
name = "pageable async copy"
family = "copy"
rows = "advice"
severity = "note"
rank = 50
view = "copy_side"
message = "{first} is asynchronous by name only, since {what} is pageable memory"
why = """
The device cannot read or write pageable memory by itself. The runtime copies through a buffer of its
own, in pieces, and mostly keeps the host in the call for it: to the host always, to the device for all
but small copies. Nothing overlaps, and the copy runs at a fraction of the speed.
"""
bad = [
  { op = "alloc_pageable", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
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
Allocate the host side page-locked, or register it once. Then wait for the copy before the host touches
its memory again: with pageable memory the runtime did that for you (RACE04).
"""
limits = """
Needs the kind of the host memory in the trace. Small copies that are staged within the call cost
little.
"""
sources = [
  "CUDA Runtime API, API synchronization behavior: pageable memory",
]
*/

-- Asynchronous copies of which one side was pageable at the call.
SELECT
  c.level, c.site, c.name AS part, any_value(c.name) AS what, list(c.op ORDER BY c.op) AS ops,
  count(*) AS count, sum(c.host_ns) AS cost_ns, sum(c.size_bytes) AS size_bytes,
  arg_min(c.access, c.op) AS access
FROM copy_side AS c
WHERE c.kind LIKE '%async%' AND c.memory = 'pageable'
GROUP BY c.level, c.site, c.name
