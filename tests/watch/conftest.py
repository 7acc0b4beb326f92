"""A program with work in flight (program.c) on the stand-in ggml, recorded in each way of watching.

What these tests show holds for ordinary memory, on the kernel they run on. Memory that a GPU's
driver has mapped or pinned may refuse to be tracked or protected, and what the kernel tells of its
pages may be the driver's doing: only a real GPU can show that (docs/hip.md).
"""

import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from ggml.conftest import FAKE, NATIVE, SHARED, Recording, Row

from synctrace.tracer.kinds import Extent
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace
from synctrace.tracer.watch import Watch

HERE = Path(__file__).parent
LOOKS = ("pending_sources", "host_store")
FREES = ("free", "realloc", "munmap")


@dataclass(frozen=True)
class Told:
    """An access of a store or free that the recorder found: bytes of its source, from its start."""

    call: str
    lo: int
    hi: int
    extent: Extent


@dataclass(frozen=True)
class Watched:
    """A finished run: its recording, and what it printed."""

    recording: Recording
    printed: str

    def told(self, *calls: str) -> list[Told]:
        """What was told, in order. Offsets are those from the start of the source copied last."""
        found = []
        for op in sorted(self._ops(calls), key=lambda op: int(op["ticket_c"])):
            start = self._source_before(op)
            found += [
                Told(
                    self._name(op),
                    a["upper_lo"] - start,
                    a["upper_hi"] - start,
                    Extent(a["extent"]),
                )
                for a in self.recording.accesses(op)
            ]
        return found

    def stores(self) -> list[Told]:
        """Stores into sources in flight."""
        return self.told(*LOOKS)

    def frees(self) -> list[Told]:
        """Memory given back in flight."""
        return self.told(*FREES)

    def functions(self, op: Row) -> list[str]:
        """Names on the stack of an op, innermost first."""
        sites = {row["id"]: row["stack"] for row in self.recording.rows("site")}
        stacks = {row["id"]: row["frames"] for row in self.recording.rows("stack")}
        frames = {row["address"]: row["function"] for row in self.recording.rows("frame")}
        return [frames[address] for address in stacks[sites[op["site"]]]]

    def of(self, process: int) -> "Watched":
        """The n-th recorded process."""
        trace = open_trace(self.recording.result.traces[process])
        return Watched(Recording(self.recording.result, trace), self.printed)

    def coverage(self, name: str) -> int:
        """A counter of what was not watched."""
        coverage: dict[str, int] = self.recording.trace.meta["coverage"]
        return coverage.get(name, 0)

    def _ops(self, calls: tuple[str, ...]) -> list[Row]:
        return [op for call in calls for op in self.recording.ops(call)]

    def _name(self, op: Row) -> str:
        names = {row["id"]: row["name"] for row in self.recording.rows("call")}
        return str(names[op["call"]])

    def _source_before(self, op: Row) -> int:
        copies = self._ops(("ggml_backend_tensor_set_async", "ggml_backend_tensor_get_async"))
        last = max(
            (c for c in copies if c["ticket_c"] < op["ticket_c"]), key=lambda c: int(c["ticket_c"])
        )
        storages = {row["id"]: row["device"] for row in self.recording.rows("storage")}
        [host] = [a for a in self.recording.accesses(last) if storages[a["storage"]] < 0]
        return int(host["lo"])


@pytest.fixture(scope="session")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """program.c, with its stand-in ggml beside it."""
    folder = tmp_path_factory.mktemp("watch")
    base, made = folder / "libggml-base.so", folder / "program"
    flags = ["-O1", "-g", "-Wall", "-Wextra", "-Werror", "-DLAYOUT_2D", f"-I{NATIVE}"]
    cc = ["cc", *flags, f"-I{HERE.parent / 'ggml'}"]
    subprocess.run([*cc, *SHARED, *FAKE, "-ldl", "-o", str(base)], check=True)
    sources = [str(HERE / name) for name in ("program.c", "stores.c", "frees.c", "faults.c")]
    link = [str(base), "-Wl,-rpath,$ORIGIN", "-lpthread", "-o", str(made)]
    subprocess.run([*cc, *sources, *link], check=True)
    return made


Watching = Callable[..., Watched]


@pytest.fixture
def watched(program: Path, tmp_path: Path) -> Watching:
    """watched(watch, scenario, size, at, status): one recorded run, which ends with `status`."""

    def run(watch: Watch, scenario: str, size: int, at: int = 0, status: int = 0) -> Watched:
        printed = tmp_path / "printed"
        shell = ["sh", "-c", f'exec "$@" >{printed}', "sh", str(program)]
        out = str(tmp_path / f"{scenario}-%p.synctrace")
        result = record([*shell, scenario, str(size), str(at)], out, watch=watch)
        assert result.status == status, result.message
        return Watched(Recording(result, open_trace(result.traces[0])), printed.read_text())

    return run


@pytest.fixture(scope="session")
def allocator(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A library that has a free of its own, as an allocator that is preloaded has."""
    made = tmp_path_factory.mktemp("allocator") / "liballocator.so"
    source = made.with_suffix(".c")
    source.write_text("void __libc_free(void *);\nvoid free(void *block) { __libc_free(block); }\n")
    subprocess.run(["cc", "-O1", *SHARED, str(source), "-o", str(made)], check=True)
    return str(made)
