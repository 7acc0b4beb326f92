/*
id = "RACE01"
name = "read-after-write"
family = "race"
severity = "error"
rank = 20
view = "conflict"
message = "{second} reads {buffer} while {first} may still write it"
why = """
A reader on one timeline takes bytes that a writer on another timeline has perhaps not written
yet. Nothing orders the two, so the reader gets old, new or mixed bytes, and which of them can
change with the machine, the driver or the load.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "kernel", stream = "S2", reads = [["x", 0, 4096]] },
  { op = "device_sync" },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_wait", stream = "S2", event = "e" },
  { op = "kernel", stream = "S2", reads = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S2" },
]
fix = """
Record an event on the writer's stream after the write and let the reader's stream wait for it.
The host need not wait.
"""
limits = """
A pair is looked for in the recorded run only. Bytes that the recorder could not see are counted
as coverage and prove no race.
"""
sources = [
  "CUDA C++ Programming Guide, Streams: no order between streams without an event or a wait",
  "ggml-org/llama.cpp#26167: the same kind of report within ggml's scheduler",
]
*/

-- The second access reads what the first wrote.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict
WHERE hazard = 'read-after-write'
