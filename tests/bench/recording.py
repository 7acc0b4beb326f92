"""What recording adds to a call: `recording.py`, or as part of `make bench`.

Pairs of runs of token.c on the stand-in ggml, plain and recorded in turn, so that both see the same
machine. A token is about 26 ops; what is printed is the median over the pairs with their range.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent
PAIRS, TOKENS, PAUSE_US = 7, 3000, 200


def build(folder: Path) -> str:
    """The stand-in ggml and the program, optimised."""
    base, program = folder / "libggml-base.so", folder / "token"
    native = f"-I{HERE.parents[1] / 'tracer/native'}"
    cc = ["cc", "-O2", "-DLAYOUT_2D", native]
    fake = [str(path) for path in sorted((HERE.parent / "ggml").glob("fake_*.c"))]
    subprocess.run([*cc, "-fPIC", "-shared", *fake, "-ldl", "-o", str(base)], check=True)
    link = [str(base), "-Wl,-rpath,$ORIGIN", "-o", str(program)]
    subprocess.run([*cc, str(HERE / "token.c"), *link], check=True)
    return str(program)


def plain(command: list[str]) -> int:
    """Median ns of a token."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return int(done.stdout)


def recorded(command: list[str], folder: Path) -> tuple[int, float]:
    """Median ns of a token, and ops a token."""
    out, printed = folder / "t", folder / "printed"
    script = ["sh", "-c", f'exec "$@" >{printed}', "sh", *command]
    result = record(script, str(out), overwrite=True)
    trace = open_trace(result.traces[0])
    if trace.lost:
        print(f"not complete: {'; '.join(trace.lost)}", file=sys.stderr)
    return int(printed.read_text()), trace.table("op").num_rows / TOKENS


def main() -> None:
    """Print one line a setting."""
    print("\nrecording, ns an op in the program (median and range of pairs), stand-in ggml")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [build(folder), str(TOKENS), str(PAUSE_US)]
        for label, setting in (("with call sites", {}), ("without", {"SYNCTRACE_STACKS": "0"})):
            os.environ.update(setting)
            added = []
            for _ in range(PAIRS):
                before = plain(command)
                after, ops = recorded(command, folder)
                added.append((after - before) / ops)
            added.sort()
            middle = statistics.median(added)
            print(f"{label:16} {middle:5.0f}  {added[0]:.0f} to {added[-1]:.0f}  ({ops:.0f} ops)")
        os.environ.pop("SYNCTRACE_STACKS", None)


if __name__ == "__main__":
    main()
