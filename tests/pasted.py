"""Commands of a report, pasted into a shell that only says how it would call `synctrace`."""

import subprocess
from pathlib import Path

# A stand-in for the command: number of its arguments, then these, ended by NUL.
SYNCTRACE = 'synctrace() { printf "%s\\0" "$#" "$@"; }\n'


def commands(report: str) -> str:
    """What stands behind `next`, as somebody would copy it."""
    copied, inside = [], False
    for line in report.splitlines():
        inside = line.startswith("  next    ") or (inside and line.startswith(" " * 10))
        if inside:
            copied.append(line.removeprefix("  next    ").strip())
    return "\n".join(copied)


def calls(script: str, cwd: Path) -> list[list[str]]:
    """Arguments of each call of `synctrace`, as a shell hands them over."""
    done = subprocess.run(
        ["sh", "-c", SYNCTRACE + script], cwd=cwd, capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    words, found = iter(done.stdout.split("\0")[:-1]), []
    for number in words:
        found.append([next(words) for _ in range(int(number))])
    return found
