"""What recorded Python programs on a real GPU have of call sites, ranges and blocks.

    python tests/gpu/scopes.py OUT

Needs PyTorch and, for its part, CuPy. Prints, for each program: outputs equal or not, of how many
calls the report begins at a line of the program and how many have no Python frame (threads of
PyTorch's own), the names of ranges, how wide what kernels may touch is, and the findings. The
traces stay in OUT.
"""

import re
import subprocess
import sys
from collections import Counter
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import synctrace
from synctrace.tracer.kinds import Extent, Kind, Level
from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent / "cuda"
PAGES = Path(__file__).parents[2] / "docs"
RECORD = [sys.executable, "-m", "synctrace", "record", "-q", "-f", "-o"]


def _output(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    print(done.stderr[-2000:], end="", file=sys.stderr)
    return f"{done.returncode}: {done.stdout}"


def _started_with_blocks() -> list[str]:
    """As docs/cupy.md says."""
    [line] = re.findall(r"python -c '(import runpy[^']*)'", (PAGES / "cupy.md").read_text())
    return ["-c", line]


def _sites(trace: Path, script: Path) -> str:
    asked = synctrace.open(trace).query(
        "SELECT s.file, count(*) AS calls FROM op AS o JOIN site AS s ON s.id = o.site"
        " WHERE o.level = 'api' GROUP BY ALL"
    )
    told: Counter[str] = Counter()
    for row in asked.to_pylist():
        own, python = row["file"] == str(script), str(row["file"]).endswith(".py")
        told["own line" if own else "other Python" if python else "C"] += row["calls"]
    return str(dict(told))


def _scopes(rows: list[dict[str, Any]]) -> str:
    names = Counter(str(row["name"]).split(",")[0] for row in rows)
    return f"{len(rows)} scopes, {len(names)} names: {names.most_common(8)}"


def _extents(opened: Any) -> str:
    """Widths of what kernels' pointers may touch."""
    accesses = {row["id"]: row for row in opened.table("access").to_pylist()}
    widths: Counter[int] = Counter()
    for op in opened.table("op").to_pylist():
        if op["level"] == Level.API and op["kind"] == Kind.KERNEL:
            for access in (accesses[one] for one in op["accesses"]):
                if access["extent"] != Extent.EXACT:
                    widths[access["upper_hi"] - access["upper_lo"]] += 1
    return str(sorted(widths.items())[-12:])


def _tell(name: str, command: list[str], script: Path, out: Path) -> None:
    trace = out / f"{name}.synctrace"
    plain, recorded = _output(command), _output([*RECORD, str(trace), "--", *command])
    opened = open_trace(trace)
    checked = synctrace.check(trace)
    found = Counter(f"{f.rule} {f.verdict}" for f in checked.findings if f.family == "race")
    print(f"{name}: outputs {'equal' if plain == recorded else f'differ: {plain} {recorded}'}")
    print(f"  complete {opened.complete} {opened.lost}")
    print(f"  sites    {_sites(trace, script)}")
    print(f"  scopes   {_scopes(opened.table('scope').to_pylist())}")
    print(f"  widths   {_extents(opened)}")
    print(f"  races    {dict(found)}", flush=True)


def main() -> None:
    """Print what each program comes to."""
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    if find_spec("torch"):
        for name, arguments in (("torch_ranges", []), ("torch_whole", ["fixed"])):
            script = HERE / f"{name}.py"
            _tell(name, [sys.executable, str(script), *arguments], script, out)
    if find_spec("cupy"):
        script = HERE / "cupy_whole.py"
        for name, how in (("cupy", []), ("cupy-blocks", _started_with_blocks())):
            _tell(name, [sys.executable, *how, str(script), "fixed"], script, out)


if __name__ == "__main__":
    main()
