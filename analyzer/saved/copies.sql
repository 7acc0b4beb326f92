-- Copies by what they move: how often, how many bytes, how long the host was in the call.
SELECT
  kind,                                   -- Which copy.
  timeline,                               -- Stream or backend that runs it; NULL: the thread.
  source,                                 -- Name of the buffer read; NULL: unnamed or unknown.
  target,                                 -- Name of the buffer written; NULL: unnamed or unknown.
  flags,                                  -- refused, noop, blocking and so on, joined by |.
  count(*) AS copies,                     -- Number of such copies.
  sum(size_bytes) AS total_bytes,         -- Bytes that they moved; NULL: unknown.
  sum(host_ns) AS host_ns,                -- Host time in the calls, ns.
  sum(device_ns) AS device_ns             -- Time on the device, ns; NULL: unknown.
FROM copy
GROUP BY kind, timeline, source, target, flags
ORDER BY total_bytes DESC NULLS LAST, kind, source, target
