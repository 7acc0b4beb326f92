-- Counters of the machine (`record --sample`): what was read while the program ran, one row a
-- counter, and for counters that only grow what an iteration takes.
WITH turn AS (
  SELECT min(entered_ns) AS since, max(returned_ns) AS until FROM iteration
), known AS (
  SELECT
    s.*,
    s.read_ns BETWEEN t.since AND t.until AS is_within,
    s.counter IN ('cpu_ns', 'waiting_ns') AS only_grows
  FROM sample AS s CROSS JOIN turn AS t
), spent AS (
  -- Iterations that began between the first and the last reading within them.
  SELECT
    k.source, k.subject, k.counter,
    max(k.value) - min(k.value) AS growth,
    (
      SELECT count(*) FROM iteration AS i
      WHERE i.entered_ns BETWEEN min(k.read_ns) AND max(k.read_ns)
    ) AS iterations
  FROM known AS k
  WHERE k.is_within AND k.only_grows
  GROUP BY k.source, k.subject, k.counter
)
SELECT
  k.source,                               -- thread, nvidia, amd.
  k.subject,                              -- OS thread id, or device ordinal.
  any_value(a.name) AS thread,            -- Name of the thread; NULL: a device, or none that made calls.
  k.counter,                              -- What was read, unit in the name.
  count(*) AS readings,                   -- Number of readings.
  min(k.value) AS least,                  -- Smallest of them.
  avg(k.value) AS mean,                   -- Mean of them; of cpu_ns and waiting_ns it says little.
  max(k.value) AS most,                   -- Largest of them.
  any_value(s.growth / nullif(s.iterations, 0))
    AS per_iteration                      -- Growth an iteration, ns; NULL: not one that only grows, or too few readings.
FROM known AS k
LEFT JOIN actor AS a ON a.id = k.thread
LEFT JOIN spent AS s
  ON s.source = k.source AND s.subject = k.subject AND s.counter = k.counter
GROUP BY k.source, k.subject, k.counter
ORDER BY k.source, k.subject, k.counter
