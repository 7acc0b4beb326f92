/*
id = "SYNC06"
name = "event never waited for"
family = "sync"
rows = "advice"
severity = "note"
rank = 35
view = "op"
message = "{first} records an event that nothing waits for"
why = """
Recording an event costs a call and a marker on the stream. Nothing in the run waits for this one or
asks whether it is done: a wait was taken out and its record stayed, or the wait names another event,
and then an edge is missing.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "stream_sync", stream = "S1" },
  { op = "host_read", reads = [["x", 0, 4096]] },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
  { op = "event_sync", event = "e" },
  { op = "host_read", reads = [["x", 0, 4096]] },
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "event_record", stream = "S1", event = "e" },
]
fix = """
Look for the wait that was meant. If there is none, take the record out.
"""
limits = """
Events that only measure time are told too: the calls that read their time are not recorded. So are
events that another process waits for. Says nothing of a trace with lost records.
"""
sources = [
  "ggml-org/llama.cpp#26040: an event recorded after every split, whoever waits for it",
]
*/

-- Records of events that no call of the run waits for, asks or captures a wait for.
WITH waited AS (
  SELECT event FROM op
  WHERE kind NOT IN ('event_record', 'event_create', 'event_destroy')
    AND NOT (kind LIKE 'event%' AND regexp_matches(flags, 'skipped|refused'))
)
SELECT
  o.level, o.site, NULL AS part, NULL AS what, list(o.id ORDER BY o.id) AS ops, count(*) AS count,
  sum(o.host_ns) AS cost_ns, NULL AS size_bytes, NULL AS access
FROM op AS o
WHERE o.kind = 'event_record'
  AND NOT regexp_matches(o.flags, 'failed|skipped|captured|parent|refused|noop|foreign')
  AND o.event NOT IN (SELECT event FROM waited)
  AND NOT EXISTS (FROM gap)
GROUP BY o.level, o.site
