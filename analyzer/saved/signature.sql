-- Iterations by shape, most common first: i input set, s stream sync, S device sync, E event sync,
-- w stream waits, r event record, a async copy, x refused, c blocking copy, g[NAME] launch, d get.
SELECT name, signature, count(*) AS iterations, min(number) AS first, sum(blocked_ns) AS blocked_ns
FROM iteration
GROUP BY name, signature
ORDER BY iterations DESC, first
