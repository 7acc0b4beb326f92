"""Guesses about one storage in the text report: one in full, a line for each of the others."""

import json
from dataclasses import replace

import pytest

from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.report import json as json_report
from synctrace.analyzer.report import text

from .findings import CLEAN, GATE, GUESS, RACE

HEAD = "while it may still be in flight ["  # ends a finding's head in full


def guesses(number: int, storage: int = 31, verdict: str = "range-guess") -> list[Finding]:
    assert GUESS.memory is not None
    memory = replace(GUESS.memory, storage=storage)
    by_pointer = (replace(GUESS.touches[0], extent="base_only"), GUESS.touches[1])
    one = replace(GUESS, verdict=verdict, level="api", memory=memory, touches=by_pointer)
    return [replace(one, id=f"{storage:04x}{n:04x}") for n in range(number)]


def reported(*findings: Finding) -> str:
    checked: Checked = replace(CLEAN, findings=findings)
    every = json.loads(json_report.render([checked], GATE))
    assert len(every["findings"]) == len(findings), "another format has all in full"
    return " ".join(text.render([checked], GATE).split())


@pytest.mark.parametrize("verdict", ["range-guess", "mode-unknown"])
def test_more_than_two_are_told_in_short(verdict: str) -> None:
    found = guesses(4, verdict=verdict)
    report = reported(RACE, *found)
    assert report.count(HEAD) == 2  # the race and the first guess
    assert '3 more guesses about "Vulkan_Host", seen 3 times' in report
    assert all(finding.id in report for finding in found)


def test_two_are_told_in_full() -> None:
    report = reported(*guesses(2), *guesses(2, storage=32))
    assert report.count(HEAD) == 4
    assert "more guesses" not in report


def test_each_storage_has_a_first() -> None:
    report = reported(*guesses(3), *guesses(5, storage=32))
    assert report.count(HEAD) == 2
    assert "2 more guesses" in report and "4 more guesses" in report


def test_beyond_twenty_they_are_counted() -> None:
    found = guesses(30)
    report = reported(*found)
    assert "… and 9 more: synctrace check run.synctrace -F concise" in report
    assert [finding.id in report for finding in found] == [True] * 21 + [False] * 9


def test_certain_races_and_ranges_told_by_tensors_stay_in_full() -> None:
    certain = [replace(found, verdict="certain") for found in guesses(3)]
    assert reported(*certain).count(HEAD) == 3
    assert reported(*[GUESS] * 3).count(HEAD) == 3


def test_a_store_that_a_later_call_saw_is_before_it() -> None:
    read, write = RACE.touches
    seen_later = replace(write, op=replace(write.op, call="pending_sources"))
    report = reported(replace(RACE, touches=(read, seen_later)))
    assert "stored before this call, which saw it; record --watch protect tells where" in report
    assert "before the store seen at op 426" in report
    assert "before the store" not in reported(RACE)


def test_where_every_call_failed_nothing_is_clean() -> None:
    census = replace(CLEAN.census, failed=CLEAN.census.ops)
    report = text.render([replace(CLEAN, census=census)], GATE)
    assert report.startswith("nothing to check: every call that was recorded returned an error")
    assert "clean" not in report
    some = text.render([replace(CLEAN, census=replace(CLEAN.census, failed=2))], GATE)
    assert "2 of these ops returned an error: taken as not done" in some
