/*
id = "LIFE01"
name = "freed while in flight"
family = "life"
severity = "error"
rank = 1
view = "conflict"
message = "{second} {second_verb} {buffer} while {first} may still {first_verb} it"
why = """
Memory was given back while a device may still read or write it: the copy then reads somebody
else's bytes, or writes into them. Some frees wait for the device by themselves, but no
documentation promises it of every one.
"""
bad = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "free_host", writes = [["h", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "free_host", writes = [["h", 0, 4096]] },
]
fix = """
Free after a wait for the last use, or free in stream order on the stream of the last use. Memory
that lives in a scope of the host must outlive the copy it feeds.
"""
limits = """
A free of memory that no recorded op touches is not judged.
"""
sources = [
  "ggml-org/llama.cpp#25676: a host buffer freed while a copy into it was pending",
  "opencv/opencv#9627: constants of a local scope fed to an async copy",
]
*/

-- One of the two ops ends the life of the bytes.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict
WHERE is_free(second_kind) OR is_free(first_kind)
