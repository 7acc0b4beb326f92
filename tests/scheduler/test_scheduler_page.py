"""docs/scheduler.md has each policy as its docstring and trace have it, and names that exist."""

import re
from pathlib import Path

from policies import promised
from test_operation_strings import ON_TWO

from synctrace.tracer.scheduler import graph, host, scheduler, split
from synctrace.tracer.scheduler.policy import OneSlot

PAGE = Path(__file__).parents[2] / "docs/scheduler.md"


def test_the_table_has_every_policy_with_its_string_and_verdicts() -> None:
    text = PAGE.read_text(encoding="utf-8")
    found = {
        name: (string, *(set(cell.split()) - {"none"} for cell in cells))
        for name, string, *cells in re.findall(
            r"^\| `(\w+)` \| `([^`]+)` \| ([A-Z0-9 ]+|none) \| ([A-Z0-9 ]+|none) \|", text, re.M
        )
    }
    policies: dict[type[OneSlot], str] = {**ON_TWO}
    assert found == {
        policy.__name__: (string, promised(policy, "Verdict"), promised(policy, "Syncs"))
        for policy, string in policies.items()
    }


def test_what_the_scheduler_is_said_to_have_is_there() -> None:
    """Names of the right column of the table of names."""
    text = PAGE.read_text(encoding="utf-8")
    table = text.split("## Names")[1].split("## Policies")[0]
    cells = [line.split("|")[2] for line in table.splitlines() if line.startswith("| ")][1:]
    told = {name for cell in cells for name in re.findall(r"`(?:\w+\.)?([A-Za-z_]+)[(`\[]", cell)}
    made = {*vars(scheduler.Scheduler), *vars(scheduler.Policy), "n_copies", "cur_copy", "events"}
    made.add("copied")
    modules = {name for each in (graph, host, scheduler, split) for name in vars(each)}
    assert len(told) > 15
    assert told <= {*made, *modules, "splits"}
