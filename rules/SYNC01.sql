/*
id = "SYNC01"
name = "needless sync"
family = "sync"
severity = "warning"
rank = 30
view = "needless"
message = "{first} orders nothing that is not ordered already"
why = """
A sync holds the host or a stream back so that later work sees earlier work done. Of this one
every pair of conflicting accesses in the trace keeps its order without it, under documented edges
alone and with unseen host accesses assumed: a result may be read, and the source of a copy
rewritten, as soon as the host has waited for it. What it costs is the time it blocks and the
overlap it prevents.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "kernel", stream = "S1", reads = [["x", 0, 4096]], writes = [["y", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "alloc_pinned", writes = [["h", 0, 4096]] },
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "memcpy_async_d2h", stream = "S1", reads = [["x", 0, 4096]], writes = [["h", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["h", 0, 4096]] },
]
fix = """
Remove the call, or keep it under the condition that needs it. Check again with the other
settings, devices and shapes that you ship: a sync needless here can be needed there.
"""
limits = """
Holds for the recorded run. The program's last sync and waits on events never recorded are not
reported, and nothing is where records were lost: a lost access may have needed the call. Implied
syncs (the waiter knew it all already) can go together. Unneeded ones are judged one place at a
time: take one out, record, check again. A host wait for the end of a copy from host memory, or of
work that reads host memory in place, counts as needed by a store behind it that no call tells. If
the program never stores there, tell its stores (`host_write`): none but these are assumed then.
"""
sources = [
  "ggml-org/llama.cpp#20793: syncs between the copies of a token, sassassasg to saaasg",
  "ggml-org/llama.cpp#17795: fewer syncs between tokens",
]
*/

-- Every sync made at a needless place. The last one of all ends the program: it is told only where
-- it is implied.
SELECT
  n.profile, n.level, n.site, 'provable' AS verdict, n.why, list(o.op ORDER BY o.op) AS ops,
  any_value(n.count) AS count, any_value(n.blocked_ns) AS cost_ns
FROM needless AS n
JOIN needless_op AS o ON o.site = n.site
WHERE n.why = 'implied' OR o.op <> (SELECT max(m.last_op) FROM need AS m WHERE m.level = n.level)
GROUP BY n.profile, n.level, n.site, n.why
ORDER BY cost_ns DESC, ops
