"""CuPy for ROCm, as PyPI has it, on the stand-in HIP runtime: programs with a race, and right ones.

It proves that all that CuPy calls of HIP is recorded, once, by the tables that the runtime hands
out to whoever asks, although its modules see neither each other nor the recorder (RTLD_LOCAL); what
pointers its kernels get, also in structs; and the verdicts. Copies and fills are done, so that what
arrives on devices is looked at; kernels do nothing, and there is no compiler: what CuPy compiles
comes to one code object of ours. Only a real GPU can prove what compiled kernels hold, and that
hipBLAS, rocFFT and RCCL, which are stubs here, are recorded.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import pytest

from hip.software import ASKED, Recorded, Software, counted, errors, races
from synctrace.tracer.kinds import Extent, Flag, Kind, Level, MemoryKind, Mode, Origin

SCENES = Path(__file__).with_name("cupy_scenes.py")
DEVICES = {"STANDIN_DEVICES": "4"}
SLOW = {"STANDIN_DELAY_US": "2000"}  # so that what is open stays so until the host goes on


@dataclass(frozen=True)
class Race:
    """What a scene without its wait must come to: a rule, and the calls of the pair."""

    rule: str
    first: str
    second: str
    verdict: str = "certain"


COPY, STORED = "hipMemcpyAsync", "pending_sources"
ADD = "cupy_add__float32_float32_float32"
RACES = {
    "pinned": {Race("RACE04", COPY, STORED)},
    "pool": {Race("RACE04", COPY, STORED)},
    "kernels": {Race("RACE01", "scale", COPY)},
    # Nothing says what is done with a pointer in a struct.
    "elementwise": {
        Race("RACE02", ADD, COPY, "mode-unknown"),
        Race("RACE03", ADD, COPY, "mode-unknown"),
    },
    "graph": {Race("RACE05", "hipGraphLaunch", STORED)},
    "devices": {Race("RACE01", COPY, COPY)},
    "threads": {Race("RACE01", COPY, "scale")},
    "told": {Race("RACE01", COPY, "scale")},
    "stored": {Race("RACE04", COPY, "host_write")},
    "unchanged": {Race("RACE01", COPY, "scale")},
}


def found(run: Recorded) -> set[Race]:
    """Races that do not hang on how threads of the host came one after the other."""
    names = {op["id"]: str(op["name"]) for op in run.ops}
    return {
        Race(f.rule, names[f.ops[0]], names[f.ops[1]], f.verdict)
        for f in races(run.check())
        if f.verdict != "host-order-assumed"
    }


Scenes = Callable[[str, str], Recorded]


@pytest.fixture(scope="module")
def scenes(cupy_rocm: Software, code: Path, tmp_path_factory: pytest.TempPathFactory) -> Scenes:
    """scenes("A,B", "race"): their recording, made once, which must be whole, each call once."""

    @cache
    def make(names: str, order: str) -> Recorded:
        trace = tmp_path_factory.mktemp("cupy") / "t"
        run = cupy_rocm.record(trace, SCENES, names, order, code, **DEVICES, **SLOW)
        assert run.trace.complete, run.trace.lost
        assert run.calls() == run.expected_calls()
        assert run.trace.meta["profile"] == "hip-doc"
        assert run.trace.meta["versions"]["HIP"] == "7.1"
        return run

    return make


@pytest.mark.parametrize("scene", RACES)
def test_a_race(scenes: Scenes, scene: str) -> None:
    assert found(scenes(scene, "race")) == RACES[scene]


def test_call_sites_are_lines_of_the_program(scenes: Scenes) -> None:
    """Not of CuPy, whose Python modules and Cython lie between; both stand in the stack."""
    found = races(scenes("kernels", "race").check())
    lines = SCENES.read_text().splitlines()
    stacks = {touch.op.place.frames for one in found for touch in one.touches}
    assert {frame.file for stack in stacks for frame in stack} == {str(SCENES)}
    assert {tuple(frame.function for frame in stack) for stack in stacks} == {
        ("kernel.<locals>.<lambda>", "kernels", "<module>"),
        ("kernels", "<module>"),
    }
    assert {lines[stack[-2].line - 1].strip() for stack in stacks} == {
        'kernel("scale")(compute, x, y, N)',
        "y.get(out=out, stream=copies)",
    }


def test_with_its_wait_each_is_silent(scenes: Scenes) -> None:
    run = scenes(",".join(RACES), "fixed")
    assert found(run) == set() and errors(run.check()) == []
    assert len(run.printed.splitlines()) == len(RACES) and "False" not in run.printed


@pytest.mark.parametrize("order", ["race", "fixed"])
def test_what_cupy_is_used_for_is_silent(
    cupy_rocm: Software, scenes: Scenes, code: Path, tmp_path: Path, order: str
) -> None:
    """Recorded whole, with the same output, and no call is made that is not made without.

    In order by the null stream, which blocking streams wait for, or by waits.
    """
    alone = tmp_path / "alone.counts"
    printed = cupy_rocm.run(SCENES, "tour", order, code, STANDIN_COUNTS=str(alone), **DEVICES)
    run = scenes("tour", order)
    assert run.printed == printed
    polls = {"hipEventQuery"}  # CuPy asks as often as it takes
    assert set(run.counts - counted(alone)) <= {*ASKED, *polls}
    assert set(counted(alone) - run.counts) <= polls
    assert races(run.check()) == []
    kinds = {op["kind"] for op in run.of(Level.API)}
    assert kinds >= {Kind.ALLOC_MANAGED, Kind.HOST_FUNC, Kind.KERNEL, Kind.MEMSET_ASYNC}


def test_by_names_alone(cupy_rocm: Software, code: Path, tmp_path: Path) -> None:
    """Where the runtime hands its tables to nobody: modules that are linked to it."""
    run = cupy_rocm.record(
        *(tmp_path / "t", SCENES, "tour", "fixed", code), ROCPROFILER_REGISTER_ENABLED="0"
    )
    assert run.trace.complete and run.calls() == run.expected_calls()
    assert run.counts["hipModuleLaunchKernel"] > 0 and races(run.check()) == []


def test_what_kernels_are_given(scenes: Scenes) -> None:
    """Pointers as the code says, of structs by their words; those of compiled modules too."""
    run = scenes("kernels", "race")
    [scale] = run.of(Level.API, Kind.KERNEL)
    read, written = run.accesses(scale)
    assert (read["mode"], written["mode"]) == (Mode.READ, Mode.WRITE)
    assert read["extent"] == written["extent"] == Extent.BASE_ONLY
    assert read["memory"] != written["memory"]

    run = scenes("elementwise", "race")
    [added] = run.of(Level.API, Kind.KERNEL)
    touched = run.accesses(added)
    assert {a["origin"] for a in touched} == {Origin.VALUE_SCAN}
    assert all(a["lo"] == a["hi"] and a["upper_hi"] > a["upper_lo"] for a in touched)
    assert len({a["memory"] for a in touched}) == 2  # x twice, and the result
    assert run.trace.meta["coverage"]["guessed_pointers"] == 3

    run = scenes("tour", "fixed")
    sorts = [kernel for kernel in run.rows("kernel") if "rocprim" in kernel["name"]]
    assert sorts and all(k["layout_known"] and k["pointers"] for k in sorts)
    # CuPy's other kernels are in no code object here, and that is said.
    assert run.trace.meta["coverage"]["kernels_without_layout"] == 5


def test_blocks_of_the_pool(scenes: Scenes) -> None:
    """What is possible ends with the block, and with the one in its place afterwards."""
    spread, narrow = scenes("neighbours", "race"), scenes("neighbours", "fixed")
    assert {race.verdict for race in found(spread)} == {"range-guess"}
    assert found(narrow) == set()
    size = 4 << 14

    def written(run: Recorded) -> list[tuple[int, int]]:
        seconds = [run.accesses(op)[1] for op in run.of(Level.API, Kind.KERNEL)]
        return [(a["upper_lo"], a["upper_hi"]) for a in seconds]

    assert written(spread) == [(0, 3 * size)] * 3
    assert written(narrow) == [
        (size, 2 * size),
        (2 * size, 3 * size),
        (size, size + size // 2),
    ]


def test_blocks_of_a_program_that_knows_nothing_of_them(
    cupy_rocm: Software, code: Path, tmp_path: Path
) -> None:
    """Started as docs/cupy.md says."""
    page = (Path(__file__).parents[2] / "docs/cupy.md").read_text()
    [line] = re.findall(r"python -c '(import runpy[^']*)'", page)
    started = replace(cupy_rocm, command=(*cupy_rocm.command, "-c", line))
    assert found(started.record(tmp_path / "t", SCENES, "neighbours", "race", code)) == set()


def test_an_array_goes_round_four_devices(scenes: Scenes) -> None:
    run = scenes("devices", "race")
    across = [op for op in run.of(Level.API) if op["flags"] & Flag.ACROSS]
    streams = {row["id"]: row["name"] for row in run.rows("actor")}
    assert [op["device"] for op in across] == [1, 2, 3]
    assert [streams[op["peer"]] for op in across] == [f"HIP{i} null stream" for i in (0, 1, 2)]


@pytest.mark.parametrize("scene", ["told", "unchanged"])
def test_told_calls_and_hips_within_them(scenes: Scenes, scene: str) -> None:
    """Two levels: what synctrace.cupy tells encloses what it does, and counts no second time."""
    run = scenes(scene, "race")
    assert run.trace.meta["level"] == ["app", "api"]
    within = {op["parent"]: op for op in run.of(Level.API) if op["parent"] is not None}
    told = [op for op in run.of(Level.APP) if op["flags"] & Flag.LOWERED]
    assert {op["id"] for op in told} == within.keys()
    pairs = {(op["kind"], within[op["id"]]["kind"]) for op in told}
    alike = (Kind.MEMCPY_ASYNC_H2D, Kind.EVENT_RECORD, Kind.STREAM_SYNC)
    assert pairs >= {(kind, kind) for kind in alike}
    # Both speak of the same bytes: no memory of the told calls' own, and none that is taken for
    # pinned because CuPy misreads what ROCm 6 and newer say of plain host memory.
    kinds = {row["kind"] for row in run.rows("memory")}
    plain = {MemoryKind.HOST, MemoryKind.PAGEABLE}
    assert kinds - plain == {MemoryKind.PINNED, MemoryKind.DEVICE}
    for op in told:
        inner = run.accesses(within[op["id"]])
        assert {a["storage"] for a in run.accesses(op)} <= {a["storage"] for a in inner}
