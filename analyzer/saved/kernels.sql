-- Kernels, graph launches and nodes of graphs: how often each ran, how long, and what is known of
-- the bytes it touches. A race needs exact ranges with known modes to be certain.
WITH ran AS (
  SELECT
    o.id, o.kind, coalesce(o.timeline, '') AS timeline, o.graph, o.version, o.host_ns,
    o.ended_ns - o.started_ns AS device_ns, coalesce(nullif(p.label, ''), p.function, '') AS place,
    CASE
      WHEN g.operations = '' OR EXISTS (FROM node AS n WHERE n.graph = g.id) THEN g.name
      WHEN g.nodes > 4 THEN g.nodes || ' nodes'
      ELSE coalesce(g.operations, o.call, '')
    END AS name
  FROM op AS o
  LEFT JOIN site AS p ON p.id = o.site
  LEFT JOIN graph AS g ON g.id = o.graph AND g.version = o.version
  WHERE o.kind IN ('kernel', 'graph_launch', 'host_func')
    AND NOT regexp_matches(o.flags, 'captured|failed|skipped|refused|noop')
), timed AS (
  SELECT
    kind, name, place, timeline, count(*) AS launches, sum(host_ns) AS host_ns,
    sum(device_ns) AS device_ns
  FROM ran GROUP BY kind, name, place, timeline
  UNION ALL
  SELECT 'node: ' || n.kind, n.name, n.graph || '.' || n.node, r.timeline, count(*), NULL, NULL
  FROM ran AS r JOIN node AS n ON n.graph = r.graph AND n.version = r.version
  GROUP BY n.kind, n.name, n.graph, n.node, r.timeline
), touched AS (
  SELECT DISTINCT r.kind, r.name, r.place, r.timeline, t.access, t.extent, t.mode, t.storage
  FROM ran AS r JOIN op_access AS t ON t.op = r.id
  UNION
  SELECT
    'node: ' || n.kind, n.name, n.graph || '.' || n.node, r.timeline,
    a.id, a.extent, a.mode, a.storage
  FROM ran AS r
  JOIN (SELECT kind, name, graph, version, node, unnest(accesses) AS access FROM node) AS n
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
)
SELECT
  kind,                                   -- kernel, graph_launch, host_func; `node: …`: a graph's node.
  name,                                   -- Call; of a graph its operations, or how many nodes it has; of a node its own.
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
  host_ns,                                -- Host time in the calls, ns; NULL: a node.
  device_ns                               -- Time on the device, ns; NULL: unknown.
FROM timed LEFT JOIN known USING (kind, name, place, timeline)
ORDER BY host_ns DESC NULLS LAST, kind, place, name, timeline
