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
  s.kind, s.call, s.timeline, s.event, coalesce(nullif(p.label, ''), p.function) AS place, p.key,
  CASE WHEN s.flags = 'skipped' THEN 'left out' ELSE j.verdict END AS verdict,
  count(*) AS syncs, sum(s.blocked_ns) AS blocked_ns, min(s.id) AS first_op
FROM sync AS s
LEFT JOIN site AS p ON p.id = s.site
LEFT JOIN judged AS j ON j.site = s.site AND s.flags = ''
GROUP BY ALL
ORDER BY blocked_ns DESC, first_op
