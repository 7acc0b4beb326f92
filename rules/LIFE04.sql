/*
id = "LIFE04"
name = "unregistered in flight"
family = "life"
severity = "error"
rank = 1
view = "conflict"
message = "{second} {second_verb} {buffer} while {first} may still {first_verb} it"
why = """
Registered host memory is page-locked and mapped for the device until it is unregistered. A copy or
kernel that still runs then reads or writes through a mapping that is gone: it faults, or it touches
pages that the kernel has given to somebody else.
"""
bad = [
  { op = "alloc_pageable", writes = [["h", 0, 4096]] },
  { op = "host_register", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "host_unregister", writes = [["h", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_pageable", writes = [["h", 0, 4096]] },
  { op = "host_register", writes = [["h", 0, 4096]] },
  { op = "alloc_device", writes = [["d", 0, 4096]] },
  { op = "host_write", writes = [["h", 0, 4096]] },
  { op = "memcpy_async_h2d", stream = "S1", reads = [["h", 0, 4096]], writes = [["d", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_unregister", writes = [["h", 0, 4096]] },
]
fix = """
Unregister after a wait for the last use.
"""
limits = """
Some runtimes wait within the call. That is a habit: under a profile that has it the finding is
latent. A call that does not say which bytes it concerns is not judged.
"""
sources = [
  "CUDA Runtime API, cudaHostUnregister: unmaps the range and makes it pageable again",
]
*/

-- One of the two ops takes the mapping away.
SELECT
  id AS conflict, profile, level, verdict, first_op, second_op, first_access, second_access,
  lo_byte, hi_byte, count
FROM conflict
WHERE second_kind = 'host_unregister' OR first_kind = 'host_unregister'
