"""Every case of the catalogue as a CUDA program on a real GPU, judged as on the stand-in driver.

    python tests/gpu/catalogue.py [OUT]

The programs are those of tests/cuda/test_catalogue.py, with kernels of catalogue.cu: each is run
alone, then recorded, as a race and with the order that it lacks. For each case a line says what
differs: the output of the right one, or findings that tests/cuda/catalogue.py does not have. Cases
that need two GPUs are told and left out on a machine of one. Then what the kernels' code does is
read: no mode must be unknown then, what was found is, and what was silent is silent. Needs nvcc and
nvdisasm. OUT gets the findings.

What it shows: the recorder and the rules on NVIDIA's driver. Whether the GPU loses bytes in a race
is chance, and only told.
"""

import json
import subprocess
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parents[1]
sys.path[:0] = [str(TESTS), str(TESTS / "gpu")]

from cuda.catalogue import CASES, MORE, PROFILES, plain  # noqa: E402
from cuda.programs.build import HERE as PROGRAMS  # noqa: E402
from cuda.programs.build import HIP, Programs, c_array  # noqa: E402
from cuda.standin import exports  # noqa: E402
from cuda.standin.build import Driver  # noqa: E402
from cuda_counts import SYNCTRACE, TOOLKIT, tool  # noqa: E402
from hip import told  # noqa: E402
from hip.standin import exports as hip_exports  # noqa: E402

from synctrace.tracer.kernel_code import add_code  # noqa: E402

GPU = TESTS / "gpu/cuda"
ALL = {**CASES, **MORE}
VARIANTS = ("fixed", "race")
NOT_ENOUGH_GPUS, MOST_S = 3, 60


@dataclass(frozen=True)
class Installed(Driver):
    """The driver that the machine has."""

    @property
    def library(self) -> Path:
        return TOOLKIT / "lib64/stubs/libcuda.so"


class Run(NamedTuple):
    """A program's end: status, what it printed, and the findings by profile if it was recorded:
    without the kernels' code, and with it."""

    status: int
    printed: str
    found: dict[str, list[str]]
    with_code: dict[str, list[str]]


def build(folder: Path) -> dict[str, str]:
    """The programs, by name."""
    tool(TOOLKIT / "bin/nvcc", "-arch=native", "-cubin", GPU / "catalogue.cu", "-o",
         folder / "catalogue.cubin")  # fmt: skip
    code = (folder / "catalogue.cubin").read_bytes()
    (folder / "kernels_image.h").write_text(c_array(code).replace("code_object", "code"))
    (folder / "kernels_code.h").write_text(c_array(b"no code"))
    (folder / "hip_calls.h").write_text(hip_exports.prototypes())
    (folder / "cuda_calls.h").write_text(exports.prototypes())
    programs = Programs(folder, Installed(folder))
    shared = [*(HIP / f"{name}.c" for name in ("scenarios", "program", "kernels")),
              PROGRAMS / "hip_by_cuda.c", GPU / "catalogue.c"]  # fmt: skip
    names = sorted({case.program for case in ALL.values()})
    return {name: programs.built(HIP / f"{name}.c", *shared) for name in names}


def run(program: str, name: str, variant: str, trace: Path | None = None) -> Run:
    record = [*SYNCTRACE, "record", "-q", "-f", "--no-kernel-code", "-o", str(trace), "--"]
    record = record if trace else []
    command = [*record, program, name, variant]
    done = subprocess.run(command, capture_output=True, text=True, timeout=MOST_S)
    printed = done.stdout + done.stderr[-200:] * bool(done.returncode)
    if not trace or not trace.exists():
        return Run(done.returncode, printed, {}, {})
    found = findings(trace)
    if wrong := add_code(trace):
        raise RuntimeError(wrong)
    return Run(done.returncode, printed, found, findings(trace))


def findings(trace: Path) -> dict[str, list[str]]:
    return {p: sorted(map(plain, f)) for p, f in told.findings(trace, *PROFILES).items()}


def unsettled(before: list[str], after: list[str]) -> list[str]:
    """What the kernels' code should have settled or kept: no mode is unknown, the race is found.

    Which rule finds it may change: what may read or write is one of the two then.
    """
    lost = [f"no {line}" for line in before if not after]
    return lost + [line for line in after if "mode-unknown" in line or not before]


def judged(program: str, name: str, folder: Path) -> tuple[str, list[str], dict[str, Run]]:
    """The case's name, what differs, and its recorded runs."""
    case, differs, runs = ALL[name], [], {}
    for variant in VARIANTS:
        alone = run(program, name, variant)
        if alone.status == NOT_ENOUGH_GPUS:
            return name, [f"not run: {alone.printed.strip()}"], {}
        one = runs[variant] = run(program, name, variant, folder / f"{name}-{variant}.synctrace")
        if variant == "fixed" and (one.status, one.printed) != (alone.status, alone.printed):
            differs.append(f"printed {one.printed!r}, alone {alone.printed!r}")
        if one.status < 0 or one.status > 128:
            differs.append(f"(the {variant} was ended by a signal: {one.status})")
            continue
        for profile in PROFILES:
            expected = case.under(profile) if variant == "race" else sorted(case.whole)
            if one.found.get(profile) != expected:
                differs.append(f"{variant}, {profile}: {one.found.get(profile)}, not {expected}")
            if open_ := unsettled(expected, one.with_code.get(profile, [])):
                differs.append(f"{variant}, {profile}, with the kernels' code: {open_}")
    if runs["race"].status:
        differs.append(f"(the race ended with {runs['race'].printed.strip()!r})")
    elif case.shows and runs["race"].printed == runs["fixed"].printed:
        differs.append("(the race spoiled no bytes)")
    return name, differs, runs


def main(out: Path | None) -> int:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        programs = build(folder)
        with ProcessPoolExecutor(8) as pool:
            given = [(programs[case.program], name, folder) for name, case in ALL.items()]
            results = list(pool.map(judged, *zip(*given, strict=True)))
    wrong = []
    for name, differs, _ in results:
        print(f"{name}: {'; '.join(differs) or 'as expected'}")
        wrong += [name] * any(not d.startswith(("(", "not run")) for d in differs)
    left_out = sum(
        differs[:1] != [] and differs[0].startswith("not run") for _, differs, _ in results
    )
    print(f"{len(results) - left_out - len(wrong)} cases as expected, {len(wrong)} not: {wrong}; "
          f"{left_out} need two GPUs")  # fmt: skip
    if out:
        told_of = {
            name: {v: [run.found, run.with_code] for v, run in runs.items()}
            for name, _, runs in results
        }
        out.mkdir(parents=True, exist_ok=True)
        (out / "catalogue.json").write_text(json.dumps(told_of, indent=1))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else None))
