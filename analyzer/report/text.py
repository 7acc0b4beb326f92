"""The full report: at most 30 lines a finding, 100 columns, nothing that a comment cannot hold."""

import textwrap
from collections.abc import Iterator, Sequence

from synctrace.analyzer import words
from synctrace.analyzer.finding import CHAIN_FRAMES, Checked, Finding, Touch
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report.advice import advice_lines
from synctrace.analyzer.report.budget import budget_lines
from synctrace.analyzer.report.clean import clean_lines, fault_lines, unexamined
from synctrace.analyzer.report.concise import line as concise_line
from synctrace.analyzer.report.escape import printable, shown
from synctrace.analyzer.report.fix import STORES_SEEN_LATER, fix_lines, instead_lines
from synctrace.analyzer.report.gates import gate_lines
from synctrace.analyzer.report.guesses import alike, guess_lines
from synctrace.analyzer.report.layout import INDENT, WIDTH, section, told, wrapped
from synctrace.analyzer.report.parts import (
    command_lines,
    memory_lines,
    op_lines,
    place_lines,
    seen,
)
from synctrace.analyzer.report.summary import summary_line

LINES = 30
_AGAIN = "; then record and check again, with every setting and number of devices that you ship"
_SYNC_HELP = {
    "provable": f"remove the call, or keep it under the condition that needs it{_AGAIN}",
    "over-broad": f"put that there, or keep the call under the condition that needs it{_AGAIN}",
    "avoidable": (
        "no other sync would do: keep the value on the device, use a bound that the host knows, or"
        " read it one step later behind an event"
    ),
}
COLOURS = {"error": "\033[31m", "warning": "\033[33m", "note": "\033[36m"}
PLAIN = "\033[0m"


def render(results: Sequence[Checked], gate: Gate, colour: bool = False) -> str:
    """The report of these traces, ending with greppable lines: one each, and what gates found.

    Known findings have one line each, after the new ones.
    """
    blocks = []
    for checked in map(printable, results):
        found = [f for f in checked.findings if f.rule != "TRACE02"]
        lines = [*fault_lines(checked)]
        new = [f for f in found if f.status != "known"]
        shown_as = alike(new)
        for finding in shown_as.full:
            lines += [*finding_lines(finding, checked.trace, colour), ""]
        for others in shown_as.others:
            lines += guess_lines(others, checked.trace)
        if known := [concise_line(f) for f in found if f.status == "known"]:
            lines += ["known, in the baseline:", *(f"  {line}" for line in known), ""]
        if not [f for f in found if f.family in ("race", "life")]:
            lines += [*clean_lines(checked), ""]
        elif left := [*section("syncs", [*unexamined(checked)])]:
            lines += [*left, ""]
        lines.append(summary_line(checked, gate))
        blocks.append("\n".join(lines))
    if told := gate_lines(results, gate):
        blocks[-1] = "\n".join([blocks[-1], *told])
    return "\n\n".join(blocks) + "\n"


def finding_lines(
    finding: Finding, trace: str, colour: bool = False, *, limit: int = LINES
) -> list[str]:
    """One finding in the order: kind, bytes, accesses, missing edge, fix, how often, next.

    As many frames of each stack as fit into `limit` lines, at least one.
    """
    body = {"race": _pair, "life": _pair, "sync": _sync}.get(finding.family, _stated)
    if finding.verdict == "advice":
        body = advice_lines
    if finding.budget:
        body = budget_lines
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
    if finding.was:
        level = f"{level}; was {finding.was}"
    lines = textwrap.wrap(
        f"{finding.rule} {finding.name}: {finding.message} [{level}]", WIDTH,
        subsequent_indent=" " * 7, break_on_hyphens=False,
    )  # fmt: skip
    if colour:
        paint = COLOURS[finding.severity]
        return [f"{paint}{line}{PLAIN}" for line in lines]
    return lines


def _pair(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    yield from memory_lines(finding)
    yield ""
    for touch in finding.touches:
        yield from _touch(finding, touch, depth)
    yield ""
    yield from _edge(finding)
    yield from section("help", fix_lines(finding))
    yield from section("seen", seen(finding))
    yield from _next(finding, trace)


def _touch(finding: Finding, touch: Touch, depth: int) -> Iterator[str]:
    op = touch.op
    head = f"op {op.id:<6} {words.noun(op)}"
    memory = finding.memory
    if memory is not None and touch.buffer not in ("", memory.name):
        head += f' (as "{touch.buffer}")'
    yield from op_lines(words.label(touch), head, touch.timeline, op)
    if op.call in STORES_SEEN_LATER:
        where = "; record --watch protect tells where" if op.call == "pending_sources" else ""
        yield f"{INDENT}stored before this call, which saw it{where}"
    yield from place_lines(op, depth)


def _edge(finding: Finding) -> Iterator[str]:
    edge = finding.edge
    if edge is None:
        return
    first, second = finding.ops
    if finding.verdict == "ordered-not-visible":
        yield f"  op {first} is before op {second}, but nothing makes it visible on another device"
        yield from wrapped(f"ordered only by {edge.hidden_by}")
        yield ""
        return
    if edge.hidden_by and edge.hidden_by.startswith("profile "):
        yield f"  no happens-before edge from op {first} to op {second} under {finding.profile}"
        yield from wrapped(f"ordered under {edge.hidden_by}: it breaks on a port")
    elif edge.hidden_by:
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


def _next(finding: Finding, trace: str) -> Iterator[str]:
    if len(finding.ops) == 1:
        what = f"timeline FROM op WHERE graph = (SELECT graph FROM op WHERE id = {finding.ops[0]})"
    else:
        first, second = finding.ops
        what = f"timeline, event FROM op WHERE id BETWEEN {first} AND {second}"
    sql = f"SELECT id, kind, {what} ORDER BY id"
    yield from command_lines(trace, f'"{sql}"', finding.rule)


def _sync(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    op = finding.sync
    assert op is not None and finding.cost_ns is not None
    head = f"op {op.id:<6} {words.noun(op)}"
    yield from op_lines("sync", head, op.stream or "HOST", op)
    yield from place_lines(op, depth)
    if finding.site_keys:
        yield from section("site", textwrap.wrap(" ".join(finding.site_keys[:24]), 90))
    yield from section("cost", [_cost(finding), *_spared(finding)])
    yield ""
    if finding.verdict == "over-broad":
        yield from section("instead", [line.strip() for line in instead_lines(finding)])
    if finding.verdict == "avoidable":
        yield from section("read", _read(finding))
    yield from section("proof", _proof(finding))
    yield from section("limits", _limits(finding))
    yield ""
    yield from section("help", textwrap.wrap(_SYNC_HELP[finding.verdict], WIDTH - len(INDENT)))
    yield from section("seen", seen(finding))
    sites = ", ".join(str(site) for site in finding.site_ids)
    sql = f'"SELECT id, timeline, event, blocked_ns FROM sync WHERE site IN ({sites})"'
    if len(sql) > WIDTH - len(INDENT) - 2:
        first, last = finding.ops[0], finding.ops[-1]
        sql = f'"SELECT id, timeline, site FROM sync WHERE id BETWEEN {first} AND {last}"'
    yield from command_lines(trace, sql, finding.rule)


def _cost(finding: Finding) -> str:
    assert finding.cost_ns is not None
    assert finding.sync is not None
    if not finding.cost_ns:  # of a call that cannot wait the time of its return is not taken
        return "host time not known"
    verb = "host in the call" if finding.sync.kind == "event_wait" else "host blocked"
    total = words.duration(finding.cost_ns)
    share = finding.cost_share or 0.0
    of_run = f", {share:.1%} of the run" if share >= 0.001 else ""
    if finding.count == 1:
        return f"{verb} for {total}{of_run}"
    each = words.duration(finding.cost_ns / finding.count)
    return f"{verb} for {each} on average, x {finding.count:,} calls here = {total}{of_run}"


def _spared(finding: Finding) -> list[str]:
    """How long the host would have waited for the event, where the trace knows when it was done."""
    record = finding.proposal.record if finding.proposal else None
    if record is None or record.ended_ns is None or finding.sync is None:
        return []
    waited = max(0, record.ended_ns - finding.sync.entered_ns)
    return [f"the first of them: that event was done {words.duration(waited)} after the call began"]


def _read(finding: Finding) -> list[str]:
    """The read that the sync serves: what and whose write."""
    proposal = finding.proposal
    assert proposal is not None and proposal.write is not None
    write = f"op {proposal.write.id} {words.noun(proposal.write)}"
    if proposal.read is None or proposal.read == finding.sync:
        return told(f"after it the host has what {write} wrote")
    return told(f"op {proposal.read.id} {words.noun(proposal.read)} of what {write} wrote")


def _proof(finding: Finding) -> list[str]:
    if finding.verdict == "over-broad":
        text = (
            "ordered again with that in the place of these calls, no two conflicting accesses of"
            " the trace lose their order, by documented edges alone, unseen host accesses assumed"
        )
    elif finding.verdict == "avoidable":
        text = (
            "of the conflicting accesses of the trace only such reads need it; the thread launches"
            " work before and after, and the device may run dry between (advice, no proof)"
        )
    elif finding.why == "implied":
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
    if finding.verdict == "avoidable":
        text += "; another design may need the value no sooner, or not on the host"
    elif finding.why != "implied":
        text += "; judged alone, so take out one such place at a time"
    else:
        text += "; all implied syncs can go together"
    return textwrap.wrap(text, WIDTH - len(INDENT))


def _stated(finding: Finding, trace: str, depth: int) -> Iterator[str]:
    yield from section("told", [f"{'by the trace itself':<64}id {finding.id}"])
    yield f"  next    synctrace explain {finding.rule}"
