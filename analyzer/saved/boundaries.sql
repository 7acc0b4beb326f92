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
  from_backend, to_backend, CASE WHEN after_nodes <= 4 THEN after_operations ELSE after_nodes || ' nodes' END AS after,
  switches, iterations, waits, copies, blocked_ns, host_ns
FROM switch
ORDER BY switches * host_ns DESC, from_backend, to_backend
