/*
id = "RACE02"
name = "write-after-read"
family = "race"
severity = "error"
rank = 20
view = "conflict"
message = "{second} overwrites {buffer} while {first} may still read it"
why = """
A buffer is filled again before its last reader is known to be done: a slot of a ring that comes
round too early, a copy on another stream. The reader then works on bytes of the next step.
"""
bad = [
  { op = "kernel", stream = "S1", reads = [["x", 0, 4096]] },
  { op = "memset_async", stream = "S2", writes = [["x", 0, 4096]] },
  { op = "device_sync" },
]
good = [
  { op = "kernel", stream = "S1", reads = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_wait", stream = "S2", event = "e" },
  { op = "memset_async", stream = "S2", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S2" },
]
fix = """
Record an event after the last read and let the writer's stream wait for it, or give the buffer
one more slot and wait for the event of the slot that is about to be filled.
"""
limits = """
A pair is looked for in the recorded run only. Bytes that the recorder could not see are counted
as coverage and prove no race.
"""
sources = [
  "ggml-org/llama.cpp#18310: a device buffer written again while a copy still reads it",
  "ggml-org/llama.cpp#27572: the same across ubatches",
]
*/

-- The second access overwrites what the first reads.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict
WHERE hazard = 'write-after-read'
