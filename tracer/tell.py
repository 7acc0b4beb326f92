"""What an instrumented program tells the recorder: each call, with what it touches.

Instrumented classes (the CPU device, CuPy's) use this and nothing else; while no recording is on it
costs a look at one variable. The calling Python stack is the call site by itself, without the
frames of files given to `hide`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from synctrace.tracer import binding
from synctrace.tracer.binding import hide, runtime
from synctrace.tracer.kinds import Kind, ScopeKind
from synctrace.tracer.told import HOST, Memory, Plan, Signal, Timeline

__all__ = ["Memory", "Plan", "Signal", "Timeline", "call", "hide", "runtime", "scope"]

MOST_PREPARED = 1 << 17
_LAUNCH = int(Kind.GRAPH_LAUNCH)

hide(__file__)


_NOTHING: AbstractContextManager[None] = nullcontext()


def call(
    kind: Kind,
    lane: Timeline | None = None,
    *,
    peer: Timeline | None = None,
    event: Signal | None = None,
    graph: Plan | None = None,
    accesses: Sequence[int] = (),
    flags: int = 0,
    device: int | None = None,
    name: str | None = None,
) -> AbstractContextManager[None]:
    """Record what runs within as one op of level `app`; left by an exception it is one that failed.

    `lane` executes it or is waited for, `peer` is the other side of a copy, `accesses` are numbers
    that Memory gives, `name` is the function as the API spells it (else the kind's name). To be
    entered at once, and once.
    """
    if not binding.epoch:
        return _NOTHING
    walk = graph.walk() if graph and kind == _LAUNCH else 0
    touched = accesses if type(accesses) is tuple else tuple(accesses)
    key = (kind, lane, peer, event, graph, walk, flags, device, touched, name)
    return binding.prepared.get(key) or _prepare(key)


def _prepare(key: Any) -> AbstractContextManager[None]:
    """The call of this key, kept for the next time: most calls are made again and again."""
    kind, lane, peer, event, graph, walk, flags, device, accesses, name = key
    call = (
        kind,
        _number_of(kind, name),
        lane.id() if lane else 0,
        peer.id() if peer else 0,
        event.id() if event else 0,
        graph.id() if graph else 0,
        walk,
        flags,
        device if device is not None else lane.device if lane else HOST,
        accesses,
    )
    if len(binding.prepared) < MOST_PREPARED and (number := binding.native["prepare"](*call)):
        return binding.prepared.setdefault(key, binding.Prepared(number))
    binding.native["enter"](*call)
    return binding.leaving


def _number_of(kind: Kind, name: str | None) -> int:
    """Number of the function's name, told in this recording."""
    spelled = name or kind.name.lower()
    number: int = binding.calls.get(spelled) or binding.native["call"](spelled)
    binding.calls[spelled] = number
    return number


class _Scope:
    """A span with a name."""

    __slots__ = ("_kind", "_opened")

    def __init__(self, kind: ScopeKind, name: str) -> None:
        self._kind = kind
        self._opened = binding.native["open_scope"](kind, name)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        if self._opened:
            binding.native["close_scope"](self._kind)


def scope(kind: ScopeKind, name: str) -> AbstractContextManager[None]:
    """Group the calls within, on this thread, under a name. Enter it at once."""
    return _Scope(kind, name) if binding.epoch else _NOTHING
