"""Captures of CuPy streams: which streams take part in one, and what its graph will touch."""

from dataclasses import dataclass, field
from typing import Any

from synctrace.tracer import tell
from synctrace.tracer.cupy.places import Touch


@dataclass(eq=False)
class Capture:
    """Calls that are stored in a graph, not run."""

    touched: list[Touch] = field(default_factory=list)
    operations: dict[str, None] = field(default_factory=dict)  # in order of first appearance
    nodes: int = 0


# By timeline: of each stream that takes part in a capture. Nearly always empty.
captures: dict[tell.Timeline, Capture] = {}


def begin(lane: tell.Timeline) -> None:
    """From now on the stream's calls go into a graph."""
    captures[lane] = Capture()


def join(lane: tell.Timeline, event: Any) -> None:
    """A stream waits for an event: one that was recorded in a capture takes it into that."""
    capture = getattr(event, "_synctrace_capture", None)
    if capture is not None and capture in captures.values():
        captures[lane] = capture


def recorded(lane: tell.Timeline, event: Any) -> None:
    """An event is recorded: in the capture of its stream, if that takes part in one."""
    event._synctrace_capture = captures.get(lane)


def end(lane: tell.Timeline) -> Capture | None:
    """The capture that began on this stream, which is over for all streams that joined it."""
    capture = captures.get(lane)
    for each in [each for each, its in captures.items() if its is capture]:
        del captures[each]
    return capture
