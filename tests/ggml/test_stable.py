"""A finding is known again: ids of real recordings of one program, built in different ways."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from synctrace.analyzer.check import check
from synctrace.analyzer.cli import main
from synctrace.analyzer.finding import Finding, Place
from synctrace.analyzer.fingerprint import buffer, frame, stable_id
from synctrace.analyzer.gate import Gate
from synctrace.analyzer.report import text
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace

from .conftest import HERE, build, compiler

SOURCE = Path(__file__).with_name("two_builds.c")


@dataclass(frozen=True)
class Build:
    """What a build found, and what a fingerprint must not hang on."""

    trace: Path
    findings: tuple[Finding, ...]
    lines: set[int]
    addresses: set[int]

    @property
    def ids(self) -> list[str]:
        return sorted(f.id for f in self.findings)


def built(folder: Path, *flags: str) -> Build:
    """Compile the program and the stand-in ggml so, record it and check the trace."""
    folder.mkdir()
    build(folder, "-DLAYOUT_2D", *flags)
    source = folder / "program.c"
    moved = "// A line that was not there.\n" * 100 if "-DMOVED" in flags else ""
    source.write_text(moved + SOURCE.read_text())
    library = [str(folder / "libggml-base.so"), f"-Wl,-rpath,{folder}", f"-I{HERE}"]
    command = [*compiler("-DLAYOUT_2D", *flags), str(source), *library, "-o", str(folder / "p")]
    subprocess.run(command, check=True)
    out = folder / "t.synctrace"
    assert record([str(folder / "p")], str(out)).exit_code == 0
    trace = open_trace(out)
    own = [row for row in trace.table("frame").to_pylist() if row["file"].endswith("program.c")]
    modules = {row["id"]: row["base"] for row in trace.table("module").to_pylist()}
    return Build(
        out,
        check(trace).findings,
        {row["line"] for row in own},
        {row["address"] - modules[row["module"]] for row in own},
    )


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return built(tmp_path_factory.mktemp("stable") / "first")


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Build:
    flags = ("-O2", "-DMOVED", "-falign-functions=256", "-ffunction-sections")
    return built(tmp_path_factory.mktemp("stable") / "a-checkout-of-another-name", *flags)


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Build:
    return built(tmp_path_factory.mktemp("stable") / "other", "-DOTHER")


def test_a_rebuild_with_moved_lines_and_addresses_finds_the_same(
    first: Build, second: Build
) -> None:
    assert not first.lines & second.lines
    assert not first.addresses & second.addresses
    assert first.ids == second.ids
    assert "RACE04" in {f.rule for f in first.findings}
    assert [f.rule for f in first.findings] == [f.rule for f in second.findings]


def test_another_function_is_another_finding(first: Build, other: Build) -> None:
    [before] = [f for f in first.findings if f.rule == "RACE04"]
    [after] = [f for f in other.findings if f.rule == "RACE04"]
    assert before.id != after.id
    assert before.message == after.message


def test_the_baseline_of_one_build_is_that_of_the_next(
    first: Build, second: Build, other: Build, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A gate: what the first build has fails nothing in the second, and in a changed one does."""
    base = tmp_path / "base.json"

    def told(trace: Path, *options: object) -> tuple[int, str]:
        with pytest.raises(SystemExit) as left:
            main(["--no-config", "check", str(trace), *map(str, options)])
        return int(str(left.value.code)), capsys.readouterr().out

    assert told(first.trace, "-F", "json", "-o", base)[0] == 1
    code, report = told(second.trace, "--baseline", base, "-F", "json", "--fail-on", "note")
    summary = json.loads(report)["summary"]
    assert (code, summary["error"]) == (0, 1)
    gate = summary["baseline"]
    assert (gate["new"], gate["known"], gate["gone"]) == (0, len(set(second.ids)), [])
    code, report = told(other.trace, "--baseline", base)
    assert code == 1
    [gone] = [f for f in first.findings if f.rule == "RACE04"]
    assert f"synctrace: gate: gone: RACE04 {gone.message} [{gone.id}]" in report
    assert report.count("\nRACE04 ") + report.startswith("RACE04 ") == 1, "the new one, in full"


def test_the_worst_instance_is_the_one_with_most_bytes(first: Build) -> None:
    [race] = [f for f in first.findings if f.rule == "RACE04"]
    assert race.first and race.worst
    assert (race.count, race.verdicts) == (5, {"certain": 5})
    assert race.first.ops == race.ops
    assert race.first.hi - race.first.lo == 64
    assert race.worst.hi - race.worst.lo == 256
    assert race.worst.ops[0] > race.first.ops[1]
    told = "\n".join(text.finding_lines(race, "t"))
    assert f"worst: op {race.worst.ops[0]} and op {race.worst.ops[1]}, bytes [" in told


def test_a_hundred_thousand_instances_are_told_in_less_than_forty_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SYNCTRACE_RING_KB", str(256 << 10))
    program = build(tmp_path, "-DLAYOUT_2D").program
    out = tmp_path / "t.synctrace"
    assert record([program, "rewrites", "100000"], str(out)).exit_code == 0
    checked = check(open_trace(out))
    assert checked.complete, checked.lost
    [race] = [f for f in checked.findings if f.rule == "RACE04"]
    assert race.count == 100_000
    lines = text.render([checked], Gate()).splitlines()
    assert len(lines) < 40
    assert "  seen    100,000 times from the same places; this is the first" in "\n".join(lines)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("f", "/a/b/x.c"), ("f", "x.c")),
        (("f.constprop.0", "x.c"), ("f", "x.c")),
        (("f.part.0.isra.3.cold", "x.c"), ("f", "x.c")),
        (("f(int) [clone .isra.0] [clone .cold]", "x.c"), ("f(int)", "x.c")),
        (("f", "libggml-base.so.0.9.4"), ("f", "libggml-base.so")),
    ],
)
def test_what_a_build_may_change_of_a_frame(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert frame(*one) == frame(*other)


@pytest.mark.parametrize(
    ("one", "other"),
    [(("f", "x.c"), ("g", "x.c")), (("f", "x.c"), ("f", "y.c")), (("f.a", "x.c"), ("f", "x.c"))],
)
def test_what_tells_two_frames_apart(one: tuple[str, str], other: tuple[str, str]) -> None:
    assert frame(*one) != frame(*other)


def test_layers_and_copies_of_a_buffer_are_of_one_kind() -> None:
    assert buffer("cache_k_l12") == buffer("cache_k_l3")
    assert buffer("Vulkan0#inp_embd#0") == buffer("Vulkan0#inp_embd#3")
    assert buffer("inp_embd") != buffer("inp_pos")


def test_an_id_is_short_and_takes_any_text() -> None:
    assert len(stable_id(["a", "\udc80"])) == 8
    assert Place("", 0, ()).chain == ""
