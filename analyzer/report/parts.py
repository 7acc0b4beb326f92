"""What several kinds of finding tell: an op, its bytes, its place, what it costs, what next."""

from collections.abc import Iterator

from synctrace.analyzer import words
from synctrace.analyzer.finding import Finding, Memory, OpInfo, Place
from synctrace.analyzer.report.fix import where
from synctrace.analyzer.report.layout import INDENT, WIDTH, argument, beside, cut, section, told

ANY_SIZE = (1 << 63) - 1  # of what is named by address: all of the memory of the host


def op_lines(label: str, head: str, timeline: str, op: OpInfo) -> Iterator[str]:
    """An op, its timeline and its time: on one line where they fit."""
    side = f"{timeline:<12} {_when(op)}"
    line = f"  {label:<8}{head:<{WIDTH - 46}}{side}"
    if len(head) < WIDTH - 46 and len(line) <= WIDTH:
        yield line
    else:
        yield cut(f"  {label:<8}{head}", WIDTH)
        yield cut(f"{INDENT}{side}", WIDTH)


def _when(op: OpInfo) -> str:
    if op.started_ns is not None and op.ended_ns is not None:
        took = words.duration(op.ended_ns - op.started_ns)
        return f"{op.started_ns / 1e6:.3f} ms for {took}"
    return f"issued {op.entered_ns / 1e6:.3f} ms"


def place_lines(op: OpInfo, depth: int) -> Iterator[str]:
    """Thread, as many frames of the stack, scopes."""
    who = f"thread {op.thread}" if op.thread else "thread ?"
    if op.place.label:
        at = f"{who} at {op.place.label}"
        yield INDENT + beside(at, where(op.place), len(who) + 56, WIDTH - len(INDENT))
    elif not op.place.frames:
        yield f"{INDENT}{who}, call site not recorded"
    else:
        yield from _frames(who, op.place, depth)
    if op.scopes:
        yield cut(f"{INDENT}range   {' / '.join(op.scopes)}", WIDTH)


def _frames(who: str, place: Place, depth: int) -> Iterator[str]:
    lead = f"{cut(who, 40)} in "
    if place.through and depth > 1:
        yield f"{INDENT}{lead}{place.through}"
        lead, depth = " " * len(lead), depth - 1
    for frame in place.frames[:depth]:
        file = frame.file.rpartition("/")[2]
        at = f"{file}:{frame.line}" if frame.line else file
        room = WIDTH - len(INDENT) - len(lead)
        function = _shorten(frame.function, room - len(at) - 1)
        yield f"{INDENT}{lead}{beside(function, at, 50, room)}"
        lead = " " * len(lead)


def _shorten(name: str, room: int) -> str:
    """A function without its parameters where it is too long."""
    return name if len(name) <= room else name.split("(", 1)[0]


def seen(finding: Finding) -> list[str]:
    """How often, the finding's id, and the instances that are not shown."""
    return [f"{words.seen(finding):<64}id {finding.id}", *words.others(finding)]


def command_lines(trace: str, what: str, rule: str) -> Iterator[str]:
    """A query to go on with, and the rule."""
    trace = argument(trace)
    query = f"synctrace query {trace} {what}"
    if len(query) + len(INDENT) <= WIDTH:
        yield f"  next    {query}"
    else:
        yield f"  next    synctrace query {trace} \\"
        yield f"{INDENT}  {what}"
    yield f"{INDENT}synctrace explain {rule}"


def memory_name(memory: Memory) -> str:
    """Memory by its name, or by its storage where it has none."""
    return f'"{memory.name}"' if memory.name else f"storage #{memory.storage}"


def memory_lines(finding: Finding) -> Iterator[str]:
    """The bytes in question, and whether they are certain."""
    memory = finding.memory
    assert memory is not None
    place = "host memory" if memory.device < 0 else f"device {memory.device}"
    name = memory_name(memory)
    of = f" of {memory.size}" if memory.size < ANY_SIZE else ""
    text = f"{name} bytes [{memory.lo}, {memory.hi}){of}, {place}"
    if memory.storage_name not in ("", memory.name):
        text += f', in storage #{memory.storage} "{memory.storage_name}"'
    if finding.buffers > 1:
        text += f"; and {finding.buffers - 1:,} more"
    yield from section("buffer", told(text))
    if any(t.extent != "exact" for t in finding.touches):
        yield f"{INDENT}the range of an access is an upper bound: it may touch other bytes"
