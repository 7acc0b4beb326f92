"""The report that README shows is the one that `make demo` prints."""

from pathlib import Path

from synctrace.analyzer.check import check
from synctrace.analyzer.report.text import finding_lines
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scenario import import_cases

ROOT = Path(__file__).parents[2]
NAME = "pending-copy-race"


def test_the_sample_is_what_the_demo_prints(tmp_path: Path) -> None:
    file = ROOT / f"examples/scenarios/{NAME}.jsonl"
    [path] = import_cases(file, tmp_path / "t", NAME)
    [finding] = check(open_trace(path)).findings
    printed = "\n".join(finding_lines(finding, f".demo/{NAME}.synctrace"))
    sample = (ROOT / "README.md").read_text(encoding="utf-8").split("\n```\n")[1]
    assert sample == printed
