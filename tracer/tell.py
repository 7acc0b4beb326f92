"""What an instrumented program tells the recorder: each call, with what it touches.

Instrumented classes (the CPU device, CuPy's) use this and nothing else; while no recording is on it
costs a look at one variable. The calling Python stack is the call site by itself, without the
frames of files given to `hide`.
"""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from synctrace.tracer import binding
from synctrace.tracer.binding import hide, runtime
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Kind, ScopeKind
from synctrace.tracer.told import HOST, Memory, Plan, Signal, Timeline

__all__ = ["Memory", "Plan", "Signal", "Timeline", "call", "hide", "runtime", "scope"]

_LAUNCH = int(Kind.GRAPH_LAUNCH)
_NOTHING: AbstractContextManager[None] = nullcontext()

hide(__file__)


if TYPE_CHECKING:

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
        """Record what runs within as one op of level `app`, one that failed if it raises.

        `lane` executes it or is waited for, `peer` is the other side of a copy, `accesses` are
        numbers that Memory gives, `name` is the function as the API spells it (else the kind's
        name). To be entered at once, and once. The look-up itself is native/python_call.c.
        """
        ...


def _prepare(
    kind: Kind,
    lane: Timeline | None,
    peer: Timeline | None,
    event: Signal | None,
    graph: Plan | None,
    accesses: tuple[int, ...],
    flags: int,
    device: int | None,
    name: str | None,
) -> AbstractContextManager[None]:
    """A call that was not made before in this recording; kept for the next time."""
    if name is not None and not isinstance(name, str):
        raise TypeError(f"the name of a call is a string, not {type(name).__name__}")
    told = (
        Kind(kind),
        _number_of(Kind(kind), name),
        lane.id() if lane else 0,
        peer.id() if peer else 0,
        event.id() if event else 0,
        graph.id() if graph else 0,
        graph.walk() if graph and kind == _LAUNCH else 0,
        flags,
        device if device is not None else lane.device if lane else HOST,
        accesses,
    )
    return binding.Prepared(binding.native["prepare"](*told) or binding.native["enter"](*told))


def _number_of(kind: Kind, name: str | None) -> int:
    """Number of the function's name, told in this recording."""
    spelled = name or kind.name.lower()
    number: int = binding.calls.get(spelled) or binding.native["call_number"](spelled)
    binding.calls[spelled] = number
    return number


class _Scope:
    """A span with a name."""

    __slots__ = ("_opened",)

    def __init__(self, kind: ScopeKind, name: str) -> None:
        self._opened: int = binding.native["open_scope"](ScopeKind(kind), name)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        if self._opened:
            binding.native["close_scope"](self._opened)


def scope(kind: ScopeKind, name: str) -> AbstractContextManager[None]:
    """Group the calls within, on this thread, under a name. Enter it at once."""
    return _Scope(kind, name) if binding.epoch else _NOTHING


if not TYPE_CHECKING:
    try:
        binding.load()
        call = binding.native["calls_by"](binding.Prepared, _prepare)
    except SynctraceError:  # record() says what is missing

        def call(*_: object, **named: object) -> AbstractContextManager[None]:
            """Nothing can be recorded from within this Python."""
            return _NOTHING
