"""The stand-in HIP runtime itself: its exports, its routes, and each rule of order that it keeps.

What these tests prove is about the stand-in alone (standin/standin.c): that a test on it sees the
order which the tables of the project give for HIP, that what is not ordered does happen out of
order, and that it has the ABI of the real library as far as Debian's and two wheels show it. That
a real HIP behaves so is what those tables say, from documents and sources; nothing here proves it.
"""

import ctypes
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hip.conftest import PROGRAMS
from hip.standin import exports
from hip.standin.build import MAJORS, StandIn

Compiled = Callable[..., Path]
DEBIAN = Path("/usr/lib/x86_64-linux-gnu/libamdhip64.so.5")


def run(program: Path, *arguments: str, **variables: str) -> str:
    """What the program says. Fails with it if the program does."""
    environment = {**os.environ, **variables}
    done = subprocess.run([program, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# --- Exports ---


def defined(library: Path) -> dict[str, str]:
    """Versions of the functions that a library defines, by name."""
    said = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True)
    return dict(re.findall(r" [TW] (\S+)@@(hip_[\d.]+)$", said.stdout, re.M))


@pytest.mark.parametrize("major", MAJORS)
def test_exports_have_their_versions(standin: StandIn, major: int) -> None:
    expected = {row.name: row.version for row in exports.exported(major)}
    assert defined(standin.library(major)) == expected
    soname = subprocess.run(
        ["readelf", "-d", standin.library(major)], capture_output=True, text=True
    ).stdout
    assert f"[libamdhip64.so.{major}]" in soname


def test_versions_name_every_function_once() -> None:
    names = [row.name for row in exports.exports()]
    assert len(set(names)) == len(names)
    assert {f.name for f in exports.functions()} <= set(names)
    assert {row.source for row in exports.exports()} == {
        "debian",
        "cyllama-rocm",
        "cupy-rocm-7-0",
        "placed",
    }


def test_exports_are_those_of_debian(standin: StandIn) -> None:
    """Its other names are no functions of HIP's runtime."""
    if not DEBIAN.exists():
        pytest.skip("no real HIP runtime to compare with: apt-get install libamdhip64-5")
    real, own = defined(DEBIAN), defined(standin.library(5))
    assert own.items() <= real.items()
    api = {f.name for f in exports.functions()}
    assert {name for name in real if name in api} <= own.keys()


def test_every_export_can_be_called(standin: StandIn) -> None:
    """What nothing implements says so; no argument of it is looked at."""
    implemented = set()
    for source in (PROGRAMS.parent / "standin").glob("*.c"):
        implemented |= set(re.findall(r"^[\w *]*\bimpl_(\w+)\(", source.read_text(), re.M))
        implemented |= {
            f"{name}_spt" for name in re.findall(r"^SPT\((\w+)", source.read_text(), re.M)
        }
    library = ctypes.CDLL(str(standin.library(7)))
    rest = [f for f in exports.functions() if f.name not in implemented]
    assert {getattr(library, f.name)() for f in rest} == {801}
    assert {f.returns for f in rest} == {"hipError_t"}
    assert len(implemented & {f.name for f in exports.functions()}) > 300


# --- Routes ---


def test_tables_are_handed_over(standin: StandIn, compiled: Compiled, tmp_path: Path) -> None:
    """At the first call of each table, before it; by 6 and 7 in their sizes, and never by 5."""
    tool = tmp_path / "libtool.so"
    command = ["cc", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", str(PROGRAMS / "tool.c")]
    subprocess.run([*command, "-o", str(tool)], check=True)
    for major, version, slots in ((6, 60300, 463), (7, 70100, 517)):
        program = compiled("ask", "-DNEWER", major=major)
        given = [f"hip {version} {8 + 8 * slots} 1", "seen", "devices 0 1"]
        second = [f"hip_compiler {version} 80 1", "configuration 9", "seen", "by address 0 1"]
        for variable in ("LD_PRELOAD", "ROCPROFILER_REGISTER_LIBRARY"):
            said = run(program, **{variable: str(tool)}).splitlines()
            assert said[:3] == given
            assert said[4:] == [*second, "unsupported 801"]
        assert "seen" not in run(program, LD_PRELOAD=str(tool), ROCPROFILER_REGISTER_ENABLED="0")
    said = run(compiled("ask", major=5), LD_PRELOAD=str(tool)).splitlines()
    assert said == ["devices 0 1", "version 50221153", "configuration 9", "unsupported 801"]


def test_without_the_register_library_nothing_is_handed_over(
    standin: StandIn, compiled: Compiled, tmp_path: Path
) -> None:
    (tmp_path / "libamdhip64.so.7").write_bytes(standin.library(7).read_bytes())
    said = run(compiled("ask", "-DNEWER"), LD_LIBRARY_PATH=str(tmp_path))
    assert said.startswith("devices 0 1\n")


def test_hip_5_has_numbers_of_its_own(compiled: Compiled) -> None:
    run(compiled("old", major=5))


def test_settings(compiled: Compiled) -> None:
    program = compiled("ask", "-DNEWER")
    assert "devices 0 3" in run(program, STANDIN_DEVICES="3")
    assert "devices 100 0" in run(program, STANDIN_DEVICES="0")
    assert "version 70000000" in run(program, STANDIN_VERSION="70000000")


# --- Rules of order ---

RULES = [
    rule
    for source in sorted(PROGRAMS.glob("rules_*.c"))
    for rule in re.findall(r"\bRULE\((\w+)\)", source.read_text())
]


@pytest.fixture(scope="session")
def rules(standin: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """programs/rules*.c as one program."""
    program = tmp_path_factory.mktemp("rules") / "rules"
    return standin.compile(program, sorted(PROGRAMS.glob("rules*.c")))


@pytest.mark.parametrize("rule", RULES)
def test_rule(rules: Path, rule: str) -> None:
    peers = "0" if rule.startswith("without_peers") else "1"
    run(rules, rule, STANDIN_DEVICES="2", STANDIN_PEERS=peers)


def test_every_rule_is_run(rules: Path) -> None:
    assert run(rules).split() and sorted(run(rules).split()) == sorted(RULES)


# --- Races that corrupt bytes ---

SEEDS = [str(seed) for seed in range(8)]


def test_a_race_corrupts_bytes_and_its_repair_does_not(compiled: Compiled) -> None:
    program = compiled("race")
    wrong = [int(run(program, "race", STANDIN_SEED=s, STANDIN_DELAY_US="20000")) for s in SEEDS]
    assert any(wrong)
    assert not any(int(run(program, "fixed", STANDIN_SEED=s)) for s in SEEDS)


def test_copies_of_a_batch_have_no_order(compiled: Compiled) -> None:
    program = compiled("race")
    wrong = {run(program, "batch", STANDIN_SEED=s, STANDIN_DELAY_US="5000") for s in SEEDS * 2}
    assert len(wrong) > 1


def test_a_seed_gives_the_same_delays_again(compiled: Compiled, tmp_path: Path) -> None:
    """As the sleeps that the runtime asks for; how long they take is the machine's affair."""
    source, shim = tmp_path / "sleeps.c", tmp_path / "libsleeps.so"
    source.write_text(
        "#include <stdio.h>\n#include <time.h>\n"
        "int nanosleep(const struct timespec *t, struct timespec *left) {"
        ' (void)left; fprintf(stderr, "%ld\\n", t->tv_nsec); return 0; }\n'
    )
    subprocess.run(["cc", "-shared", "-fPIC", str(source), "-o", str(shim)], check=True)

    def sleeps(**variables: str) -> list[str]:
        environment = {**os.environ, "LD_PRELOAD": str(shim), **variables}
        command = [str(compiled("race")), "fixed"]
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
        return done.stderr.split()

    assert sleeps() == []
    assert sleeps(STANDIN_DELAY_US="70") == ["70000"] * 2
    first, again, other = (sleeps(STANDIN_SEED=seed) for seed in ("1", "1", "2"))
    assert len(first) == 2 and first == again != other


def test_threads_share_streams(compiled: Compiled) -> None:
    run(compiled("shared_streams"))
    run(compiled("shared_streams"), STANDIN_SEED="1", STANDIN_DELAY_US="20")
