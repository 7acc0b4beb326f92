/*
id = "RACE04"
name = "host touch of a buffer in flight"
family = "race"
severity = "error"
rank = 15
view = "conflict"
message = "{second} {second_verb} {buffer} while {first} may still {first_verb} it"
why = """
An async copy or launch returns at once; it reads its source and writes its destination later. The
host wrote the source again, or read the destination, without having waited for it. With pinned
memory the device really does read late; with pageable memory the same code happens to work,
because the runtime stages the bytes first. This is the first of the two rules on which pipelined
inference hangs.
"""
bad = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "copied" },
  { op = "event_sync", event = "copied" },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
fix = """
Record an event behind the copy and wait for it on the host before the next touch, or fill another
slot and wait for the event of that slot's last copy. A device-wide sync is more than is needed.
"""
limits = """
Host stores are no API calls: the recorder sees those it is told of and those that change the
content of watched memory. A store of the same value is not seen.
"""
sources = [
  "ggml-org/llama.cpp#8897: the host overwrote an input whose copy had not run",
  "vllm-project/vllm#47644: staging memory refilled while its copy was pending",
]
*/

-- One access happens on a host thread, the other on a device timeline.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict
WHERE first_on <> second_on
