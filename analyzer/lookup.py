"""Ids to words: ops, call sites, scopes, timelines and accesses of the few rows a finding shows."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from synctrace.analyzer.connect import Row, Session
from synctrace.analyzer.finding import NOWHERE, Frame, Memory, OpInfo, Place

_OPS = """
SELECT
  n.id, kind_name(n.kind) AS kind, c.name AS call, n.thread,
  CASE WHEN actor_kind_name(a.kind) = 'thread' THEN NULL ELSE a.id END AS stream,
  e.name AS event, g.name AS graph, level_name(n.level) AS level, n.site, n.scope,
  n.t_c, n.t_r, coalesce(n.t_s, w.t_s) AS t_s, coalesce(n.t_e, w.t_e) AS t_e,
  is_batched(n.flags) AS batched
FROM _named AS n
LEFT JOIN _call AS c ON c.id = n.call
LEFT JOIN _actor AS a ON a.id = n.actor
LEFT JOIN _event AS e ON e.id = n.event
LEFT JOIN (SELECT id, any_value(name) AS name FROM _graph GROUP BY id) AS g ON g.id = n.graph
LEFT JOIN _worked AS w ON w.op = n.id
WHERE n.id IN (SELECT unnest(?))
"""

_FRAMES = """
SELECT s.id, s.label, s.ordinal, s.key, k.depth, f.function, f.file, f.line, m.path,
  coalesce(k.depth < e.depth, false) AS of_runtime
FROM _site AS s
LEFT JOIN _depth AS k ON k.stack = s.stack
LEFT JOIN _entered AS e ON e.stack = s.stack
LEFT JOIN _frame AS f ON f.address = k.address
LEFT JOIN _module AS m ON m.id = f.module
WHERE s.id IN (SELECT unnest(?))
ORDER BY s.id, k.depth
"""

_SCOPES = """
WITH RECURSIVE path AS (
  SELECT id AS scope, 0 AS height, id, parent, kind, name, number
  FROM _scope WHERE id IN (SELECT unnest(?))
  UNION ALL
  SELECT p.scope, p.height + 1, s.id, s.parent, s.kind, s.name, s.number
  FROM path AS p JOIN _scope AS s ON s.id = p.parent
)
SELECT scope, scope_kind_name(kind), name, number FROM path ORDER BY scope, height DESC
"""

_ACCESSES = """
SELECT
  a.id, mode_name(a.mode) AS mode, extent_name(a.extent) AS extent, a.storage,
  coalesce(b.name, '') AS buffer, coalesce(s.name, '') AS storage_name,
  coalesce(s.device, -1) AS device, coalesce(s.size, 0) AS size, a.lo, a.hi
FROM _access AS a
LEFT JOIN _buffer AS b ON b.id = a.buffer
LEFT JOIN _storage AS s ON s.id = a.storage
WHERE a.id IN (SELECT unnest(?))
"""

# Within a frame of CUDA's runtime or of its headers: the function that the program has called.
_CUDA_FUNCTION = re.compile(r"cuda[A-Z][A-Za-z0-9]*")


@dataclass(frozen=True)
class AccessInfo:
    """An access in words."""

    mode: str
    extent: str
    buffer: str
    memory: Memory


class Timelines(dict[int, tuple[str, bool]]):
    """Name and whether it is a host thread, by actor.id; a trace may have lost some."""

    def __missing__(self, actor: int) -> tuple[str, bool]:
        return f"timeline #{actor}", False


class Lookup:
    """Reads what it is asked for, in one query a kind."""

    def __init__(self, session: Session, start_ns: int) -> None:
        """`start_ns`: time of the trace's first op; times are told from there."""
        self.session = session
        self.start_ns = start_ns

    @cached_property
    def actors(self) -> Timelines:
        """Timeline of each actor.id: its name for reports and whether it is a host thread."""
        rows = self.session.rows(
            "SELECT id, actor_kind_name(kind) = 'thread' FROM _actor ORDER BY id"
        )
        alone = sum(host for _, host in rows) == 1
        found = Timelines()
        for id_, host in rows:
            name = self.names[id_]
            found[id_] = ((("HOST" if alone else f"HOST {name}") if host else name), host)
        return found

    @cached_property
    def names(self) -> dict[int, str]:
        """Of threads and streams by actor.id, with which a name ends that several have."""
        rows = self.session.rows(
            "SELECT id, name,"
            " count(*) OVER (PARTITION BY name, actor_kind_name(kind) = 'thread') FROM _actor"
        )
        return {id_: f"{name} #{id_}" if count > 1 else name for id_, name, count in rows}

    def ops(self, ids: Collection[int]) -> dict[int, OpInfo]:
        """Ops by id; ids that _named does not hold are left out."""
        rows = self.session.dicts(_OPS, sorted(ids)) if ids else []
        places = self.places({row["site"] for row in rows})
        scopes = self._scopes({row["scope"] for row in rows} - {0})
        return {row["id"]: self._op(row, places, scopes) for row in rows}

    def _op(
        self,
        row: Row,
        places: dict[int, Place],
        scopes: dict[int, tuple[str, ...]],
    ) -> OpInfo:
        return OpInfo(
            id=row["id"],
            kind=row["kind"],
            call=row["call"] or row["kind"],
            thread=self.names.get(row["thread"], ""),
            stream=self.names.get(row["stream"], ""),
            event=row["event"] or "",
            graph=row["graph"] or "",
            level=row["level"],
            place=places.get(row["site"], NOWHERE),
            scopes=scopes.get(row["scope"], ()),
            entered_ns=row["t_c"] - self.start_ns,
            returned_ns=row["t_r"] - self.start_ns,
            started_ns=None if row["t_s"] is None else row["t_s"] - self.start_ns,
            ended_ns=None if row["t_e"] is None else row["t_e"] - self.start_ns,
            batched=row["batched"],
        )

    def places(self, sites: Collection[int]) -> dict[int, Place]:
        """Call sites by site.id."""
        if not sites:
            return {}
        found: dict[int, tuple[str, int, str, list[Frame]]] = {}
        through: dict[int, str] = {}
        for (
            site,
            label,
            ordinal,
            key,
            depth,
            function,
            file,
            line,
            module,
            of_runtime,
        ) in self.session.rows(_FRAMES, sorted(sites)):
            frames = found.setdefault(site, (label, ordinal, key, []))[3]
            if of_runtime:
                if called := _CUDA_FUNCTION.search(function or ""):
                    through[site] = called[0]
            elif depth is not None:
                where = file or (module or "").rpartition("/")[2]
                frames.append(Frame(function or "?", where, line or 0))
        return {
            site: Place(label, ordinal, tuple(frames), key, through.get(site, ""))
            for site, (label, ordinal, key, frames) in found.items()
        }

    def _scopes(self, ids: Collection[int]) -> dict[int, tuple[str, ...]]:
        if not ids:
            return {}
        found: dict[int, tuple[str, ...]] = {}
        for scope, kind, name, number in self.session.rows(_SCOPES, sorted(ids)):
            told = f"split {number} ({name})" if kind == "split" else f"{name} #{number}"
            found[scope] = (*found.get(scope, ()), told)
        return found

    def accesses(self, ids: Collection[int]) -> dict[int, AccessInfo]:
        """Accesses by access.id."""
        rows: Sequence[tuple[Any, ...]] = self.session.rows(_ACCESSES, sorted(ids))
        return {
            id_: AccessInfo(
                mode,
                extent,
                buffer,
                Memory(buffer or storage_name, storage, storage_name, device, size, lo, hi),
            )
            for id_, mode, extent, storage, buffer, storage_name, device, size, lo, hi in rows
        }
