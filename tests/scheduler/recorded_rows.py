"""The ops of a recording, by the names of what they touch."""

from pathlib import Path
from typing import Any

import synctrace

# Streams, events and memory by name: a recording numbers and places them as it likes.
TOLD = """
WITH touched AS (
  SELECT op, list_sort(list([s.name, t.lo_byte::VARCHAR, t.hi_byte::VARCHAR, t.mode])) AS bytes
  FROM op_access t JOIN storage s ON s.id = t.storage
  GROUP BY op
)
SELECT o.kind, o.flags, a.name AS stream, p.name AS peer, e.name AS event, o.device, t.bytes
FROM op o
LEFT JOIN actor a ON a.id = o.actor
LEFT JOIN actor p ON p.id = o.peer
LEFT JOIN event e ON e.id = o.event
LEFT JOIN touched t ON t.op = o.id AND o.flags NOT LIKE '%captured%'
ORDER BY o.ticket_c
"""
Row = dict[str, Any]


def rows(path: Path | None, sql: str = TOLD) -> list[Row]:
    assert path
    found: list[Row] = synctrace.open_trace(path).query(sql).to_pylist()
    return found
