-- Syncs by calling place: how often, how long the host was in them, whether they are needed under
-- some profile asked for. The key names the place to `synctrace record --skip-sync`.
WITH judged AS (
  SELECT site, CASE
    WHEN bool_or(verdict = 'needed') THEN 'needed'
    WHEN bool_or(verdict = 'not provable') THEN 'not provable'
    WHEN bool_or(verdict = 'not judged') THEN 'not judged'
    ELSE 'needless'
  END AS verdict
  FROM need
  GROUP BY site
)
SELECT
  s.kind,                                 -- stream_sync, event_wait, event_record and so on.
  s.call,                                 -- Function as the API spells it; NULL: unknown.
  s.timeline,                             -- Stream or backend recorded on or waited for; NULL: none.
  s.event,                                -- Event or signal; NULL: none.
  coalesce(nullif(p.label, ''), p.function)
    AS place,                             -- Calling place; NULL: unknown.
  p.key,                                  -- Its key, the same from run to run.
  CASE WHEN s.flags = 'skipped' THEN 'left out' ELSE j.verdict END
    AS verdict,                           -- needed, not provable, not judged, needless, left out; NULL: no op of its own.
  count(*) AS syncs,                      -- Number of calls.
  sum(s.blocked_ns) AS blocked_ns,        -- Host time in the waits, ns.
  min(s.id) AS first_op                   -- op.id of the first.
FROM sync AS s
LEFT JOIN site AS p ON p.id = s.site
LEFT JOIN judged AS j ON j.site = s.site AND s.flags = ''
GROUP BY ALL
ORDER BY blocked_ns DESC, first_op
