/*
id = "SYNC02"
name = "over-broad sync"
family = "sync"
severity = "warning"
rank = 31
view = "over_broad"
message = "{first} waits for more than it must: {instead}"
why = """
A host wait for a stream or a device holds the host until all work given to it is done, and leaves
the device without work meanwhile. Of this one some pairs of conflicting accesses need only a part:
a wait of the stream that comes next, an event recorded before the later work, or the same wait
behind the launches that follow. The trace was ordered again with the narrower wait at every one
of these calls: no pair lost its order.
"""
bad = [
  { op = "alloc_pinned", writes = [["h", 0, 64]] },
  { op = "kernel", stream = "S1", writes = [["tok", 0, 64]] },
  { op = "memcpy_async_d2h", stream = "S1", reads = [["tok", 0, 64]], writes = [["h", 0, 64]] },
  { op = "event_record", stream = "S1", event = "e_tok" },
  { op = "kernel", stream = "S1", writes = [["kv", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["h", 0, 64]] },
]
good = [
  { op = "alloc_pinned", writes = [["h", 0, 64]] },
  { op = "kernel", stream = "S1", writes = [["tok", 0, 64]] },
  { op = "memcpy_async_d2h", stream = "S1", reads = [["tok", 0, 64]], writes = [["h", 0, 64]] },
  { op = "event_record", stream = "S1", event = "e_tok" },
  { op = "kernel", stream = "S1", writes = [["kv", 0, 4096]] },
  { op = "event_sync", event = "e_tok" },
  { op = "host_read", reads = [["h", 0, 64]] },
]
fix = """
Put what the finding names in the place of the call, or keep the call under the condition that
needs it. Take one such place at a time, record and check again with the other settings, devices
and shapes that you ship.
"""
limits = """
Holds for the recorded run, under documented edges alone, strict host order, unseen accesses
assumed. Silent where records were lost and where only unseen accesses need the wait. Tried are
at most three places that record events, by the thread that waits, before what is waited for, on
that stream or one whose event it had waited for; one event for each wait; waits that streams make
are not looked at. An event that is to be recorded anew needs a backend that has events. The end
of a program may be left without a wait: keep one there. Beyond 2 million ops x passes places are
left out, and counted, unless `--select SYNC02` asks for them.
"""
sources = [
  "vllm-project/vllm#22760: wait for the event of one small copy, not for the stream",
  "NVIDIA/thrust#1255: wait for the caller's stream, not for the device",
]
*/

-- Every place at which a narrower wait was proven to be enough.
SELECT
  o.profile, o.level, o.site, 'over-broad' AS verdict, o.how AS why, o.ops,
  len(o.ops) AS count, o.blocked_ns AS cost_ns
FROM over_broad AS o
ORDER BY cost_ns DESC, ops
