-- Kernels, graph launches and nodes of graphs: how often each ran, how long, and what is known of
-- the bytes it touches. A race needs certain bytes with known modes to be certain; of a pointer
-- parameter, the first byte is taken as touched. Launches without a layout touch unknown memory.
WITH ran AS (
  SELECT
    o.id, o.kind, coalesce(o.timeline, '') AS timeline, o.graph, o.version, o.host_ns,
    o.ended_ns - o.started_ns AS device_ns, k.pointers,
    EXISTS (FROM op_access AS t WHERE t.op = o.id AND t.storage = 0) AS is_blind,
    coalesce(nullif(p.label, ''), p.function, '') AS place,
    CASE
      WHEN g.operations = '' OR EXISTS (FROM node AS n WHERE n.graph = g.id) THEN g.name
      WHEN g.nodes > 4 THEN g.nodes || ' nodes'
      ELSE coalesce(g.operations, k.demangled, o.call, '')
    END AS name
  FROM op AS o
  LEFT JOIN site AS p ON p.id = o.site
  LEFT JOIN graph AS g ON g.id = o.graph AND g.version = o.version
  LEFT JOIN (
    SELECT name, demangled, max(pointers) FILTER (is_layout_known) AS pointers
    FROM kernel GROUP BY ALL
  ) AS k ON k.name = o.call
  WHERE o.kind IN ('kernel', 'graph_launch', 'host_func')
    AND NOT regexp_matches(o.flags, 'captured|failed|skipped|refused|noop')
), graph_node AS (
  SELECT n.* REPLACE (coalesce(k.demangled, n.name) AS name)
  FROM node AS n LEFT JOIN (SELECT DISTINCT name, demangled FROM kernel) AS k ON k.name = n.name
), word AS (
  SELECT kernel, string_agg(
    CASE mode WHEN 'read' THEN 'r' WHEN 'write' THEN 'w' WHEN 'read_write' THEN 'rw' ELSE '?' END
      || ':' || word, ' ' ORDER BY word) AS words
  FROM kernel_word GROUP BY kernel
), code AS (
  SELECT k.demangled AS name, string_agg(DISTINCT CASE
    WHEN c.why <> '' THEN '(' || c.why || ')'
    ELSE concat_ws(' ', coalesce(w.words, 'no word'), 'elsewhere:' || c.elsewhere,
      CASE WHEN c.does_wait THEN 'waits' END, CASE WHEN c.does_trigger THEN 'triggers' END)
    END, '; ') AS code
  FROM kernel_code AS c JOIN kernel AS k ON k.id = c.kernel LEFT JOIN word AS w USING (kernel)
  GROUP BY k.demangled
), timed AS (
  SELECT
    kind, name, place, timeline, count(*) AS launches, sum(host_ns) AS host_ns,
    sum(device_ns) AS device_ns, count(*) FILTER (is_blind) AS blind, max(pointers) AS pointers
  FROM ran GROUP BY kind, name, place, timeline
  UNION ALL
  SELECT 'node: ' || n.kind, n.name, n.graph || '.' || n.node, r.timeline, count(*), NULL, NULL,
    NULL, NULL
  FROM ran AS r JOIN graph_node AS n ON n.graph = r.graph AND n.version = r.version
  GROUP BY n.kind, n.name, n.graph, n.node, r.timeline
), touched AS (
  SELECT DISTINCT r.kind, r.name, r.place, r.timeline, t.access, t.extent, t.mode, t.storage,
    t.origin
  FROM ran AS r JOIN op_access AS t ON t.op = r.id
  UNION
  SELECT
    'node: ' || n.kind, n.name, n.graph || '.' || n.node, r.timeline,
    a.id, a.extent, a.mode, a.storage, a.origin
  FROM ran AS r
  JOIN (SELECT kind, name, graph, version, node, unnest(accesses) AS access FROM graph_node) AS n
    ON n.graph = r.graph AND n.version = r.version
  JOIN access AS a ON a.id = n.access
), known AS (
  SELECT
    kind, name, place, timeline, count(*) AS ranges,
    count(*) FILTER (storage <> 0 AND extent = 'exact') AS exact,
    count(*) FILTER (storage <> 0 AND extent <> 'exact') AS upper_bound,
    count(*) FILTER (storage = 0) AS unknown,
    count(*) FILTER (mode IN ('read', 'write', 'read_write')) AS modes_known
  FROM touched GROUP BY kind, name, place, timeline
), counted AS (
  SELECT kind, name, place, timeline, mode, origin = 'value_scan' AS is_guessed, count(*) AS number
  FROM touched GROUP BY ALL
), told AS (
  SELECT
    kind, name, place, timeline, sum(number) FILTER (is_guessed) AS guessed,
    string_agg(number || ' ' || mode, ', ' ORDER BY mode) FILTER (NOT is_guessed) AS modes
  FROM counted GROUP BY kind, name, place, timeline
)
SELECT
  kind,                                   -- kernel, graph_launch, host_func; `node: …`: a graph's node.
  name,                                   -- Call, of a kernel its name as its source spells it; of a graph its operations, or how many nodes it has; of a node its own.
  place,                                  -- Calling place; of a node graph.id and number of the node.
  timeline,                               -- Stream or backend that runs it.
  launches,                               -- How often.
  coalesce(ranges, 0) AS ranges,          -- Distinct ranges that it touches; 0: none is known, or none there.
  coalesce(exact, 0) AS exact,            -- Of these: every byte is touched.
  coalesce(upper_bound, 0)
    AS upper_bound,                       -- Of these: some of the bytes are touched.
  coalesce(unknown, 0) AS unknown,        -- Of these: in memory that is not known.
  coalesce(modes_known, 0)
    AS modes_known,                       -- Of these: known to be read, written or both.
  modes,                                  -- How many are touched how, guessed ones aside; NULL: none.
  coalesce(guessed::BIGINT, 0)
    AS guessed,                           -- Of the ranges: by words of by-value parameters, perhaps no pointers.
  pointers,                               -- Parameters of the kernel that are pointers; NULL: not known.
  code,                                   -- By code: words of parameters, by their byte, read r, written w, rw, unknown ?; NULL: not read.
  blind,                                  -- Launches of which not all memory is known; NULL: a node.
  host_ns,                                -- Host time in the calls, ns; NULL: a node.
  device_ns                               -- Time on the device, ns; NULL: unknown.
FROM timed
LEFT JOIN known USING (kind, name, place, timeline)
LEFT JOIN told USING (kind, name, place, timeline)
LEFT JOIN code USING (name)
ORDER BY host_ns DESC NULLS LAST, kind, place, name, timeline
