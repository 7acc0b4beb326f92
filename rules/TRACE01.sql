/*
id = "TRACE01"
name = "lost data"
family = "trace"
severity = "warning"
rank = 40
view = "loss"
message = "some of the run is missing: {what}"
why = """
Records were dropped, a file was cut off or calls went unseen. What is missing could hold both
races and the order that makes a reported pair harmless, so the trace is not clean whatever else
is found. Where records were lost anything may have been ordered, so no pair is judged, and
everything before is taken as ordered before what comes after: that can hide races and never
invents one. No sync of such a trace is called needless.
"""
bad = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
good = [
  { op = "kernel", stream = "S1", writes = [["x", 0, 4096]] },
  { op = "stream_sync", stream = "S1" },
]
bad_meta = { complete = false, lost = ["3 records dropped"], dropped = 3 }
fix = """
Record again; if records were dropped, with less load on the machine or a shorter run. A program
that was killed leaves a trace that is good up to its last batch.
"""
limits = """
Says that data was lost, not what was in it.
"""
sources = [
  "docs/trace.md, meta.json",
]
*/

-- Every kind of loss the trace tells of.
SELECT what, count FROM loss
