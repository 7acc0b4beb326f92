"""What recording adds to a call of HIP: `hip_price.py`, or as part of `make bench`.

Runs of hip_calls.c on a runtime whose calls do nothing, plain and recorded in turn, so that all see
the same machine: with and without call sites and digests, copies of several sizes, and steps of
many kernels (hip_step.c). Printed is the turn that other work disturbed least, since a turn can
only be made longer by it.
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
STEP_TURNS, STEPS = 4, {False: 150, True: 30}  # by whether caches are cold
SIZES = (64, 1 * KB, 4 * KB, 16 * KB, 64 * KB, 256 * KB, 1024 * KB)

sys.path.insert(0, str(HERE.parent))


def build(folder: Path, name: str, kernels: dict[str, int]) -> str:
    """The runtime that does nothing, and NAME.c with the code of these kernels, each of so many
    pointers."""
    from hip import code_objects

    pointer = code_objects.buffer("read_write")
    made = [code_objects.kernel(each, *[pointer] * count) for each, count in kernels.items()]
    image = code_objects.elf(code_objects.metadata(*made))
    code = folder / f"{name}.S"
    code.with_suffix(".bin").write_bytes(image)
    code.write_text(
        ".section .rodata\n.balign 4096\n.globl code_object\n"
        f'code_object: .incbin "{folder}/{name}.bin"\n'
        '.section .note.GNU-stack,"",@progbits\n'
    )
    runtime, program = folder / "libamdhip64.so.7", folder / name
    shared = ["-fPIC", "-shared", "-Wl,-soname,libamdhip64.so.7"]
    _cc(*shared, str(HERE / "hip_null.c"), "-o", str(runtime))
    _cc(str(HERE / f"{name}.c"), str(code), str(runtime), "-Wl,-rpath,$ORIGIN", "-o", str(program))
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


# Sets of tensors that steps take turns with, and before which launches a block is another.
STEPS_OF = {
    "the same pointers in each step": (1, 0),
    "three sets of pointers in turn": (3, 0),
    "a block in 20 launches is another": (1, 20),
    "a block in 2 launches is another": (1, 2),
}


def _each_step(program: str, folder: Path) -> None:
    print("\na step of 100 kernels of four pointers, ns added a launch: least disturbed turn")
    print(f"{'':36}{'warm':>10}{'cold':>10}")
    for label, (sets, changes) in STEPS_OF.items():
        added = []
        for cold, steps in STEPS.items():
            command = [program, *(str(int(number)) for number in (steps, sets, changes, cold))]
            bare = [plain(command)["launch"] for _ in range(STEP_TURNS)]
            taken = [recorded(command, folder)["launch"] for _ in range(STEP_TURNS)]
            added.append(min(taken) - min(bare))
        print(f"{label:36}" + "".join(f"{each:10.0f}" for each in added))


def main() -> None:
    """Print three tables."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder, "hip_calls", {"kernel": 3})
        _each_call(program, folder)
        _each_size(program, folder)
        _each_step(build(folder, "hip_step", {f"k{i}": 4 for i in range(100)}), folder)


if __name__ == "__main__":
    main()
