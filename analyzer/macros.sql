-- The documented macros. The arguments of a caller are put into the body as they are written: names
-- in it start with _ so that they meet none of his. Profiles are compared behind the joins: compared
-- in them, all ops would be paired with all.

-- Whether op a's work is complete before op b's work begins.
-- `hb(a, b)`: under every profile asked for (`--profile`, else the trace's own) and the host order
-- asked for; `hb(a, b, 'NAME')`: under that one of them. a and b are values of op.id.
-- Work is what the call has done: on a device from S to E; on the host between C and R; by both,
-- both. Work that touches nothing counts: a record or a wait of a stream is done in its turn, a
-- wait of the host when it is over, so what it waits for is before it.
-- Edges of every class count; to ask by promises alone, name a profile without habits.
-- NULL: one of them is no op's id, or did nothing (failed, skipped, captured, or its children did
-- it), or the profile speaks of no such op, or records were being lost when b's work began. What is
-- on either side of such a loss counts as ordered, since nothing says that it is not.
-- An op is not before itself.
CREATE MACRO hb(a, b, profile := NULL) AS (
  SELECT
    CASE WHEN NOT bool_or(_lost) FILTER (_both) THEN bool_and(_known) FILTER (_both) END
  FROM (
    SELECT
      _x._profile = _y._profile AND (profile IS NULL OR _x._profile = profile) AS _both,
      _y._lost,
      CASE WHEN _x._timeline = _y._own THEN _x._position < _y._position
      ELSE coalesce(_z._positions[_x._timeline + 1] >= _x._position, false) END AS _known
    FROM (SELECT a AS _a, b AS _b) AS _asked
    LEFT JOIN _parts AS _x ON _x._op = _a
    LEFT JOIN _parts AS _y ON _y._op = _b
    LEFT JOIN _clocks AS _z ON _z._id = _y._clock
  ) AS _pairs
);
