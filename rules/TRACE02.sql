/*
id = "TRACE02"
name = "not watched"
family = "trace"
severity = "note"
rank = 41
view = "coverage"
message = "not all of the run was seen: {what}"
why = """
Some ranges, modes or host memory were not known or not watched in this run. Unknown accesses
prove no race; for the need of a sync they count as touching everything. A clean check is clean
for what was watched.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
bad_meta = { coverage = { unwatched_host_bytes = 1048576 } }
fix = """
Nothing is wrong. Read the counters as the size of the blind spot.
"""
limits = """
Counts what the recorder knows that it does not see.
"""
sources = [
  "docs/trace.md, meta.json",
]
*/

-- Every counter of coverage that is not zero.
SELECT what, count FROM coverage
