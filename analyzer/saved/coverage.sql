-- What was not watched or not known, by kind of op, with its share: no race is claimed on it. What
-- was lost comes first.
WITH touched AS (
  SELECT DISTINCT o.kind, t.access, t.extent, t.mode, t.storage
  FROM op_access AS t JOIN op AS o ON o.id = t.op
), ranges AS (
  SELECT
    kind, count(*) AS total, count(*) FILTER (extent <> 'exact') AS inexact,
    count(*) FILTER (mode = 'unknown') AS no_mode, count(*) FILTER (storage = 0) AS no_memory
  FROM touched GROUP BY kind
), silent AS (
  SELECT
    kind, count(*) AS total,
    count(*) FILTER (NOT EXISTS (FROM op_access AS t WHERE t.op = o.id)) AS number
  FROM op AS o
  WHERE regexp_matches(kind, '^(kernel|graph_launch|host_func|memcpy|memset|tensor_)')
    AND NOT regexp_matches(flags, 'failed|skipped|refused|noop|parent')
    -- Kernels of a launch whose ranges are known as a whole.
    AND NOT (kind = 'kernel' AND parent IS NOT NULL)
  GROUP BY kind
), line AS (
  SELECT 1 AS place, what, NULL AS kind, NULL AS number, NULL AS total FROM loss
  UNION ALL
  SELECT
    2, what, NULL, count,
    CASE WHEN what LIKE 'launches%' THEN (SELECT count(*) FROM launch) END
  FROM coverage
  WHERE what NOT IN ('upper_bound_ranges', 'unknown_mode_ranges', 'unknown_memory_ranges')
  UNION ALL SELECT 3, 'upper_bound_ranges', kind, inexact, total FROM ranges
  UNION ALL SELECT 3, 'unknown_mode_ranges', kind, no_mode, total FROM ranges
  UNION ALL SELECT 3, 'unknown_memory_ranges', kind, no_memory, total FROM ranges
  UNION ALL SELECT 3, 'ops_without_ranges', kind, number, total FROM silent
)
SELECT
  what,                                   -- What, unit in the name; of what was lost the words of the trace.
  kind,                                   -- Kind of the ops concerned; NULL: of all, or not known.
  number AS count,                        -- How much; NULL: the words hold it.
  total,                                  -- Of how many: distinct ranges, or ops of the kind; NULL: not known.
  round(number / total, 4) AS share       -- Part of them, from 0 to 1.
FROM line
WHERE place = 1 OR number > 0
ORDER BY place, share DESC NULLS LAST, what, kind
