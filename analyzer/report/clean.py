"""What a report says of a trace besides its findings: what was checked, what was done to it."""

import textwrap
from collections.abc import Iterator
from dataclasses import astuple

from synctrace.analyzer.finding import Checked
from synctrace.analyzer.report.layout import INDENT, WIDTH, section
from synctrace.analyzer.report.summary import plural


def fault_lines(checked: Checked) -> Iterator[str]:
    """What was done to the program on purpose: before all else."""
    if checked.faults:
        yield from textwrap.wrap(f"FAULT INJECTION in this run: {checked.faults}", WIDTH)
        yield ""


def clean_lines(checked: Checked) -> Iterator[str]:
    """What was checked, when no race was found."""
    census = checked.census
    needless = sum(f.family == "sync" for f in checked.findings)
    if checked.complete:
        verdict = "every two conflicting accesses have a happens-before edge"
        verdict = (
            f"no race: {verdict}; {plural(needless, 'needless sync')} above"
            if needless
            else f"clean: {verdict}, no sync is needless"
        )
    else:
        verdict = "not clean: data was lost, and nothing was found in what is left"
    yield verdict
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
        *textwrap.wrap(names, WIDTH - len(INDENT)),
        f"by {', '.join(checked.profiles)}; host order {checked.host_order}",
    ]
    yield from section("checked", checked_lines)
    if shape := checked.signature:
        who = "whole trace" if shape.what == "trace" else f"{shape.like} of {shape.of} {shape.what}"
        yield from section(
            "pattern", [*textwrap.wrap(shape.letters, WIDTH - len(INDENT)), f"({who})"]
        )
    places = checked.syncs
    if places and any(astuple(places)):
        told = f"{places.needless} needless, {places.needed} needed, {places.unproven} not provable"
        why = " (needed if a habit fails, or by accesses not seen)" if places.unproven else ""
        yield from section("syncs", textwrap.wrap(f"places: {told}{why}", 90))
    unseen = [f"{n:,} {name.replace('_', ' ')}" for name, n in checked.coverage.items() if n]
    yield from section("unseen", textwrap.wrap(", ".join(unseen) or "nothing known of", 90))
    yield f"  next    synctrace query {checked.trace} --saved syncs"
