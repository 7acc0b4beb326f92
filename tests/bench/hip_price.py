"""What recording adds to a call of HIP: `hip_price.py`, or as part of `make bench`.

Runs of hip_calls.c on a runtime whose calls do nothing, plain and recorded in turn, so that all see
the same machine: with and without call sites and digests, and copies of several sizes. Printed is
the turn that other work disturbed least, since a turn can only be made longer by it.
"""

import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace
from synctrace.tracer.watch import Watch

HERE = Path(__file__).parent
TURNS, ROUNDS = 9, 40
SIZE_TURNS, SIZE_ROUNDS = 4, 15
KB = 1 << 10
SIZES = (64, 1 * KB, 4 * KB, 16 * KB, 64 * KB, 256 * KB, 1024 * KB)

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


def recorded(
    command: list[str], folder: Path, sites: bool = True, watch: Watch = "digest"
) -> dict[str, float]:
    """Median ns of each call."""
    printed = folder / "printed"
    script = ["sh", "-c", f'exec "$@" >{printed}', "sh", *command]
    os.environ["SYNCTRACE_STACKS"] = "1" if sites else "0"
    result = record(script, str(folder / "t"), overwrite=True, quiet=True, watch=watch)
    trace = open_trace(result.traces[0])
    if trace.lost:
        print(f"not complete: {'; '.join(trace.lost)}", file=sys.stderr)
    return _figures(printed.read_text())


def _each_call(program: str, folder: Path) -> None:
    settings: dict[str, tuple[bool, Watch]] = {
        "all": (True, "digest"),
        "no call sites": (False, "digest"),
        "no digests": (True, "off"),
        "neither": (False, "off"),
    }
    command = [program, str(ROUNDS)]
    bare: dict[str, list[float]] = {}
    taken: dict[str, dict[str, list[float]]] = {label: {} for label in settings}
    for _ in range(TURNS):
        _keep(bare, plain(command))
        for label, (sites, watch) in settings.items():
            _keep(taken[label], recorded(command, folder, sites, watch))
    print("\nrecording, ns added a call of HIP, runtime that does nothing: least disturbed turn")
    print(f"{'':20}" + "".join(f"{label:>15}" for label in settings) + "   all, median of turns")
    for call, ns in bare.items():
        least = "".join(f"{min(each[call]) - min(ns):15.0f}" for each in taken.values())
        print(f"{call:20}{least}{_median(taken['all'][call], ns):15.0f}")


def _keep(figures: dict[str, list[float]], turn: dict[str, float]) -> None:
    for call, ns in turn.items():
        figures.setdefault(call, []).append(ns)


def _median(recorded: list[float], bare: list[float]) -> float:
    return statistics.median(after - before for after, before in zip(recorded, bare, strict=True))


def _each_size(program: str, folder: Path) -> None:
    print("\na copy from pinned memory to the device, ns added: least disturbed turn, by its bytes")
    print(f"{'':10}{'digest':>10}{'off':>10}{'more':>10}")
    for size in SIZES:
        command = [program, str(SIZE_ROUNDS), str(size)]
        bare: list[float] = []
        taken: dict[Watch, list[float]] = {"digest": [], "off": []}
        for _ in range(SIZE_TURNS):
            bare += plain(command).values()
            for watch, each in taken.items():
                each += recorded(command, folder, watch=watch).values()
        digest, off = (min(each) - min(bare) for each in taken.values())
        label = f"{size // KB} KB" if size >= KB else f"{size} B"
        print(f"{label:10}{digest:10,.0f}{off:10,.0f}{digest - off:10,.0f}")


def main() -> None:
    """Print two tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder)
        _each_call(program, folder)
        _each_size(program, folder)


if __name__ == "__main__":
    main()
