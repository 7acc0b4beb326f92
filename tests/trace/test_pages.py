"""The pages about the trace and the scenarios say what the code does."""

import json
import re
from pathlib import Path

import pytest

from synctrace.tracer import kinds
from synctrace.tracer.describe import VOCABULARIES, page
from synctrace.tracer.scenario import import_cases
from synctrace.tracer.vocabulary import ATTRIBUTES, EVERYWHERE, WORDS

ROOT = Path(__file__).parents[2]
SCENARIOS = (ROOT / "docs/scenarios.md").read_text()


def section(title: str) -> str:
    return SCENARIOS.split(f"\n## {title}\n")[1].split("\n## ")[0]


def test_the_trace_page_is_fresh() -> None:
    command = "python -m synctrace.tracer.describe > docs/trace.md"
    assert (ROOT / "docs/trace.md").read_text() == page(), f"run: {command}"


def test_the_trace_page_has_every_vocabulary() -> None:
    enums = {value for value in vars(kinds).values() if hasattr(value, "__members__")}
    assert set(VOCABULARIES) == enums - {kinds.IntEnum, kinds.IntFlag}


def test_the_scenario_page_has_every_operation_once() -> None:
    first_cells = re.findall(r"^\| ([^|]+) \|", section("Operations"), re.M)
    told = [word for cell in first_cells for word in re.findall(r"`(\w+)`", cell)]
    assert sorted(told) == sorted(WORDS)


def test_the_scenario_page_has_every_attribute_where_it_is_allowed() -> None:
    work = {name for name, word in WORDS.items() if "captured_in" in word.attrs}
    for name in ATTRIBUTES:
        (row,) = re.findall(rf"^\| `{name}` \| ([^|]+) \|", section("Attributes"), re.M)
        holders = {op for op, word in WORDS.items() if name in word.own_attrs}
        if name in EVERYWHERE:
            assert row == "any"
        elif name == "captured_in":
            assert holders == work
        else:
            assert set(re.findall(r"`(\w+)`", row)) == holders


@pytest.mark.parametrize("part", ["race", "fix"])
def test_the_worked_example_can_be_imported(tmp_path: Path, part: str) -> None:
    example, more = re.findall(r"```json\n(.*?)```", SCENARIOS, re.S)
    case = json.loads(example)
    if part == "fix":
        case["ops"][4:4] = json.loads(f"[{more.strip().rstrip(',')}]")
    file = tmp_path / "refill.jsonl"
    file.write_text(json.dumps(case))
    assert import_cases(file, tmp_path / "t", "refill") == [tmp_path / "t"]
