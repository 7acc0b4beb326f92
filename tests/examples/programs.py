"""The example programs: how to run one, and what its docstring promises."""

import ast
import re
from pathlib import Path

from synctrace.analyzer.finding import Checked

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "examples/programs"
NAMES = ("token_loop", "pipeline", "ring", "staging", "callback", "allocator", "threads", "unified")


def promised(name: str, line: str) -> list[str]:
    """Rule ids in a line of the program's docstring; none for `silent`."""
    doc = ast.get_docstring(ast.parse((FOLDER / f"{name}.py").read_text())) or ""
    told = re.findall(rf"^{line}: (.+)$", doc, re.M)
    assert len(told) == 1, f"{name} has no line `{line}:`"
    return [] if told == ["silent"] else sorted(told[0].split())


def found(checked: Checked, *families: str) -> list[str]:
    """Rules at warning or above: of these families, or of all if there are none."""
    assert checked.complete and checked.dropped == 0
    return sorted(
        {
            finding.rule
            for finding in checked.findings
            if finding.severity != "note" and (not families or finding.family in families)
        }
    )
