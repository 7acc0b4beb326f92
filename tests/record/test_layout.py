"""The two sides of the shared memory agree, and the recorder asks little of the system."""

import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from enum import IntEnum
from pathlib import Path

import pytest
from machines import Machine

from synctrace.tracer import kinds
from synctrace.tracer.cupti import Status
from synctrace.tracer.library import recorder_library
from synctrace.tracer.rings import COVERAGE, DEVICE_OP, DEVICE_TIME, FIXED, PAGE, RANGE, Record

NATIVE = Path(__file__).parents[2] / "tracer/native"


def test_record_sizes_agree() -> None:
    text = (NATIVE / "record.h").read_text()
    sizes = dict(re.findall(r"static_assert\(sizeof\(struct record_(\w+)\) == (\d+)", text))
    sizes.pop("head")
    for name, packed in (("range", RANGE), ("device_op", DEVICE_OP), ("device_time", DEVICE_TIME)):
        assert f"sizeof(struct {name}) == {packed.size}," in text
    assert {name: int(size) for name, size in sizes.items()} == {
        kind.name.lower(): fixed.size for kind, fixed in FIXED.items()
    }
    assert f"#define RECORD_PAGE {PAGE}" in text


def test_record_types_agree() -> None:
    text = (NATIVE / "record.h").read_text()
    types = dict(re.findall(r"\bRECORD_(\w+) = (\d+),", text))
    assert {name: int(value) for name, value in types.items()} == {
        kind.name: kind.value for kind in Record
    }


def test_coverage_counters_agree() -> None:
    text = (NATIVE / "record.h").read_text()
    counters = {int(at): name for name, at in re.findall(r"\bCOVERAGE_(\w+) = (\d+),", text)}
    assert counters == {at: name.upper() for at, name in enumerate(COVERAGE)}


NAMES = {
    "KIND": kinds.Kind,
    "FLAG": kinds.Flag,
    "LEVEL": kinds.Level,
    "MODE": kinds.Mode,
    "EXTENT": kinds.Extent,
    "ORIGIN": kinds.Origin,
    "ACTOR_KIND": kinds.ActorKind,
    "STREAM_FLAG": kinds.StreamFlag,
    "MEMORY_KIND": kinds.MemoryKind,
    "USAGE": kinds.BufferUsage,
    "SCOPE_KIND": kinds.ScopeKind,
}


def test_outcomes_of_device_times_agree() -> None:
    text = (NATIVE / "cuda_times.h").read_text()
    found = {name: int(value) for name, value in re.findall(r"DEVICE_TIMES_(\w+) = (\d+),", text)}
    assert found == {status.name: status.value for status in Status}


@pytest.mark.parametrize("prefix", NAMES)
def test_kinds_agree(prefix: str) -> None:
    text = (NATIVE / "kinds.h").read_text()
    found = re.findall(rf"\b(?<!_){prefix}_([A-Z0-9_]+) = (\d+)", text)
    assert found
    enum: type[IntEnum] = NAMES[prefix]  # type: ignore[assignment]
    assert {name: int(value) for name, value in found} == {
        name: enum[name].value for name, _ in found
    }


@dataclass(frozen=True)
class Library:
    """The recorder as built for a machine."""

    machine: Machine
    path: Path

    def objdump(self, *arguments: str) -> str:
        """What objdump says of it."""
        if not shutil.which(self.machine.objdump):
            pytest.skip(f"no {self.machine.objdump} here: apt-get install binutils")
        command = [self.machine.objdump, *arguments, str(self.path)]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout


@pytest.fixture
def library(machine: Machine, request: pytest.FixtureRequest) -> Library:
    emulated = machine.emulator and request.getfixturevalue("recorder_for_aarch64")
    return Library(machine, emulated or recorder_library())


def test_symbols_are_no_newer_than_glibc_2_28(library: Library) -> None:
    symbols = library.objdump("-T")
    versions = set(re.findall(r"GLIBC_(\d+)\.(\d+)", symbols))
    assert versions
    assert "GLIBC_PRIVATE" not in symbols, "the next glibc may be without it"
    assert all((int(major), int(minor)) <= (2, 28) for major, minor in versions)


def test_only_libc_is_needed(library: Library) -> None:
    needed = set(re.findall(r"NEEDED\s+(\S+)", library.objdump("-p")))
    assert needed <= {"libc.so.6", "libdl.so.2", "libpthread.so.0"}


def test_code_is_not_written_to_when_loaded(library: Library) -> None:
    """A hardened system refuses a library with text relocations."""
    assert "TEXTREL" not in library.objdump("-p")


def test_segments_lie_on_pages_of_every_size(library: Library) -> None:
    aligned = re.findall(r"LOAD off .* align 2\*\*(\d+)", library.objdump("-p"))
    assert aligned
    assert all(int(bits) >= library.machine.page_bits for bits in aligned)


def test_exports_are_the_interposed_names(library: Library) -> None:
    """A stray export would take the place of a function of the program."""
    lines = library.objdump("-T").splitlines()
    defined = re.compile(r"^[0-9a-f]+ (g | w) ")
    exported = {line.split()[-1] for line in lines if defined.match(line) and "*UND*" not in line}
    text = (NATIVE / "call.h").read_text()
    table = text[text.index("#define INTERPOSED") : text.index("#define RECORDED_CALLS")]
    of_libc = re.findall(r"X\((\w+)\)", (NATIVE / "libc_calls.h").read_text())
    of_libc += re.findall(r"\(\*_Atomic (\w+)\)", (NATIVE / "real_memory.h").read_text())
    header = (NATIVE / "synctrace.h").read_text()
    by_ggml = {"ggml_backend_init"}  # looked up in a backend library by its handle
    annotations = set(re.findall(r"void (synctrace_recorded_\w+)\(", header))
    functions = "".join(
        (NATIVE / f"{name}_functions.h").read_text() for name in ("cuda", "hip", "rccl")
    )
    functions += (NATIVE / "cupti_hooks.h").read_text()
    hip = set(re.findall(r" {4}X\((\w+),", functions))
    by_the_loader = {"dlsym", "rocprofiler_configure", "rocprofiler_set_api_table"}
    by_tools = {"synctrace_python", "InitializeInjectionNvtx2"}
    by_tools |= set(re.findall(r"X\((roctx\w+),", (NATIVE / "roctx.c").read_text()))
    by_tools |= set(re.findall(r'#define TELLS "(\w+)"', (NATIVE / "torch_blocks.c").read_text()))
    by_name = by_ggml | annotations | hip | by_the_loader | by_tools
    assert exported == {*re.findall(r"X\((\w+)\)", table), *of_libc} | by_name


def test_wrappers_are_fresh(tmp_path: Path) -> None:
    """What generate_wrappers.py writes from its tables is what is checked in."""
    tables = [*NATIVE.glob("*_api.txt"), *NATIVE.glob("*_roles*.txt")]
    for path in (NATIVE / "generate_wrappers.py", *tables):
        (tmp_path / path.name).write_text(path.read_text())
    subprocess.run([sys.executable, str(tmp_path / "generate_wrappers.py")], check=True)
    for name in ("hip_wrappers.c", "hip_functions.h", "rccl_wrappers.c", "rccl_functions.h"):
        assert (tmp_path / name).read_text() == (NATIVE / name).read_text()


def test_no_ggml_symbol_is_referenced(library: Library) -> None:
    lines = library.objdump("-T").splitlines()
    undefined = [line.split()[-1] for line in lines if "*UND*" in line]
    assert undefined
    assert [name for name in undefined if name.startswith(("ggml", "llama"))] == []
