-- Syncs by calling place: how often, how long the host was in them, whether they are needed. The
-- key names the place to `synctrace record --skip-sync`.
SELECT
  s.kind, s.call, s.timeline, s.event, coalesce(nullif(p.label, ''), p.function) AS place,
  p.key, n.verdict, count(*) AS syncs, sum(s.blocked_ns) AS blocked_ns, min(s.id) AS first_op
FROM sync AS s
LEFT JOIN site AS p ON p.id = s.site
LEFT JOIN need AS n ON n.site = s.site AND s.flags = ''
GROUP BY s.kind, s.call, s.timeline, s.event, place, p.key, n.verdict
ORDER BY blocked_ns DESC, first_op
