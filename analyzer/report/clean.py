"""What a report says of a trace besides its findings: what was checked, what was done to it."""

import textwrap
from collections import Counter
from collections.abc import Iterator
from dataclasses import astuple
from itertools import chain

from synctrace.analyzer import words
from synctrace.analyzer.finding import Checked, SyncPlaces
from synctrace.analyzer.report.layout import WIDTH, argument, options, section, told
from synctrace.analyzer.report.summary import plural
from synctrace.analyzer.rule import default_ids, load_rule


def fault_lines(checked: Checked) -> Iterator[str]:
    """What was done to the program on purpose: before all else."""
    if checked.faults:
        yield from textwrap.wrap(f"FAULT INJECTION in this run: {checked.faults}", WIDTH)
        yield ""


def _verdict(checked: Checked) -> str:
    """What holds of the trace, no race being found: only as much as the rules asked for say."""
    if checked.census.failed and checked.census.failed == checked.census.ops:
        return "nothing to check: every call that was recorded returned an error"
    syncs = _syncs_above(checked)
    left_out = {load_rule(id_).family for id_ in default_ids() if id_ not in checked.rules}
    if left_out & {"race", "life"}:
        found = f"no race was found by the rules asked for ({', '.join(checked.rules) or 'none'})"
        found = f"{found}; {syncs}" if syncs else found
        return found if checked.complete else f"not clean: data was lost; {found}"
    if not checked.complete:
        return "not clean: data was lost; no race was found in what is left"
    if hidden := sum(s.finding.family in ("race", "life") for s in checked.suppressed):
        return f"no race but {plural(hidden, 'suppressed one')}{f'; {syncs}' if syncs else ''}"
    edges = "every two conflicting accesses have a happens-before edge"
    if "SYNC01" not in checked.rules:
        unasked = "needless syncs were not asked for"
        return f"no race: {edges}; {f'{syncs}; ' if syncs else ''}{unasked}"
    if any(s.finding.family == "sync" for s in checked.suppressed):
        syncs = f"{syncs}, others suppressed" if syncs else "findings of syncs suppressed"
    return f"no race: {edges}; {syncs}" if syncs else f"clean: {edges}, no sync is needless"


def _syncs_above(checked: Checked) -> str:
    """Findings of syncs, counted by their rule's name; empty: there are none."""
    names = Counter((f.rule, f.name) for f in checked.findings if f.family == "sync")
    each = [plural(number, name) for (_, name), number in sorted(names.items())]
    return f"{', '.join(each)} above" if each else ""


def _models(checked: Checked) -> str:
    """The memory models, and how each orders host threads."""
    pairs = zip(checked.profiles, checked.host_orders, strict=True)
    return "by " + "; ".join(f"{profile}, host order {order}" for profile, order in pairs)


def unexamined(checked: Checked) -> Iterator[str]:
    """How many needed syncs were not looked at, and why."""
    places = checked.syncs
    if places and places.too_long:
        what = f"{places.too_long} not examined for narrower waits"
        yield f"{what}: it takes long, ask with --select SYNC02"
    if places and places.too_racy:
        yield f"{places.too_racy} not examined for narrower waits: too many accesses race"


def _of_the_needed(places: SyncPlaces) -> Iterator[str]:
    """What more is known of the needed syncs."""
    if places.over_broad or places.avoidable:
        yield f"of the needed {places.over_broad} over-broad, {places.avoidable} avoidable"


def clean_lines(checked: Checked) -> Iterator[str]:
    """What was checked, when no race was found."""
    census = checked.census
    yield from textwrap.wrap(_verdict(checked), WIDTH)
    yield ""
    what = (
        plural(census.ops, "op"),
        plural(census.copies, "copy", "copies"),
        plural(census.launches, "launch", "launches"),
        plural(census.syncs, "sync"),
    )
    names = ", ".join(census.actors[:12]) + (", …" if len(census.actors) > 12 else "")
    checked_lines = [
        f"{', '.join(what)} on {plural(len(census.actors), 'timeline')}",
        *told(names),
        *told(_models(checked)),
    ]
    if census.failed:
        which = "all" if census.failed == census.ops else f"{census.failed:,}"
        checked_lines += told(f"{which} of these ops returned an error: taken as not done")
    yield from section("checked", checked_lines)
    if shape := checked.signature:
        who = "whole trace" if shape.what == "trace" else f"{shape.like} of {shape.of} {shape.what}"
        yield from section("pattern", [*told(shape.letters), *told(f"({who})")])
    places = checked.syncs
    if places and any(astuple(places)):
        number = f"{places.needless} needless, {places.needed} needed"
        why = " (needed if a habit fails, or by accesses not seen)" if places.unproven else ""
        judged = f"places: {number}, {places.unproven} not provable{why}"
        yield from section("syncs", [*told(judged), *_of_the_needed(places), *unexamined(checked)])
    unseen = [words.counted(n, name) for name, n in checked.coverage.items() if n]
    remedies = [line for name, line in words.REMEDIES.items() if checked.coverage.get(name)]
    unseen_lines = [*told(", ".join(unseen) or "nothing known of"), *chain(*map(told, remedies))]
    yield from section("unseen", unseen_lines)
    saved = f"--saved syncs{options(checked.asked)}"
    yield f"  next    synctrace query {argument(checked.trace)} {saved}"
