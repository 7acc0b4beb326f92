"""The full report: at most 30 lines a finding, 100 columns, nothing that a comment cannot hold."""

import textwrap
from collections.abc import Iterator, Sequence

from synctrace.analyzer import words
from synctrace.analyzer.finding import CHAIN_FRAMES, Checked, Finding, OpInfo, Place, Touch
from synctrace.analyzer.report.clean import clean_lines, fault_lines
from synctrace.analyzer.report.escape import printable, shown
from synctrace.analyzer.report.fix import fix_lines, where
from synctrace.analyzer.report.layout import INDENT, WIDTH, beside, cut, section, told, wrapped
from synctrace.analyzer.report.summary import summary_line

LINES = 30
_SYNC_HELP = (
    "remove the call, or keep it under the condition that needs it; then record and check again,"
    " with every setting and number of devices that you ship"
)
COLOURS = {"error": "\033[31m", "warning": "\033[33m", "note": "\033[36m"}
PLAIN = "\033[0m"


def render(results: Sequence[Checked], fail_on: str, colour: bool = False) -> str:
    """The report of these traces, ending with one greppable line each."""
    blocks = []
    for checked in map(printable, results):
        found = [f for f in checked.findings if f.rule != "TRACE02"]
        lines = [*fault_lines(checked)]
        lines += [line for f in found for line in (*finding_lines(f, checked.trace, colour), "")]
        if not [f for f in found if f.family in ("race", "life")]:
            lines += [*clean_lines(checked), ""]
        lines.append(summary_line(checked, fail_on))
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def finding_lines(
    finding: Finding, trace: str, colour: bool = False, *, limit: int = LINES
) -> list[str]:
    """One finding in the order: kind, bytes, accesses, missing edge, fix, how often, next.

    As many frames of each stack as fit into `limit` lines, at least one.
    """
    body = {"race": _pair, "life": _pair, "sync": _sync}.get(finding.family, _stated)
    finding, trace = printable(finding), shown(trace)
    lines: list[str] = []
    for depth in range(CHAIN_FRAMES, 0, -1):
        lines = [*_head(finding, colour), "", *body(finding, trace, depth)]
        if len(lines) <= limit:
            break
    return lines


def _head(finding: Finding, colour: bool) -> list[str]:
    level = finding.severity
    if finding.family in ("race", "life") and finding.verdict != "certain":
        level = f"{level}, {finding.verdict}"
    lines = textwrap.wrap(
        f"{finding.rule} {finding.name}: {finding.message} [{level}]", WIDTH,
        subsequent_indent=" " * 7, break_on_hyphens=False,
    )  # fmt: skip
    if colour:
        paint = COLOURS[finding.severity]
        return [f"{paint}{line}{PLAIN}" for line in lines]
    return lines


def _pair(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    yield from _memory(finding)
    yield ""
    for touch in finding.touches:
        yield from _touch(finding, touch, depth)
    yield ""
    yield from _edge(finding)
    yield from section("help", fix_lines(finding))
    yield from section("seen", _seen(finding))
    yield from _next(finding, trace)


def _memory(finding: Finding) -> Iterator[str]:
    memory = finding.memory
    assert memory is not None
    place = "host memory" if memory.device < 0 else f"device {memory.device}"
    name = f'"{memory.name}"' if memory.name else f"storage #{memory.storage}"
    text = f"{name} bytes [{memory.lo}, {memory.hi}) of {memory.size}, {place}"
    if memory.storage_name not in ("", memory.name):
        text += f', in storage #{memory.storage} "{memory.storage_name}"'
    if finding.buffers > 1:
        text += f"; and {finding.buffers - 1:,} more"
    yield from section("buffer", told(text))
    if any(t.extent != "exact" for t in finding.touches):
        yield f"{INDENT}the range of an access is an upper bound: it may touch other bytes"


def _touch(finding: Finding, touch: Touch, depth: int) -> Iterator[str]:
    op = touch.op
    head = f"op {op.id:<6} {words.noun(op)}"
    memory = finding.memory
    if memory is not None and touch.buffer not in ("", memory.name):
        head += f' (as "{touch.buffer}")'
    yield from _op(words.label(touch), head, touch.timeline, op)
    yield from _place(op, depth)


def _op(label: str, head: str, timeline: str, op: OpInfo) -> Iterator[str]:
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


def _place(op: OpInfo, depth: int) -> Iterator[str]:
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


def _edge(finding: Finding) -> Iterator[str]:
    edge = finding.edge
    if edge is None:
        return
    first, second = finding.ops
    if edge.hidden_by:
        yield f"  no documented happens-before edge from op {first} to op {second}"
        yield from wrapped(f"ordered only by {edge.hidden_by}: a habit, no promise")
    else:
        yield f"  no happens-before edge from op {first} to op {second}"
    yield from wrapped(words.missing(edge))
    for line in words.present(edge):
        yield from wrapped(f"present: {line}")
    if timing := words.timing(finding):
        yield from wrapped(timing)
    yield ""


def _seen(finding: Finding) -> list[str]:
    return [f"{words.seen(finding):<64}id {finding.id}", *words.others(finding)]


def _next(finding: Finding, trace: str) -> Iterator[str]:
    if len(finding.ops) == 1:
        what = f"timeline FROM op WHERE graph = (SELECT graph FROM op WHERE id = {finding.ops[0]})"
    else:
        first, second = finding.ops
        what = f"timeline, event FROM op WHERE id BETWEEN {first} AND {second}"
    sql = f"SELECT id, kind, {what} ORDER BY id"
    yield from _commands(trace, f'"{sql}"', finding.rule)


def _commands(trace: str, what: str, rule: str) -> Iterator[str]:
    query = f"synctrace query {trace} {what}"
    if len(query) + len(INDENT) <= WIDTH:
        yield f"  next    {query}"
    else:
        yield f"  next    synctrace query {trace} \\"
        yield f"{INDENT}  {what}"
    yield f"{INDENT}synctrace explain {rule}"


def _sync(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    op = finding.sync
    assert op is not None and finding.cost_ns is not None
    head = f"op {op.id:<6} {words.noun(op)}"
    yield from _op("sync", head, op.stream or "HOST", op)
    yield from _place(op, depth)
    if finding.site_keys:
        yield from section("site", textwrap.wrap(" ".join(finding.site_keys[:24]), 90))
    yield from section("cost", [_cost(finding)])
    yield ""
    yield from section("proof", _proof(finding))
    yield from section("limits", _limits(finding))
    yield ""
    yield from section("help", textwrap.wrap(_SYNC_HELP, WIDTH - len(INDENT)))
    yield from section("seen", _seen(finding))
    sites = ", ".join(str(site) for site in finding.site_ids)
    sql = f'"SELECT id, timeline, event, blocked_ns FROM sync WHERE site IN ({sites})"'
    if len(sql) > WIDTH - len(INDENT) - 2:
        first, last = finding.ops[0], finding.ops[-1]
        sql = f'"SELECT id, timeline, site FROM sync WHERE id BETWEEN {first} AND {last}"'
    yield from _commands(trace, sql, finding.rule)


def _cost(finding: Finding) -> str:
    assert finding.cost_ns is not None
    assert finding.sync is not None
    verb = "host in the call" if finding.sync.kind == "event_wait" else "host blocked"
    total = words.duration(finding.cost_ns)
    share = finding.cost_share or 0.0
    of_run = f", {share:.1%} of the run" if share >= 0.001 else ""
    if finding.count == 1:
        return f"{verb} for {total}{of_run}"
    each = words.duration(finding.cost_ns / finding.count)
    return f"{verb} for {each} on average, x {finding.count:,} calls here = {total}{of_run}"


def _proof(finding: Finding) -> list[str]:
    if finding.why == "implied":
        text = (
            "implied: at each of these calls the waiter already knew all that the call tells it"
            " (an earlier sync or event covers it)"
        )
    else:
        text = (
            "unneeded: without it every two conflicting accesses of the trace keep their order,"
            " by documented edges alone, unseen host accesses assumed"
        )
    return textwrap.wrap(text, WIDTH - len(INDENT))


def _limits(finding: Finding) -> list[str]:
    text = f"holds for this trace, under {finding.profile}"
    if finding.why == "unneeded":
        text += "; judged alone, so take out one such place at a time"
    else:
        text += "; all implied syncs can go together"
    return textwrap.wrap(text, WIDTH - len(INDENT))


def _stated(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    yield from section("told", [f"{'by the trace itself':<64}id {finding.id}"])
    yield f"  next    synctrace explain {finding.rule}"
