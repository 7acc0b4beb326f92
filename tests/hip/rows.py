"""Rows of a recorded HIP program as short texts: what its ops and the nodes of its graphs touch."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synctrace.tracer.kinds import Flag, Kind, Mode
from synctrace.tracer.reader import Trace, open_trace

Row = dict[str, Any]


@dataclass(frozen=True)
class Version:
    """One version of a graph: `KIND NAME: MODE BUFFER[LO,HI) …` of each node, and the edges."""

    nodes: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]


def _rows(trace: Trace, table: str) -> list[Row]:
    rows: list[Row] = trace.table(table).to_pylist()
    return rows


def _accesses(trace: Trace) -> dict[int, str]:
    """What may be touched, by access.id."""
    names = {row["id"]: row["name"] for row in _rows(trace, "storage")}
    return {
        row["id"]: f"{Mode(row['mode']).name.lower()} {names.get(row['storage'], 'unknown')}"
        f"[{row['upper_lo']},{row['upper_hi']})"
        for row in _rows(trace, "access")
    }


def _text(first: str, touched: list[str]) -> str:
    return f"{first}: {', '.join(touched)}" if touched else first


def versions(path: Path) -> dict[str, list[Version]]:
    """The versions of each graph of a trace, by its name."""
    trace = open_trace(path)
    accesses = _accesses(trace)
    found: dict[str, list[Version]] = {}
    for graph in sorted(_rows(trace, "graph"), key=lambda g: (int(g["id"]), int(g["version"]))):
        where = (graph["id"], graph["version"])
        nodes = [n for n in _rows(trace, "node") if (n["graph"], n["version"]) == where]
        edges = [e for e in _rows(trace, "node_edge") if (e["graph"], e["version"]) == where]
        texts = [
            _text(
                f"{Kind(node['kind']).name.lower()} {node['name']}",
                [accesses[access] for access in node["accesses"]],
            )
            for node in sorted(nodes, key=lambda node: int(node["node"]))
        ]
        pairs = tuple(sorted((edge["first"], edge["second"]) for edge in edges))
        found.setdefault(graph["name"], []).append(Version(tuple(texts), pairs))
    return found


def ops(path: Path, *kinds: Kind) -> list[str]:
    """`KIND CALL on ACTOR (FLAGS): MODE BUFFER[LO,HI) …` of each op of these kinds (or all but host
    functions' beginnings, which come when they do)."""
    trace = open_trace(path)
    accesses = _accesses(trace)
    actors = {row["id"]: row["name"] for row in _rows(trace, "actor")}
    calls = {row["id"]: row["name"] for row in _rows(trace, "call")}
    texts = []
    for op in sorted(_rows(trace, "op"), key=lambda op: int(op["ticket_c"])):
        if op["kind"] not in kinds if kinds else calls[op["call"]] == "host_function":
            continue
        text = f"{Kind(op['kind']).name.lower()} {calls[op['call']]}"
        if op["actor"]:
            text += f" on {actors[op['actor']]}"
        if op["flags"]:
            text += f" ({str(Flag(op['flags']).name).lower()})"
        texts.append(_text(text, [accesses[access] for access in op["accesses"]]))
    return texts


def events(path: Path) -> list[str]:
    """`KIND on ACTOR of EVENT` of each op that has one, but those that make or destroy it."""
    trace = open_trace(path)
    actors = {row["id"]: row["name"] for row in _rows(trace, "actor")}
    names = {row["id"]: row["name"] for row in _rows(trace, "event")}
    return [
        f"{Kind(op['kind']).name.lower()} on {actors[op['actor']]} of {names[op['event']]}"
        for op in sorted(_rows(trace, "op"), key=lambda op: int(op["ticket_c"]))
        if op["event"] and op["actor"]
    ]


def parameters(path: Path) -> list[str]:
    """`KERNEL BYTE: MODE BUFFER[LO,HI)` of each word of kernels' parameters that led to memory."""
    trace = open_trace(path)
    accesses = _accesses(trace)
    names = {row["id"]: row["name"] for row in _rows(trace, "kernel")}
    rows = [(names[row["kernel"]], row["word"], row["access"]) for row in _rows(trace, "parameter")]
    assert len({access for _, _, access in rows}) == len(rows)
    return [f"{name} {word}: {accesses[access]}" for name, word, access in sorted(rows)]


def launches(path: Path) -> list[tuple[str, int]]:
    """Graph and version of each launch that ran."""
    trace = open_trace(path)
    names = {row["id"]: row["name"] for row in _rows(trace, "graph")}
    return [
        (names[op["graph"]], op["version"])
        for op in sorted(_rows(trace, "op"), key=lambda op: int(op["ticket_c"]))
        if op["kind"] == Kind.GRAPH_LAUNCH and not op["flags"] & Flag.CAPTURED
    ]


def text_of(path: Path) -> list[str]:
    """Memory, ops, events and versions of graphs of a trace, line by line.

    Host memory lies elsewhere in each run: its addresses are left out.
    """
    storages = _rows(open_trace(path), "storage")
    lines = ["memory", *(f"{row['name']} of device {row['device']}" for row in storages)]
    lines += ["ops", *ops(path), "events", *events(path), "parameters", *parameters(path)]
    for name, known in versions(path).items():
        for version in known:
            edges = " ".join(f"{first}-{second}" for first, second in version.edges)
            lines += [f"{name}, edges {edges}".rstrip(), *version.nodes]
    return [re.sub(r"host memory\[\d+,\d+\)", "host memory[...)", line) for line in lines]
