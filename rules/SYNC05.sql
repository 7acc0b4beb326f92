/*
id = "SYNC05"
name = "wait for an event never recorded"
family = "sync"
rows = "advice"
severity = "note"
rank = 34
view = "wait"
message = "{first} waits for nothing, since {what} is recorded nowhere in the run"
why = """
A wait for an event that was not recorded returns at once, or orders nothing, without an error. The
edge that the call is there for is missing, silently: an event of another slot or device was
recorded, or the record is under a condition that the wait is not under.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "done0" },
  { op = "event_sync", event = "done0" },
  { op = "event_wait", stream = "S2", event = "done1" },
  { op = "kernel", stream = "S2", reads = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S2" },
]
good = [
  { op = "event_sync", event = "slot0" },
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "slot0" },
  { op = "event_sync", event = "slot0" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
fix = """
Record the event that is waited for, on the stream whose work is meant, before the wait; or take the
wait out.
"""
limits = """
The empty waits in the first lap of a ring are not told: their events are recorded later in the run.
An event that another process records looks the same as one never recorded. Says nothing of a trace
with lost records.
"""
sources = [
  "CUDA Runtime API, cudaStreamWaitEvent: no effect if the event was not recorded",
]
*/

-- Waits that found no record, of events that no call of the run records, signals or captures.
WITH recorded AS (
  SELECT event FROM op
  WHERE kind NOT IN (
    'event_wait', 'event_sync', 'event_query', 'event_create', 'event_destroy',
    'thread_wait', 'thread_join', 'mutex_lock', 'acquire'
  )
    AND NOT regexp_matches(flags, 'failed|refused')
)
SELECT
  w.level, w.site, e.name AS part, any_value(e.name) AS what, list(w.op ORDER BY w.op) AS ops,
  count(*) AS count, sum(w.host_ns) AS cost_ns, NULL AS size_bytes, NULL AS access
FROM wait AS w
JOIN event AS e ON e.id = w.event
WHERE w.reach IS NULL
  AND NOT regexp_matches(w.flags, 'foreign')
  AND w.event NOT IN (SELECT event FROM recorded)
  AND NOT EXISTS (FROM gap)
GROUP BY w.level, w.site, e.name
