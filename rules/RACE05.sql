/*
id = "RACE05"
name = "graph input rewritten in flight"
family = "race"
severity = "error"
rank = 10
view = "conflict"
message = "{second} rewrites {buffer}, an input of {first}, while it may still be in flight"
why = """
A graph reads its inputs for as long as it runs, at addresses fixed when it was captured or built.
The next step's inputs were written to the same place before the launch was known to be done. This
is the second of the two rules on which pipelined inference hangs.
"""
bad = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "graph_launch", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]], attrs = { graph = "G" } },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "graph_launch", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]], attrs = { graph = "G" } },
  { op = "event_record", stream = "S1", event = "done" },
  { op = "event_sync", event = "done" },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "graph_launch", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]], attrs = { graph = "G" } },
  { op = "stream_sync", stream = "S1" },
]
fix = """
Give the input one more slot and take the slots in turn, waiting for the event of the launch that
last read the slot; or wait for the launch before rewriting. A graph that keeps its addresses
needs a copy into its input on its own stream.
"""
limits = """
A graph's ranges are known as well as its recorder knows them: ggml graphs exactly but for whole-
cache views, which are upper bounds and give a warning instead.
"""
sources = [
  "ggml-org/llama.cpp#20927: inputs were set while the previous graph was in flight",
  "ggml-org/llama.cpp#28056: the same on a unified-memory device",
]
*/

-- A graph launch reads; the host, a copy or a fill writes later without order. A later launch or
-- kernel that writes is a plain write-after-read.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict
WHERE hazard = 'write-after-read'
  AND first_kind = 'graph_launch'
  AND second_kind NOT IN ('graph_launch', 'kernel', 'host_func')
