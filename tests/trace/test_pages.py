"""The pages about the trace and the scenarios say what the code does."""

import json
import re
from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.profile import shipped
from synctrace.tracer import kinds
from synctrace.tracer.describe import VOCABULARIES, page
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.vocabulary import ATTRIBUTES, EVERYWHERE, MAX_DEVICE, WORDS

ROOT = Path(__file__).parents[2]
SCENARIOS = (ROOT / "docs/scenarios.md").read_text()


def section(title: str) -> str:
    return SCENARIOS.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_trace_page_is_fresh() -> None:
    command = "python -m synctrace.tracer.describe > docs/trace.md"
    assert (ROOT / "docs/trace.md").read_text() == page(), f"run: {command}"


def test_the_trace_page_has_every_vocabulary() -> None:
    enums = {value for value in vars(kinds).values() if getattr(value, "__members__", None)}
    assert set(VOCABULARIES) == enums


def test_the_scenario_page_has_every_operation_once() -> None:
    first_cells = re.findall(r"^\| ([^|]+) \|", section("Operations"), re.M)
    told = [word for cell in first_cells for word in re.findall(r"`(\w+)`", cell)]
    assert sorted(told) == sorted(WORDS)


# What a row of the table of attributes may say instead of naming each op.
GROUPS = {
    "any": set(WORDS),
    "asynchronous copies and fills": {
        n for n in WORDS if n.startswith(("memcpy_async", "memset_"))
    },
    "copies and fills": {n for n in WORDS if n.startswith(("memcpy", "memset"))},
    "copies": {n for n in WORDS if n.startswith("memcpy")},
}


def told_holders(cell: str) -> set[str]:
    """Operations that the second cell of a row names."""
    phrases = [part for part in cell.strip().split(", ") if not part.startswith("`")]
    return set(re.findall(r"`(\w+)`", cell)).union(*(GROUPS[phrase] for phrase in phrases))


@pytest.mark.parametrize("name", ATTRIBUTES)
def test_the_scenario_page_has_every_attribute_where_it_is_allowed(name: str) -> None:
    ((cell, values),) = re.findall(
        rf"^\| `{name}` \| ([^|]+) \| ([^|]+) \|", section("Attributes"), re.M
    )
    assert told_holders(cell) == {op for op, word in WORDS.items() if name in word.attrs}
    assert (cell == "any") == (name in EVERYWHERE)
    allowed = ATTRIBUTES[name]
    if isinstance(allowed, tuple):
        assert set(re.findall(r"`([^`]+)`", values)) == set(map(json.dumps, allowed))
    elif allowed == "device":
        assert values == f"0 to {MAX_DEVICE}"


def test_the_scenario_page_names_no_attribute_that_is_not_there() -> None:
    told = re.findall(r"^\| `(\w+)` \|", section("Attributes"), re.M)
    assert told == list(dict.fromkeys(told))
    assert set(told) == set(ATTRIBUTES)


def test_the_scenario_page_names_every_example() -> None:
    told = set(re.findall(r"^\| [^|]+ \| `([a-z-]+)-\*` \|", SCENARIOS, re.M))
    files = {file.stem for file in (ROOT / "examples/scenarios").glob("*.jsonl")}
    assert {f"{name}-{end}" for name in told for end in ("race", "fix")} == files


EXAMPLE, MORE, TWO_VENDORS = re.findall(r"```json\n(.*?)```", SCENARIOS, re.S)


def judged(path: Path, text: str, profile: str) -> list[tuple[int, ...]]:
    """Ops of each finding of the only case in a file of this text."""
    file = path / "case.json"
    file.write_text(text)
    [folder] = import_cases(file, path / "t")
    return [found.ops for found in check(open_trace(folder), [profile]).findings]


@pytest.mark.parametrize("part", ["race", "fix"])
def test_the_worked_example_gets_the_verdict_that_is_told(tmp_path: Path, part: str) -> None:
    lines = EXAMPLE.splitlines()
    if part == "fix":
        lines[5:5] = MORE.splitlines()
    text = "\n".join(lines)
    assert judged(tmp_path, text, "catalogue") == ([(3, 4)] if part == "race" else [])


@pytest.mark.parametrize(
    ("profile", "races"), [("catalogue", []), ("cuda-doc", []), ("hip-6.3", [(4, 5)])]
)
def test_the_two_vendors_get_the_verdicts_that_are_told(
    tmp_path: Path, profile: str, races: list[tuple[int, ...]]
) -> None:
    if profile not in shipped():
        pytest.skip(f"no profile {profile} yet")
    assert judged(tmp_path, TWO_VENDORS, profile) == races
