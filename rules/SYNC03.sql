/*
id = "SYNC03"
name = "avoidable sync"
family = "sync"
severity = "note"
rank = 32
view = "avoidable"
message = "{first} stops the host between launches {instead}"
why = """
The order needs this wait, but only because the host reads a few bytes that the device wrote before
it can launch what comes next: the device has nothing to do meanwhile, and the wait costs far more
than the bytes. No other sync would do: only another design goes without the read.
"""
bad = [
  { op = "alloc_pinned", writes = [["h", 0, 4]] },
  { op = "kernel", stream = "S1", writes = [["len", 0, 4]] },
  { op = "memcpy_async_d2h", stream = "S1", reads = [["len", 0, 4]], writes = [["h", 0, 4]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["h", 0, 4]] },
  { op = "kernel", stream = "S1", reads = [["len", 0, 4]], writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "kernel", stream = "S1", writes = [["len", 0, 4]] },
  { op = "kernel", stream = "S1", reads = [["len", 0, 4]], writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
fix = """
Keep the value on the device and let kernels read it there, use an upper bound that the host knows,
read the value one step later behind an event, or launch the next step before the read.
"""
limits = """
Advice, no proof that the program can do without: a note. Few bytes are up to 4096 after one wait,
all that the host reads there taken together. Of a place all needed pairs must be such reads, and
at least half of its waits must be followed by launches of the same thread. Silent where records
were lost, and where a narrower wait is enough (SYNC02).
"""
sources = ["sgl-project/sglang#27979: lengths read back in every step, where a bound would do"]
*/

-- Every place at which nothing but a read of few bytes needs the wait.
SELECT
  a.profile, a.level, a.site, 'avoidable' AS verdict, a.how AS why, a.ops,
  len(a.ops) AS count, a.blocked_ns AS cost_ns
FROM avoidable AS a
ORDER BY cost_ns DESC, ops
