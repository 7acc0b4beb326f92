"""What recording adds to a call of HIP: `hip_price.py`, or as part of `make bench`.

Pairs of runs of hip_calls.c on a runtime whose calls do nothing, plain and recorded in turn, so
that both see the same machine. Printed is the median over the pairs with their range.
"""

import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent
PAIRS, ROUNDS = 7, 60

sys.path.insert(0, str(HERE.parent))


def build(folder: Path) -> str:
    """The runtime that does nothing, and the program with a code object of one kernel."""
    from hip import code_objects

    kernel = code_objects.kernel("kernel", *[code_objects.buffer("read_write")] * 3)
    image = code_objects.elf(code_objects.metadata(kernel))
    (folder / "code.bin").write_bytes(image)
    (folder / "code.S").write_text(
        ".section .rodata\n.balign 4096\n.globl code_object\n"
        f'code_object: .incbin "{folder}/code.bin"\n'
        '.section .note.GNU-stack,"",@progbits\n'
    )
    runtime, program = folder / "libamdhip64.so.7", folder / "hip_calls"
    shared = ["-fPIC", "-shared", "-Wl,-soname,libamdhip64.so.7"]
    _cc(*shared, str(HERE / "hip_null.c"), "-o", str(runtime))
    sources = [str(HERE / "hip_calls.c"), str(folder / "code.S")]
    _cc(*sources, str(runtime), "-Wl,-rpath,$ORIGIN", "-o", str(program))
    return str(program)


def _cc(*arguments: str) -> None:
    subprocess.run(["cc", "-O2", *arguments], check=True)


def _figures(text: str) -> dict[str, float]:
    return {name: float(ns) for name, ns in (line.split("=") for line in text.splitlines())}


def plain(command: list[str]) -> dict[str, float]:
    """Median ns of each call."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return _figures(done.stdout)


def recorded(command: list[str], folder: Path) -> dict[str, float]:
    """Median ns of each call."""
    printed = folder / "printed"
    script = ["sh", "-c", f'exec "$@" >{printed}', "sh", *command]
    result = record(script, str(folder / "t"), overwrite=True, quiet=True)
    trace = open_trace(result.traces[0])
    if trace.lost:
        print(f"not complete: {'; '.join(trace.lost)}", file=sys.stderr)
    return _figures(printed.read_text())


def main() -> None:
    """Print one line a call."""
    print("\nrecording, ns a call of HIP (median and range of pairs), runtime that does nothing")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command = [build(folder), str(ROUNDS)]
        added: dict[str, list[float]] = {}
        for _ in range(PAIRS):
            before, after = plain(command), recorded(command, folder)
            for call, ns in after.items():
                added.setdefault(call, []).append(ns - before[call])
        for call, each in added.items():
            each.sort()
            print(f"{call:20} {statistics.median(each):5.0f}  {each[0]:.0f} to {each[-1]:.0f}")


if __name__ == "__main__":
    main()
