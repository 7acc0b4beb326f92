-- The documented views over a trace and its order. Every view and every column has one sentence.
-- Names starting with _ are private: _TABLE is a table of the trace as stored (tracer/schema.py),
-- _conflicts, _needs, _needed and _edges come from the order engine, _named holds the ops that findings
-- speak of.
-- Ids name rows within one trace. Times are ns of CLOCK_MONOTONIC; byte offsets count from the
-- start of the storage and a range ends before its hi_byte.

-- One recorded call. It runs on the host from C to R and, where it enqueues work, on its actor.
CREATE VIEW op AS
SELECT
  o.id,                                   -- Name of the op, growing in trace order.
  kind_name(o.kind) AS kind,              -- What it does (kinds.Kind, lower case).
  c.name AS call,                         -- Function as the API spells it; NULL: unknown.
  CASE WHEN o.actor = 0 THEN t.name ELSE a.name END
    AS timeline,                          -- Name of the stream, backend or thread it acts on.
  o.thread,                               -- actor.id of the calling host thread.
  o.actor,                                -- actor.id that executes it or is waited for; 0: the thread.
  o.peer,                                 -- actor.id of the other side of a copy; 0: none.
  o.event,                                -- event.id recorded, waited for or signalled; 0: none.
  o.graph,                                -- graph.id launched or captured into; 0: none.
  o.version,                              -- Version of that graph's executable.
  flag_names(o.flags) AS flags,           -- What happened to it, joined by |; empty: nothing special.
  level_name(o.level) AS level,           -- Layer that made the call: app, ggml, api.
  o.site,                                 -- site.id of the calling place; 0: unknown.
  o.scope,                                -- scope.id of the innermost scope around it; 0: none.
  o.parent,                               -- op.id of the enclosing recorded op; NULL: none.
  o.rc,                                   -- Return code as the API gave it.
  o.device,                               -- Device ordinal; -1: none.
  o.t_c AS entered_ns,                    -- Time the call was entered, ns.
  o.t_r AS returned_ns,                   -- Time the call had returned, ns.
  o.t_r - o.t_c AS host_ns,               -- Time within the call, ns.
  coalesce(o.t_s, w.t_s) AS started_ns,   -- Time its device work started, ns; NULL: unknown.
  coalesce(o.t_e, w.t_e) AS ended_ns,     -- Time its device work ended, ns; NULL: unknown.
  o.cpu_ns,                               -- Thread CPU time within the call, ns; NULL: not taken.
  o.ticket_c,                             -- Ticket taken when the call was entered.
  o.ticket_r,                             -- Ticket taken when the call had returned.
  o.accesses,                             -- access.id of each range it touches itself (list).
  o.access_set                            -- Set of accesses it touches besides; 0: none.
FROM _op AS o
LEFT JOIN _call AS c ON c.id = o.call
LEFT JOIN _actor AS t ON t.id = o.thread
LEFT JOIN _actor AS a ON a.id = o.actor
LEFT JOIN _worked AS w ON w.op = o.id;

-- When a device worked for an op; of a batch or a call that is several pieces of work, each.
CREATE VIEW device_work AS
SELECT
  op,                                     -- op.id that gave the work.
  t_s AS started_ns,                      -- Time it started, ns.
  t_e AS ended_ns,                        -- Time it ended, ns.
  t_e - t_s AS device_ns                  -- Time on the device, ns.
FROM _device_work;

-- One distinct way of touching bytes; ops hold ids. [lo_byte, hi_byte) is the certain part.
CREATE VIEW access AS
SELECT
  a.id,                                   -- Name of the access.
  a.storage,                              -- storage.id whose bytes are touched; 0: unknown memory.
  a.buffer,                               -- buffer.id by which the user names them; 0: unnamed.
  b.name AS buffer_name,                  -- That buffer's name; NULL: unnamed.
  a.lo AS lo_byte,                        -- First certain byte.
  a.hi AS hi_byte,                        -- End of the certain part; lo_byte where nothing is certain.
  a.upper_lo AS upper_lo_byte,            -- First byte possibly touched.
  a.upper_hi AS upper_hi_byte,            -- End of the bytes possibly touched.
  mode_name(a.mode) AS mode,              -- read, write, read_write, may, poison, unknown, unused.
  extent_name(a.extent) AS extent,        -- How well the range is known.
  origin_name(a.origin) AS origin,        -- Where the knowledge comes from.
  a.pitch AS pitch_bytes,                 -- Strided ranges: distance of rows; 0: linear.
  a.width AS width_bytes,                 -- Strided ranges: bytes touched in a row; 0: linear.
  a.height AS rows                        -- Strided ranges: number of rows; 0: linear.
FROM _access AS a
LEFT JOIN _buffer AS b ON b.id = a.buffer;

-- One access of one op: op and access unfolded, sets included.
CREATE VIEW op_access AS
SELECT
  t.op,                                   -- op.id.
  a.id AS access,                         -- access.id.
  a.storage,                              -- storage.id.
  a.buffer,                               -- buffer.id; 0: unnamed.
  a.lo AS lo_byte,                        -- First certain byte.
  a.hi AS hi_byte,                        -- End of the certain part.
  a.upper_lo AS upper_lo_byte,            -- First byte possibly touched.
  a.upper_hi AS upper_hi_byte,            -- End of the bytes possibly touched.
  mode_name(a.mode) AS mode,              -- read, write, read_write, may, poison, unknown, unused.
  extent_name(a.extent) AS extent,        -- How well the range is known.
  origin_name(a.origin) AS origin         -- Where the knowledge comes from.
FROM (
  SELECT id AS op, unnest(accesses) AS access FROM _op
  UNION ALL
  SELECT o.id AS op, unnest(s.accesses) AS access
  FROM _op AS o JOIN _access_set AS s ON s.id = o.access_set
) AS t
JOIN _access AS a ON a.id = t.access;

-- A named view of storage: a tensor, an allocation, a slice.
CREATE VIEW buffer AS
SELECT
  id,                                     -- Name of the buffer.
  storage,                                -- storage.id it lies in.
  lo AS lo_byte,                          -- First byte.
  hi AS hi_byte,                          -- End.
  name,                                   -- The user's name for it.
  usage_name(usage) AS usage              -- any, weights, compute, input, output.
FROM _buffer;

-- One life of a piece of memory. Lives of one address are different storages.
CREATE VIEW storage AS
SELECT
  id,                                     -- Name of the storage.
  name,                                   -- Name for reports.
  device,                                 -- Device that holds it; -1: host.
  base,                                   -- Address or fake base it was known by.
  size AS size_bytes,                     -- Its size.
  generation,                             -- n-th life of this handle or address, from 1.
  born                                    -- Ticket at which it came to life.
FROM _storage;

-- From a ticket on, these bytes of the storage are memory of this kind.
CREATE VIEW memory AS
SELECT
  storage,                                -- storage.id.
  lo AS lo_byte,                          -- First byte.
  hi AS hi_byte,                          -- End.
  memory_name(kind) AS kind,              -- pageable, pinned, device and so on.
  since                                   -- Ticket from which it holds.
FROM _memory;

-- A timeline: host thread, stream, ggml backend or host callback.
CREATE VIEW actor AS
SELECT
  id,                                     -- Name of the actor.
  actor_kind_name(kind) AS kind,          -- thread, stream, backend, callback.
  name,                                   -- Name for reports.
  device,                                 -- Device ordinal; -1: host.
  stream_flag_names(flags) AS flags,      -- Standing properties, joined by |.
  handle,                                 -- Stream or backend handle; OS thread id of a thread.
  generation,                             -- n-th life of this handle, from 1.
  born                                    -- Ticket at which it was first seen.
FROM _actor;

-- A timeline that is no host thread: stream, ggml backend or host callback.
CREATE VIEW stream AS
SELECT
  id,                                     -- actor.id.
  actor_kind_name(kind) AS kind,          -- stream, backend, callback.
  name,                                   -- Name for reports.
  device,                                 -- Device ordinal.
  stream_flag_names(flags) AS flags       -- blocking, nonblocking, legacy, synchronous and so on.
FROM _actor
WHERE actor_kind_name(kind) <> 'thread';

-- One life of an event, semaphore or host signal.
CREATE VIEW event AS
SELECT
  id,                                     -- Name of the event.
  name,                                   -- Name for reports.
  device,                                 -- Device ordinal; -1: host.
  handle,                                 -- Handle.
  generation,                             -- n-th life of this handle, from 1.
  born                                    -- Ticket at which it was first seen.
FROM _event;

-- One version of an executable graph.
CREATE VIEW graph AS
SELECT
  id,                                     -- Name of the graph.
  version,                                -- Version of the executable, from 0.
  name,                                   -- Name for reports.
  generation,                             -- n-th life of this handle, from 1.
  access_set,                             -- Set of all its ranges; 0: none known.
  nodes,                                  -- Number of its nodes.
  operations                              -- Its distinct operations, in order of first use.
FROM _graph;

-- One node of a graph version whose captured calls are known.
CREATE VIEW node AS
SELECT
  graph,                                  -- graph.id.
  version,                                -- Version of the executable.
  node,                                   -- Number of the node within the graph.
  kind_name(kind) AS kind,                -- What it does.
  name,                                   -- Kernel or operation.
  accesses                                -- access.id of each range it touches (list).
FROM _node;

-- An edge between two nodes of a graph version.
CREATE VIEW node_edge AS
SELECT
  graph,                                  -- graph.id.
  version,                                -- Version of the executable.
  first,                                  -- node.node that comes first.
  second                                  -- node.node that waits for it.
FROM _node_edge;

-- Two nodes of a graph version with no path of edges between them: they run in any order.
CREATE VIEW branch AS
SELECT
  graph,                                  -- graph.id.
  version,                                -- Version of the executable.
  first,                                  -- node.node, the lower number.
  second                                  -- node.node, the higher.
FROM _branch;

-- A copy, accepted or not, with the bytes it moves.
CREATE VIEW copy AS
SELECT
  o.id,                                   -- op.id.
  kind_name(o.kind) AS kind,              -- Which copy.
  a.name AS timeline,                     -- Stream or backend that runs it; NULL: the thread.
  flag_names(o.flags) AS flags,           -- refused, noop, blocking and so on, joined by |.
  s.buffer_name AS source,                -- Name of the buffer read; NULL: unnamed or unknown.
  d.buffer_name AS target,                -- Name of the buffer written; NULL: unnamed or unknown.
  coalesce(d.size_bytes, s.size_bytes) AS size_bytes, -- Bytes moved; NULL: unknown.
  o.t_r - o.t_c AS host_ns,               -- Time within the call, ns.
  coalesce(o.t_e - o.t_s, w.t_e - w.t_s)
    AS device_ns,                         -- Time on the device, ns; NULL: unknown.
  o.site,                                 -- site.id.
  o.scope                                 -- scope.id.
FROM _op AS o
LEFT JOIN _actor AS a ON a.id = o.actor
LEFT JOIN _worked AS w ON w.op = o.id
LEFT JOIN (
  SELECT op, any_value(b.name) AS buffer_name, max(t.upper_hi_byte - t.upper_lo_byte) AS size_bytes
  FROM op_access AS t LEFT JOIN _buffer AS b ON b.id = t.buffer
  WHERE t.mode = 'read' GROUP BY op
) AS s ON s.op = o.id
LEFT JOIN (
  SELECT op, any_value(b.name) AS buffer_name, max(t.upper_hi_byte - t.upper_lo_byte) AS size_bytes
  FROM op_access AS t LEFT JOIN _buffer AS b ON b.id = t.buffer
  WHERE t.mode = 'write' GROUP BY op
) AS d ON d.op = o.id
WHERE regexp_matches(kind_name(o.kind), '^(memcpy|tensor_(copy|set|get))');

-- One side of a copy, and the memory that it was in at the call.
CREATE VIEW copy_side AS
SELECT
  t.op,                                   -- op.id.
  kind_name(t.kind) AS kind,              -- Which copy.
  level_name(t.level) AS level,           -- Layer that made the call.
  mode_name(a.mode) AS mode,              -- read: the source; write: the target.
  a.id AS access,                         -- access.id.
  a.storage,                              -- storage.id; 0: unknown memory.
  coalesce(b.name, s.name) AS name,       -- Name of the buffer, or of the storage.
  a.lo AS lo_byte,                        -- First certain byte.
  a.hi AS hi_byte,                        -- End of the certain part.
  a.upper_hi - a.upper_lo AS size_bytes,  -- Bytes possibly moved.
  s.device,                               -- Device that holds the memory; -1: host.
  (
    SELECT arg_max(memory_name(m.kind), m.since) FROM _memory AS m
    WHERE m.storage = a.storage AND m.since <= t.ticket_c AND m.lo < a.upper_hi AND a.upper_lo < m.hi
  ) AS memory,                            -- Its kind at the call: pageable, pinned and so on; NULL: unknown.
  t.host_ns,                              -- Time within the call, ns.
  t.site                                  -- site.id.
FROM (
  SELECT id AS op, kind, level, ticket_c, t_r - t_c AS host_ns, site, unnest(accesses) AS access
  FROM _op
  WHERE took_effect(flags)
    AND regexp_matches(kind_name(kind), '^(memcpy|tensor_(copy|set_async|get_async))')
) AS t
JOIN _access AS a ON a.id = t.access
LEFT JOIN _buffer AS b ON b.id = a.buffer
LEFT JOIN _storage AS s ON s.id = a.storage
WHERE mode_name(a.mode) IN ('read', 'write');

-- Work given to a device: kernel, graph launch or host callback.
CREATE VIEW launch AS
SELECT
  o.id,                                   -- op.id.
  kind_name(o.kind) AS kind,              -- kernel, graph_launch, host_func.
  a.name AS timeline,                     -- Stream or backend that runs it.
  o.graph,                                -- graph.id; 0: no graph.
  o.version,                              -- Version of the executable.
  o.t_r - o.t_c AS host_ns,               -- Time within the call, ns.
  coalesce(o.t_e - o.t_s, w.t_e - w.t_s)
    AS device_ns,                         -- Time on the device, ns; NULL: unknown.
  o.site,                                 -- site.id.
  o.scope                                 -- scope.id.
FROM _op AS o
LEFT JOIN _actor AS a ON a.id = o.actor
LEFT JOIN _worked AS w ON w.op = o.id
WHERE kind_name(o.kind) IN ('kernel', 'graph_launch', 'host_func');

-- An op made for order: event record and wait, host wait for event, stream or device, signal.
CREATE VIEW sync AS
SELECT
  o.id,                                   -- op.id.
  kind_name(o.kind) AS kind,              -- event_record, event_wait, stream_sync and so on.
  c.name AS call,                         -- Function as the API spells it; NULL: unknown.
  a.name AS timeline,                     -- Stream or backend recorded on or waited for.
  e.name AS event,                        -- Event or signal; NULL: none.
  t.name AS thread,                       -- Calling host thread.
  flag_names(o.flags) AS flags,           -- Joined by |. With failed, skipped, captured, parent, refused or noop it has no effect of its own.
  CASE WHEN is_host_wait(o.kind) THEN o.t_r - o.t_c ELSE 0 END
    AS blocked_ns,                        -- Time the host was in the wait, ns; 0: no host wait.
  o.site,                                 -- site.id.
  o.scope                                 -- scope.id.
FROM _op AS o
LEFT JOIN _call AS c ON c.id = o.call
LEFT JOIN _actor AS a ON a.id = o.actor
LEFT JOIN _actor AS t ON t.id = o.thread
LEFT JOIN _event AS e ON e.id = o.event
WHERE regexp_matches(
  kind_name(o.kind), '^(event|stream|device)_(record|wait|sync|query)$|^thread_|^value_'
);

-- Work that a stream or backend was given; a wait for it waits for this.
CREATE VIEW work AS
SELECT
  o.id AS op,                             -- op.id.
  kind_name(o.kind) AS kind,              -- What it does.
  o.thread,                               -- actor.id of the thread that gave it.
  o.actor,                                -- actor.id of the stream or backend that does it.
  o.peer,                                 -- actor.id of the other side of a copy; 0: none.
  a.device                                -- Device of the actor; -1: host.
FROM _op AS o
JOIN _actor AS a ON a.id = o.actor
WHERE is_work(o.kind) AND took_effect(o.flags) AND NOT is_blocking(o.flags)
  AND actor_kind_name(a.kind) <> 'thread'
  AND stream_flag_names(a.flags) NOT LIKE '%synchronous%';

-- A wait for an event, a stream or a device, and how far it reaches.
CREATE VIEW wait AS
SELECT
  w.id AS op,                             -- op.id.
  kind_name(w.kind) AS kind,              -- event_wait, event_sync, stream_sync, device_sync.
  level_name(w.level) AS level,           -- Layer that made the call.
  w.thread,                               -- actor.id of the calling thread.
  CASE WHEN kind_name(w.kind) = 'event_wait' THEN w.actor ELSE w.thread END
    AS waiter,                            -- actor.id of the stream or thread that is held.
  CASE WHEN kind_name(w.kind) LIKE 'event%' THEN coalesce(r.actor, 0) ELSE w.actor END
    AS target,                            -- actor.id of the stream waited for; 0: all of the device, or none.
  w.event,                                -- event.id waited for; 0: none.
  w.device,                               -- Device waited for; -1: all, or the stream says it.
  CASE WHEN kind_name(w.kind) LIKE 'event%' THEN r.id ELSE w.id END
    AS reach,                             -- op.id up to which the target is waited for: the event's record, else the wait; NULL: event not recorded before.
  w.t_r - w.t_c AS host_ns,               -- Time within the call, ns.
  w.site,                                 -- site.id.
  flag_names(w.flags) AS flags            -- lowered, implied, foreign and so on, joined by |.
FROM (
  FROM _op WHERE is_wait(kind) AND took_effect(flags) AND kind_name(kind) <> 'thread_wait'
) AS w
ASOF LEFT JOIN (
  SELECT id, event, actor FROM _op
  WHERE kind_name(kind) = 'event_record' AND took_effect(flags)
) AS r ON r.event = w.event AND r.id <= w.id;

-- A span of the program that the user would name: a decode call, a split, a range.
CREATE VIEW scope AS
SELECT
  id,                                     -- Name of the scope.
  parent,                                 -- scope.id around it; 0: none.
  scope_kind_name(kind) AS kind,          -- mark, decode, sched, split, range.
  name,                                   -- Name for reports, without its number.
  number,                                 -- n-th of its kind (within its parent, if any), from 0.
  thread,                                 -- actor.id of the thread that opened it.
  since                                   -- Ticket at which it opened.
FROM _scope;

-- The iteration in which a scope lies; scopes outside of all iterations have no row.
CREATE VIEW scope_iteration AS
WITH RECURSIVE climb AS (
  SELECT id AS scope, id AS ancestor, parent FROM _scope
  UNION ALL
  SELECT c.scope, s.id, s.parent FROM climb AS c JOIN _scope AS s ON s.id = c.parent
), repeated AS (
  -- Iterations are decode calls; without any, scheduler calls; else the outermost scopes.
  SELECT id FROM _scope
  WHERE CASE
    WHEN EXISTS (FROM _scope WHERE scope_kind_name(kind) = 'decode')
      THEN scope_kind_name(kind) = 'decode'
    WHEN EXISTS (FROM _scope WHERE scope_kind_name(kind) = 'sched')
      THEN scope_kind_name(kind) = 'sched'
    ELSE parent = 0 END
)
SELECT
  c.scope,                                -- scope.id.
  max(c.ancestor) AS iteration            -- iteration.id: the decode call around it; where the trace has none, the scheduler call; else the outermost scope.
FROM climb AS c JOIN repeated AS r ON r.id = c.ancestor
GROUP BY c.scope;

-- One letter an op, as in the discussions at llama.cpp; NULL: the op has none.
CREATE VIEW letter AS
SELECT
  o.id AS op,                             -- op.id.
  o.scope,                                -- scope.id.
  CASE
    WHEN is_parent(o.flags) AND kind_name(o.kind) = 'device_sync' THEN 'S:'
    WHEN is_refused(o.flags) THEN 'x'
    WHEN NOT took_effect(o.flags) OR w.id IS NOT NULL THEN NULL
    WHEN c.name = 'unseen_stores' THEN NULL
    WHEN kind_name(o.kind) = 'graph_launch' THEN 'g[' || coalesce(a.name, '?') || ']'
    ELSE kind_letter(o.kind)
  END AS letter                           -- i input, h host read, k kernel, g[BACKEND] graph launch, d get, c a x copies (blocking, asynchronous, refused), r record, w wait, E event sync, s stream sync, S device sync (S: if its stream syncs follow), f free.
FROM _op AS o
LEFT JOIN _actor AS a ON a.id = o.actor
LEFT JOIN _call AS c ON c.id = o.call
-- What calls of the API did for another layer's call is that call's letter.
LEFT JOIN (SELECT id FROM _op WHERE is_lowered(flags)) AS w ON w.id = o.parent;

-- One turn of the program's loop: a decode call, else a scheduler call, else an outermost scope.
CREATE VIEW iteration AS
SELECT
  s.id,                                   -- scope.id of the iteration.
  s.name,                                 -- Its name.
  s.number,                               -- Its number, from 0.
  o.ops,                                  -- Number of ops in it.
  o.syncs,                                -- Number of host waits in it.
  o.blocked_ns,                           -- Host time in those waits, ns.
  o.entered_ns,                           -- Time of its first op, ns.
  o.returned_ns,                          -- Time its last op had returned, ns.
  o.signature                             -- Its ops as letters (view letter), in trace order.
FROM _scope AS s
JOIN (
  SELECT
    i.iteration,
    count(*) AS ops,
    count(*) FILTER (w.is_wait) AS syncs,
    sum(p.t_r - p.t_c) FILTER (w.is_wait) AS blocked_ns,
    min(p.t_c) AS entered_ns,
    max(p.t_r) AS returned_ns,
    string_agg(l.letter, '' ORDER BY p.id) AS signature
  FROM _op AS p
  CROSS JOIN LATERAL (
    SELECT is_host_wait(p.kind) AND took_effect(p.flags) AND NOT is_lowered(p.flags) AS is_wait
  ) AS w
  JOIN scope_iteration AS i ON i.scope = p.scope
  LEFT JOIN letter AS l ON l.op = p.id
  GROUP BY i.iteration
) AS o ON o.iteration = s.id;

-- What an op spends of something that a budget can limit; a host wait spends two things. Where calls
-- of the API did the work of another layer's call, they spend it.
CREATE VIEW spending AS
WITH copied AS (
  SELECT
    o.id,
    max(CASE WHEN mode_name(a.mode) = 'read' THEN s.device END) AS source_device,
    max(CASE WHEN mode_name(a.mode) = 'write' THEN s.device END) AS target_device
  FROM (
    SELECT id, unnest(accesses) AS access FROM _op WHERE kind_name(kind) LIKE 'tensor_%'
  ) AS o
  JOIN _access AS a ON a.id = o.access
  JOIN _storage AS s ON s.id = a.storage
  GROUP BY o.id
), counted AS (
  SELECT
    p.id, p.level, p.site, p.scope, p.t_r - p.t_c AS host_ns, is_host_wait(p.kind) AS waits,
    CASE
      WHEN is_host_wait(p.kind) THEN 'syncs_per_iteration'
      WHEN kind_name(p.kind) IN ('kernel', 'graph_launch') THEN 'launches'
      WHEN kind_name(p.kind) LIKE 'memcpy%_h2d' THEN 'h2d_copies'
      WHEN kind_name(p.kind) LIKE 'memcpy%_d2h' THEN 'd2h_copies'
      WHEN kind_name(p.kind) LIKE 'memcpy%' THEN 'd2d_copies'
      WHEN kind_name(p.kind) LIKE 'tensor_set%' AND c.target_device >= 0 THEN 'h2d_copies'
      WHEN kind_name(p.kind) LIKE 'tensor_get%' AND c.source_device >= 0 THEN 'd2h_copies'
      WHEN kind_name(p.kind) LIKE 'tensor_copy%' THEN CASE
        WHEN c.source_device >= 0 AND c.target_device >= 0 THEN 'd2d_copies'
        WHEN c.target_device >= 0 THEN 'h2d_copies'
        WHEN c.source_device >= 0 THEN 'd2h_copies' END
    END AS measure
  FROM _op AS p
  LEFT JOIN copied AS c ON c.id = p.id
  WHERE took_effect(p.flags) AND NOT is_lowered(p.flags) AND NOT is_implied(p.flags)
)
SELECT
  c.id AS op,                             -- op.id.
  level_name(c.level) AS level,           -- Layer that made the call: app, ggml, api.
  c.site,                                 -- site.id.
  i.iteration,                            -- iteration.id; NULL: in none.
  c.waits,                                -- Whether it is a host wait.
  m.measure,                              -- syncs_per_iteration, host_blocked_us, h2d_copies, d2h_copies, d2d_copies, launches.
  CASE m.measure WHEN 'host_blocked_us' THEN c.host_ns / 1000.0 ELSE 1 END
    AS amount                             -- Times, or us of host time.
FROM counted AS c
JOIN (
  SELECT unnest(['syncs_per_iteration', 'host_blocked_us', 'h2d_copies', 'd2h_copies',
    'd2d_copies', 'launches']) AS measure
) AS m ON m.measure = c.measure OR (m.measure = 'host_blocked_us' AND c.waits)
LEFT JOIN scope_iteration AS i ON i.scope = c.scope
WHERE c.measure IS NOT NULL;

-- A switch of backend or device between two graph launches of an iteration: what the host did in between.
CREATE VIEW boundary AS
WITH launched AS (
  SELECT
    o.id, i.iteration, o.thread, a.name AS backend, a.device,
    actor_kind_name(a.kind) = 'backend' AS is_backend, g.operations, g.nodes, o.t_c, o.t_r,
    lag(o.id) OVER turn AS id_before, lag(a.name) OVER turn AS backend_before,
    lag(a.device) OVER turn AS device_before,
    lag(g.operations) OVER turn AS operations_before, lag(g.nodes) OVER turn AS nodes_before,
    lag(o.t_r) OVER turn AS returned_before
  FROM _op AS o
  LEFT JOIN scope_iteration AS i ON i.scope = o.scope
  JOIN _actor AS a ON a.id = o.actor
  LEFT JOIN _graph AS g ON g.id = o.graph AND g.version = o.version
  WHERE kind_name(o.kind) = 'graph_launch' AND o.parent IS NULL AND took_effect(o.flags)
    -- A trace without scopes is one iteration.
    AND (i.iteration IS NOT NULL OR NOT EXISTS (FROM _scope))
  WINDOW turn AS (PARTITION BY i.iteration, o.thread ORDER BY o.id)
), between_launches AS (
  SELECT
    l.id,
    count(*) FILTER (is_host_wait(o.kind) AND NOT is_lowered(o.flags)) AS waits,
    coalesce(
      sum(o.t_r - o.t_c) FILTER (is_host_wait(o.kind) AND NOT is_lowered(o.flags)), 0
    ) AS blocked_ns,
    count(*) FILTER (kind_name(o.kind) LIKE 'tensor_copy%') AS copies
  FROM launched AS l
  JOIN _op AS o ON o.thread = l.thread AND o.id > l.id_before AND o.id < l.id
  WHERE took_effect(o.flags)
  GROUP BY l.id
)
SELECT
  l.iteration,                            -- scope.id of the iteration; NULL: the trace has no scopes.
  l.id AS launch,                         -- op.id of the launch after the switch.
  l.backend_before AS from_backend,       -- Backend of the launch before.
  l.backend AS to_backend,                -- Backend of the launch after.
  l.operations_before AS after_operations, -- Operations of the launch before: of a CPU split, the cause.
  l.nodes_before AS after_nodes,          -- Number of its nodes.
  l.operations AS before_operations,      -- Operations of the launch after.
  coalesce(b.waits, 0) AS waits,          -- Host waits between the two.
  coalesce(b.blocked_ns, 0) AS blocked_ns, -- Host time in them, ns.
  coalesce(b.copies, 0) AS copies,        -- Copies between the two.
  l.t_c - l.returned_before AS host_ns    -- Host time from one launch to the other, ns.
FROM launched AS l
LEFT JOIN between_launches AS b ON b.id = l.id
WHERE l.backend <> l.backend_before AND (l.is_backend OR l.device <> l.device_before);

-- A calling place.
CREATE VIEW site AS
SELECT
  s.id,                                   -- Name of the site.
  s.label,                                -- Name for reports where there is no stack; else empty.
  s.ordinal,                              -- n-th call from that stack in its scope, from 0.
  s.key,                                  -- The place in any run (record --skip-sync); empty: no stack.
  f.function,                             -- Innermost function of the program's own; NULL: unknown.
  f.file,                                 -- Its source file; NULL or empty: unknown.
  f.line,                                 -- Source line; 0: unknown.
  len(k.frames) AS frames                 -- Number of frames taken; NULL: none.
FROM _site AS s
LEFT JOIN _stack AS k ON k.id = s.stack
LEFT JOIN _entered AS e ON e.stack = s.stack
LEFT JOIN _frame AS f ON f.address = k.frames[1 + coalesce(e.depth, 0)];

-- One frame of a call stack.
CREATE VIEW frame AS
SELECT
  s.id AS site,                           -- site.id.
  k.depth,                                -- 0: innermost.
  f.function,                             -- Function; empty: unknown.
  f.file,                                 -- Source file; empty: unknown.
  f.line,                                 -- Source line; 0: unknown.
  m.path AS module                        -- Program or library; NULL: unknown.
FROM _site AS s
JOIN _depth AS k ON k.stack = s.stack
LEFT JOIN _frame AS f ON f.address = k.address
LEFT JOIN _module AS m ON m.id = f.module;

-- A recorded function.
CREATE VIEW call AS
SELECT
  id,                                     -- Name of the call.
  name                                    -- Function as the API spells it.
FROM _call;

-- A kernel that was launched, and what is known of its parameters (HIP and CUDA programs).
CREATE VIEW kernel AS
SELECT
  k.id,                                   -- Name of the kernel.
  call,                                   -- call.id of its launches.
  name,                                   -- Its name as it was recorded, of C++ mangled: op.call of its launches.
  demangled,                              -- The same as its source spells it.
  code,                                   -- Hash of what its code object says of it; of CUDA's of its image, if that was copied.
  pointers,                               -- Number of its parameters that are pointers.
  guessed,                                -- Words of its by-value parameters in which pointers are looked for.
  layout_known <> 0 AS is_layout_known    -- Whether code object or driver say where its parameters lie.
FROM _kernel AS k JOIN _kernel_names AS n ON n.id = k.id;

-- Which word of which kernel's parameters made an access.
CREATE VIEW parameter AS
SELECT
  access,                                 -- access.id.
  kernel,                                 -- kernel.id.
  word                                    -- Where the word lies among the kernel's parameters, bytes.
FROM _parameter;

-- What the code of a launched kernel does, where it was read (CUDA programs, by nvdisasm).
CREATE VIEW kernel_code AS
SELECT
  kernel,                                 -- kernel.id.
  why,                                    -- Why nothing is known of it; '': kernel_word has all that it touches.
  waits <> 0 AS does_wait,                -- Whether it waits for the kernels ahead of it (griddepcontrol).
  triggers <> 0 AS does_trigger,          -- Whether it lets those behind it begin before its end.
  mode_name(elsewhere) AS elsewhere       -- How it touches memory by no parameter; NULL: not at all.
FROM _kernel_code;

-- What the code of such a kernel does with the memory that a word of its parameters leads to. Words
-- without a row lead nowhere.
CREATE VIEW kernel_word AS
SELECT
  kernel,                                 -- kernel.id.
  word,                                   -- Where the word lies among the kernel's parameters, bytes.
  mode_name(mode) AS mode                 -- read, write, read_write, or unknown.
FROM _kernel_word;

-- A loaded program or library.
CREATE VIEW module AS
SELECT
  id,                                     -- Name of the module.
  path,                                   -- File.
  build_id,                               -- GNU build id; empty: none.
  base,                                   -- Load address.
  size AS size_bytes                      -- Bytes mapped.
FROM _module;

-- Records were lost in an interval of tickets: nothing is judged in it, and no sync is needless.
CREATE VIEW gap AS
SELECT
  first,                                  -- Ticket at which the loss began.
  ticket,                                 -- Ticket at which it was over.
  thread,                                 -- actor.id of the thread that lost them.
  dropped                                 -- Number of records lost.
FROM _gap;

-- One reading of a counter of the machine, where `record --sample SECONDS` asked for them.
-- Of a thread, ns since it began: cpu_ns (time on a core), waiting_ns (ready, but without a core).
-- Of a device: core_clock_mhz, memory_clock_mhz, power_watts, busy_percent (share of the time, as
-- long as its driver looks back, up to a second, in which any kernel ran), memory_used_bytes (of
-- all programs). What a card does not have is missing, and told in meta.json (unread).
CREATE VIEW sample AS
SELECT
  s.t AS read_ns,                         -- Time of the reading, ns.
  s.source,                               -- Where it was read: thread (of the program), nvidia, amd.
  s.subject,                              -- OS thread id, or device ordinal.
  a.thread,                               -- actor.id of the thread; NULL: a device, or one that made no recorded call.
  CASE WHEN s.source <> 'thread' THEN TRY_CAST(s.subject AS INTEGER) END
    AS device,                            -- Device ordinal as in op.device; NULL: a thread.
  s.counter,                              -- What was read, unit in the name.
  s.value                                 -- The reading.
FROM _sample AS s
LEFT JOIN (
  -- The last thread of an id that the system has used twice.
  SELECT handle, max(id) AS thread FROM _actor
  WHERE actor_kind_name(kind) = 'thread'
  GROUP BY handle
) AS a ON s.source = 'thread' AND a.handle = TRY_CAST(s.subject AS UBIGINT);

-- Two accesses to the same bytes, at least one a write, with no happens-before edge. A store that two
-- looks at a range tell (digest) is somewhere in it: beside an access of less than that it is a guess.
CREATE VIEW conflict AS
SELECT
  c.id,                                   -- Number of the conflict.
  c.profile,                              -- Memory model under which there is no edge.
  level_name(c.level) AS level,           -- Layer of the ops: app, ggml, api.
  CASE
    WHEN c.verdict = 'mode-unknown' THEN c.verdict
    WHEN origin_name(x1.origin) = 'digest' AND (x1.lo < x2.lo OR x2.hi < x1.hi) THEN 'range-guess'
    WHEN origin_name(x2.origin) = 'digest' AND (x2.lo < x1.lo OR x1.hi < x2.hi) THEN 'range-guess'
    ELSE c.verdict
  END AS verdict,                         -- certain, latent, ordered-not-visible, host-order-assumed, range-guess, mode-unknown.
  c.hazard,                               -- read-after-write, write-after-read, write-after-write.
  c.first_op,                             -- op.id of the access that comes first in the trace.
  c.second_op,                            -- op.id of the other.
  kind_name(o1.kind) AS first_kind,       -- What the first op does.
  kind_name(o2.kind) AS second_kind,      -- What the second op does.
  CASE WHEN actor_kind_name(a1.kind) = 'thread' THEN 'host' ELSE 'device' END
    AS first_on,                          -- Whether its access happens on a host thread or a device.
  CASE WHEN actor_kind_name(a2.kind) = 'thread' THEN 'host' ELSE 'device' END
    AS second_on,                         -- The same of the second op.
  c.first_access,                         -- access.id.
  c.second_access,                        -- access.id.
  c.storage,                              -- storage.id.
  c.lo AS lo_byte,                        -- First byte both touch.
  c.hi AS hi_byte,                        -- End of the bytes both touch.
  c.first_site,                           -- site.id of the first op.
  c.second_site,                          -- site.id of the second op.
  c.first_actor,                          -- actor.id on whose timeline the first access happens.
  c.second_actor,                         -- actor.id on whose timeline the second access happens.
  c.count,                                -- Racy instances of this pair of sites.
  c.known_op,                             -- Last op of the first timeline that the second knows; NULL: none.
  c.present_op,                           -- Sync that gave that knowledge; NULL: none.
  c.hidden_by                             -- Latent, ordered-not-visible: the edge or place that orders it after all.
FROM _conflicts AS c
LEFT JOIN _named AS o1 ON o1.id = c.first_op
LEFT JOIN _named AS o2 ON o2.id = c.second_op
LEFT JOIN _actor AS a1 ON a1.id = c.first_actor
LEFT JOIN _actor AS a2 ON a2.id = c.second_actor
LEFT JOIN _access AS x1 ON x1.id = c.first_access
LEFT JOIN _access AS x2 ON x2.id = c.second_access;

-- One reason why one instant is before another, as the engine used it to order the trace. Instants
-- of an op: C the call is entered, Q the host has done its part of it (a source is read), S work
-- starts, E it is complete, R the call returns. What is before what is the closure of the rows;
-- `hb(a, b)` answers it for work. Neighbours only: calls of a thread, work of a stream. An edge that
-- its own thread's or stream's order has already (a wait for an event of the same stream) has no
-- row; one that others imply has. Size: 4 to 5 rows an op and profile, one more for each wait, one a
-- stream for a wait for a device: 1 million ops have 5 million rows, made in 6 s and 0.9 GB.
CREATE VIEW edge AS
SELECT
  e.profile,                              -- Memory model by which it holds.
  level_name(e.level) AS level,           -- Layer of the ops: app, ggml, api.
  e.kind,                                 -- Edge of the profile (launch, host-waits-event, …), or call, thread, stream, returned, lost.
  e.class,                                -- must, unfenced, impl, may: the least sure step, from a record to its wait.
  e.source,                               -- Who says so: document, file or measurement.
  e.from_op,                              -- op.id of the earlier instant.
  e.from_instant,                         -- C, Q, S, E, R.
  e.from_actor,                           -- actor.id of its thread or stream.
  a.name AS from_timeline,                -- Name of that thread or stream.
  e.to_op,                                -- op.id of the later instant.
  e.to_instant,                           -- C, Q, S, E, R.
  e.to_actor,                             -- actor.id of its thread or stream.
  b.name AS to_timeline                   -- Name of that thread or stream.
FROM _edges AS e
LEFT JOIN _actor AS a ON a.id = e.from_actor
LEFT JOIN _actor AS b ON b.id = e.to_actor;

-- One place that makes syncs, judged: which order something that nothing else orders.
CREATE VIEW need AS
SELECT
  profile,                                -- Memory model under which it was judged.
  level_name(level) AS level,             -- Layer of the ops: app, ggml, api.
  site,                                   -- site.id.
  instances,                              -- Syncs made there.
  implied,                                -- Of these: told the waiter nothing that it did not know.
  needed,                                 -- Pairs without order but for these, unseen and lost accesses assumed.
  proven,                                 -- Of these pairs: of accesses that were seen.
  final,                                  -- Of these: the program's last sync; never reported.
  unrecorded,                             -- Of these: waits on an event never recorded; never reported.
  -- Of all syncs of a layer the last ends the program too, whatever comes after it, unless it is
  -- implied.
  instances::BIGINT - unrecorded::BIGINT - greatest(
    final::BIGINT,
    (implied < instances AND last_op = max(last_op) OVER (PARTITION BY level))::BIGINT
  ) AS judged,                            -- Of these: neither final nor unrecorded nor the last of all.
  CASE
    WHEN proven > 0 THEN 'needed'
    WHEN needed > 0 THEN 'not provable'
    WHEN judged <= 0 THEN 'not judged'
    ELSE 'needless'
  END AS verdict,                         -- needed; not provable: if a habit fails, by unseen accesses, or (strict host order) in the order seen alone; not judged: judged is 0; needless.
  blocked_ns,                             -- Host time in them, ns.
  first_op,                               -- op.id of the first.
  last_op,                                -- op.id of the last.
  made_by                                 -- site.id of the other layer's sync that makes these; NULL: none, or it is not judged.
FROM _needs;

-- Pairs of places that a sync site orders: without all its calls they would race. Where accesses race
-- already, need counts syncs for earlier ones whose places are not known.
CREATE VIEW need_pair AS
SELECT
  profile,                                -- Memory model under which it was judged.
  level_name(level) AS level,             -- Layer of the ops: app, ggml, api.
  sync_site AS site,                      -- site.id of the sync.
  first_site,                             -- site.id of the access that comes first in the trace.
  second_site,                            -- site.id of the other.
  storage,                                -- storage.id.
  hazard,                                 -- read-after-write, write-after-read, write-after-write.
  max(needed) AS needed,                  -- Second ops that need it, unseen accesses assumed.
  max(proven) AS proven,                  -- The same by accesses that were seen and all that orders them.
  arg_max_null(sync_op, proven)
    AS sync_op,                           -- op.id of the last sync there that orders the example; NULL: not known.
  arg_max(first_op, proven) AS first_op,  -- op.id of an example, one that was seen if there is any.
  arg_max(second_op, proven)
    AS second_op,                         -- op.id of its second access.
  arg_max(first_access, proven)
    AS first_access,                      -- access.id.
  arg_max(second_access, proven)
    AS second_access,                     -- access.id.
  arg_max(first_actor, proven)
    AS first_actor,                       -- actor.id on whose timeline the first access happens.
  arg_max(second_actor, proven)
    AS second_actor                       -- actor.id on whose timeline the second access happens.
FROM _needed
GROUP BY profile, level_name(level), sync_site, first_site, second_site, storage, hazard;

-- A place whose syncs nothing needs under any memory model asked for. A sync of the API that another
-- layer's sync makes is told as that one, and needless if neither is needed.
CREATE VIEW needless AS
SELECT
  site,                                   -- site.id.
  level,                                  -- Layer of the ops: app, ggml, api.
  string_agg(profile, ',' ORDER BY profile)
    AS profile,                           -- Memory models under which it was judged.
  CASE WHEN bool_and(implied >= judged) THEN 'implied' ELSE 'unneeded' END
    AS why,                               -- implied: each told what was known; unneeded: no pair hangs on it.
  max(judged) AS count,                   -- Syncs judged there.
  max(blocked_ns) AS blocked_ns           -- Host time in them, ns.
FROM need
WHERE site NOT IN (SELECT site FROM need WHERE verdict <> 'needless')
  AND made_by IS NULL
  AND site NOT IN (
    SELECT made_by FROM need WHERE made_by IS NOT NULL AND verdict <> 'needless'
  )
GROUP BY site, level;

-- A place whose host waits are needed, but could wait for less: each of the calls listed replaced, no
-- pair of accesses loses its order.
CREATE VIEW over_broad AS
SELECT
  p.site,                                 -- site.id.
  p.level,                                -- Layer of the ops: app, ggml, api.
  p.profile,                              -- Memory models under which it holds.
  p.how,                                  -- stream-wait: streams wait, the host does not; event: an event recorded earlier is enough; later: the host can wait further on.
  p.ops,                                  -- op.id of each wait that could be replaced (list).
  p.blocked_ns,                           -- Host time in the waits of the place, ns.
  e.name AS event,                        -- Event to wait for, at the first of them; NULL: a new one, recorded there.
  p.record_op,                            -- op.id that recorded it; NULL: a new event, or the one that is waited for now.
  p.before_op,                            -- later: op.id before which to wait; else NULL.
  p.streams,                              -- stream-wait: actor.id of each stream that waits (list).
  p.recorded_on                           -- actor.id of each stream on which to record a new event (list).
FROM _proposals AS p
LEFT JOIN _event AS e ON e.id = p.event
WHERE p.how <> 'tiny-read';

-- A place whose host waits are needed only since the host reads a few bytes that a device wrote, and
-- then launches more: no other sync would do, but another design may do without the read.
CREATE VIEW avoidable AS
SELECT
  p.site,                                 -- site.id.
  p.level,                                -- Layer of the ops: app, ggml, api.
  p.profile,                              -- Memory models under which it holds.
  p.how,                                  -- tiny-read.
  p.ops,                                  -- op.id of each wait after which the host reads (list).
  p.blocked_ns,                           -- Host time in the waits of the place, ns.
  p.bytes AS read_bytes,                  -- Most that is read after one of them, bytes.
  p.write_op,                             -- op.id of the first write that is read.
  p.read_op                               -- op.id of that read; the wait itself where a result counts as read once it is there.
FROM _proposals AS p
WHERE p.how = 'tiny-read';

-- An op that ends the life of bytes or changes who owns them.
CREATE VIEW life AS
SELECT
  t.op,                                   -- op.id.
  kind_name(t.kind) AS kind,              -- free, free_host, free_async, alloc_async, cache_alloc, cache_free.
  a.storage,                              -- storage.id.
  a.upper_lo AS lo_byte,                  -- First byte.
  a.upper_hi AS hi_byte                   -- End.
FROM (
  SELECT id AS op, kind, unnest(accesses) AS access FROM _named
  WHERE is_life(kind) AND took_effect(flags)
) AS t
JOIN _access AS a ON a.id = t.access;

-- An op that touches memory behind its free: the call was made after that of the free had returned.
CREATE VIEW late_use AS
SELECT
  op,                                     -- op.id of the use.
  free_op,                                -- op.id of the free.
  level_name(level) AS level,             -- Layer of the use.
  site,                                   -- site.id of the use.
  access,                                 -- access.id of the use.
  free_access,                            -- access.id of the free.
  storage,                                -- storage.id.
  mode_name(mode) AS mode,                -- read, write, read_write, may, poison, unknown, unused.
  lo AS lo_byte,                          -- First byte both touch.
  hi AS hi_byte                           -- End.
FROM _late;

-- A range that a captured call put into a graph: the graph holds its address from then on. Where
-- captured calls do not tell their ranges, those of the nodes of an executable, from when it was made.
CREATE VIEW captured AS
SELECT
  t.op,                                   -- op.id of the captured call, or of the one that made the executable's version.
  t.graph,                                -- graph.id.
  t.version,                              -- Version of that graph.
  a.id AS access,                         -- access.id.
  a.storage,                              -- storage.id.
  a.upper_lo AS lo_byte,                  -- First byte.
  a.upper_hi AS hi_byte                   -- End.
FROM (
  SELECT id AS op, graph, version, unnest(accesses) AS access FROM _named
  WHERE is_captured(flags)
  UNION ALL
  SELECT m.op, n.graph, n.version, unnest(n.accesses)
  FROM (
    SELECT graph, version, min(id) AS op FROM _named
    WHERE kind_name(kind) IN ('graph_create', 'graph_update') AND took_effect(flags)
    GROUP BY graph, version
  ) AS m
  JOIN _node AS n ON n.graph = m.graph AND n.version = m.version
) AS t
JOIN _access AS a ON a.id = t.access
WHERE mode_name(a.mode) <> 'unused';

-- A launch of a graph that holds captured ranges.
CREATE VIEW captured_launch AS
SELECT
  id AS op,                               -- op.id of the launch.
  ticket_c AS ticket,                     -- Ticket taken when it was called.
  graph,                                  -- graph.id.
  version,                                -- Version launched.
  level_name(level) AS level,             -- Layer of the op.
  site                                    -- site.id.
FROM _named
WHERE kind_name(kind) = 'graph_launch' AND took_effect(flags)
  AND graph IN (SELECT c.graph FROM captured AS c);

-- A launch of a graph whose nodes are known.
CREATE VIEW node_launch AS
SELECT
  id AS op,                               -- op.id of the launch.
  graph,                                  -- graph.id.
  version,                                -- Version launched.
  level_name(level) AS level,             -- Layer of the op.
  site                                    -- site.id.
FROM _named
WHERE kind_name(kind) = 'graph_launch' AND took_effect(flags)
  AND graph IN (SELECT n.graph FROM _node AS n);

-- A judged sync op of a needless place.
CREATE VIEW needless_op AS
SELECT
  id AS op,                               -- op.id.
  site                                    -- site.id.
FROM _judged;

-- What was lost: records dropped, files torn, calls not hooked.
CREATE VIEW loss AS
SELECT
  what,                                   -- What, in words.
  count                                   -- Always NULL: the words hold the number.
FROM _loss;

-- What was not watched or not known: no race is claimed on it.
CREATE VIEW coverage AS
SELECT
  what,                                   -- What, unit in the name.
  count                                   -- How much; never 0.
FROM _coverage;

-- A finding of check, one row each.
CREATE VIEW finding AS
SELECT
  id,                                     -- Stable id: the same from run to run.
  rule,                                   -- Rule that found it.
  family,                                 -- race, life, sync, copy, trace.
  verdict,                                -- certain, latent, …, provable, over-broad, avoidable.
  severity,                               -- error, warning, note.
  profile,                                -- Memory model.
  level,                                  -- Layer of its ops.
  ops,                                    -- op.id of each op concerned (list); the pair comes first.
  buffer,                                 -- Name of the buffer; NULL: none.
  lo AS lo_byte,                          -- First byte; NULL: none.
  hi AS hi_byte,                          -- End; NULL: none.
  count,                                  -- Instances.
  cost_ns,                                -- Host time, ns; NULL: none.
  message                                 -- One sentence.
FROM _findings;
