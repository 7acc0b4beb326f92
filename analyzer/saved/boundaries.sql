-- Split boundaries: what each switch of backend costs an iteration, and the operations of the split
-- before it. A CPU split of one operation (GET_ROWS, say) is the price of that operation there.
WITH switch AS (
  SELECT
    from_backend, to_backend, after_operations, after_nodes, count(*) AS switches,
    count(DISTINCT iteration) AS iterations, round(avg(waits), 1) AS waits,
    round(avg(copies), 1) AS copies, round(median(blocked_ns))::BIGINT AS blocked_ns,
    round(median(host_ns))::BIGINT AS host_ns
  FROM boundary
  GROUP BY from_backend, to_backend, after_operations, after_nodes
)
SELECT
  from_backend,                           -- Backend or stream of the launch before.
  to_backend,                             -- Backend or stream of the launch after.
  CASE WHEN after_nodes <= 4 THEN after_operations ELSE after_nodes || ' nodes' END
    AS after,                             -- Operations of the split before, or how many nodes it has.
  switches,                               -- Number of such switches.
  iterations,                             -- Iterations that have one.
  waits,                                  -- Host waits between the two launches, on average.
  copies,                                 -- Copies between them, on average.
  blocked_ns,                             -- Host time in these waits, median, ns.
  host_ns                                 -- Host time between the launches, median, ns.
FROM switch
ORDER BY switches * host_ns DESC, from_backend, to_backend
