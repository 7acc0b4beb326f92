/*
id = "RACE03"
name = "write-after-write"
family = "race"
severity = "error"
rank = 20
view = "conflict"
message = "{second} overwrites {buffer} while {first} may still write it"
why = """
Two writers on two timelines touch the same bytes and nothing says which comes last. What is left
in the buffer is one, the other or a mixture.
"""
bad = [
  { op = "memset_async", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "kernel", stream = "S2", writes = [["x", 0, 4096]] },
  { op = "device_sync" },
]
good = [
  { op = "memset_async", stream = "S1", writes = [["x", 0, 2048]] },
  { op = "kernel", stream = "S2", writes = [["x", 2048, 2048]] },
  { op = "device_sync" },
]
fix = """
Put both writes on one stream, or record an event after the first and let the second's stream wait
for it. Writers of different bytes need no order.
"""
limits = """
A pair is looked for in the recorded run only. Bytes that the recorder could not see are counted
as coverage and prove no race.
"""
sources = [
  "CUDA C++ Programming Guide, Streams",
  "ggml-org/llama.cpp#25195: two submits of one Vulkan queue wrote the same bytes",
]
*/

-- Both accesses write.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict
WHERE hazard = 'write-after-write'
