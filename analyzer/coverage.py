"""What of a trace was not watched or not known: counters, and the share behind --min-coverage."""

from collections.abc import Mapping

from synctrace.analyzer.census import TOUCHING
from synctrace.analyzer.connect import Session
from synctrace.analyzer.finding import Share
from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import Trace

# What is known of ranges: [certain part not all there is, mode unknown, memory unknown].
_RANGES = """
SELECT
  count(*) FILTER (extent_name(extent) <> 'exact' AND mode_name(mode) <> 'unused'),
  count(*) FILTER (mode_name(mode) = 'unknown'),
  count(*) FILTER (storage = 0)
FROM _scan
"""

# Every access of every op that took effect, those of its access set included, each once where calls
# of the API did the work of another layer's; an op that must touch memory and has none counts as
# one that is not known.
_SHARE = """
WITH access AS (
  SELECT
    id,
    mode_name(mode) = 'unused'
      OR storage <> 0 AND mode_name(mode) <> 'unknown' AND extent_name(extent) = 'exact' AS is_known
  FROM _access
), member AS (
  SELECT s.id, count(*) AS accesses, count(*) FILTER (a.is_known) AS known
  FROM (SELECT id, unnest(accesses) AS access FROM _access_set) AS s
  JOIN access AS a ON a.id = s.access
  GROUP BY s.id
), alike AS (
  SELECT row_number() OVER () AS number, kind, accesses, access_set, count(*) AS times
  FROM _scan
  WHERE took_effect(flags) AND NOT is_lowered(flags)
    -- Kernels of a launch whose ranges are known as a whole.
    AND NOT (kind_name(kind) = 'kernel' AND parent IS NOT NULL AND access_set = 0
      AND len(accesses) = 0)
  GROUP BY kind, accesses, access_set
), own AS (
  SELECT o.number, count(*) AS accesses, count(*) FILTER (a.is_known) AS known
  FROM (SELECT number, unnest(accesses) AS access FROM alike) AS o
  JOIN access AS a ON a.id = o.access
  GROUP BY o.number
), counted AS (
  SELECT
    o.kind, o.times,
    coalesce(w.accesses, 0) + coalesce(m.accesses, 0) AS accesses,
    coalesce(w.known, 0) + coalesce(m.known, 0) AS known
  FROM alike AS o
  LEFT JOIN own AS w ON w.number = o.number
  LEFT JOIN member AS m ON m.id = o.access_set
)
SELECT
  coalesce(sum(times * known), 0),
  coalesce(sum(times * CASE
    WHEN accesses = 0 AND kind IN (SELECT unnest(?)) THEN 1 ELSE accesses END), 0)
FROM counted
"""
_COLUMNS = ["kind", "flags", "accesses", "access_set", "parent"]
# Coverage counters that each stand for an access that was not seen.
_UNSEEN = ("launches_without_host_stores", "unresolved_pointers", "unread_nodes")


def counters(session: Session, trace: Trace) -> dict[str, int]:
    """Counters of what was not watched or not known, by name."""
    [(inexact, no_mode, no_memory)] = session.scan("access", ["storage", "mode", "extent"], _RANGES)
    told = {str(k): int(v) for k, v in dict(trace.meta.get("coverage") or {}).items()}
    told |= _of_code(session) if "kernel_code" in trace.decoded else {}
    return told | {
        "upper_bound_ranges": inexact,
        "unknown_mode_ranges": no_mode,
        "unknown_memory_ranges": no_memory,
    }


def _of_code(session: Session) -> dict[str, int]:
    """What kernels' code, where it was read, does not say."""
    [(unread, elsewhere)] = session.rows(
        "SELECT count(*) FILTER (why <> ''), count(*) FILTER (why = '' AND elsewhere IS NOT NULL)"
        " FROM kernel_code"
    )
    found = {"kernels_of_unknown_code": unread, "kernels_that_reach_elsewhere": elsewhere}
    return {name: count for name, count in found.items() if count}


def known_share(session: Session, coverage: Mapping[str, int]) -> Share:
    """Known accesses of all of them. `coverage`: counters of the trace."""
    touching = [int(kind) for kind in Kind if kind.name.startswith(TOUCHING)]
    [(known, accesses)] = session.scan("op", _COLUMNS, _SHARE, touching)
    return Share(int(known), int(accesses) + sum(coverage.get(name, 0) for name in _UNSEEN))
