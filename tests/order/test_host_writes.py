"""Stores of the host that no trace holds: a wait for what read host memory may be for them.

Only the need of syncs rests on them: they prove no race. What the host does behind a wait is
assumed, not known: the tests show what is assumed, and nothing of what programs do.
"""

from pathlib import Path
from typing import Any

import pytest
from small import Small, needless, races

from synctrace.analyzer import passes, stream
from synctrace.analyzer.passes import Seen
from synctrace.analyzer.profile import load, shipped
from synctrace.tracer.kinds import Flag, Kind, Level, MemoryKind, Origin

ARGUMENT = {"origin": Origin.ARGUMENT}
VENDORS = ("hip-doc", "cuda-doc")


class Upload(Small):
    """Work of a stream that reads host memory, an event behind it, and the waits for that."""

    def __init__(self, memory: MemoryKind = MemoryKind.PINNED) -> None:
        super().__init__(Level.API)
        self.gpu, self.host_memory = self.stream(), self.memory(memory)

    def work(self, kind: Kind = Kind.MEMCPY_ASYNC_H2D, lo: int = 0, hi: int = 64) -> None:
        source = self.read(self.host_memory, lo, hi, **ARGUMENT)
        self.op(kind, source, self.write(self.device(), **ARGUMENT), actor=self.gpu)

    def wait(self) -> int:
        self.op(Kind.EVENT_RECORD, actor=self.gpu, event=1)
        return self.op(Kind.EVENT_SYNC, event=1)

    def store(self, lo: int = 0, hi: int = 64, **more: Any) -> None:
        """An annotation."""
        wrote = self.write(self.host_memory, lo, hi, **(ARGUMENT | more))
        self.op(Kind.HOST_WRITE, wrote, level=Level.APP)

    def end(self) -> None:
        """More work, and the last sync, which ends the program."""
        self.op(Kind.KERNEL, self.write(self.device()), actor=self.gpu)
        self.op(Kind.DEVICE_SYNC, device=0)


@pytest.mark.parametrize("profile", VENDORS)
@pytest.mark.parametrize("kind", [Kind.MEMCPY_ASYNC_H2D, Kind.KERNEL, Kind.GRAPH_LAUNCH])
def test_a_wait_for_what_reads_host_memory_is_needed(
    kind: Kind, profile: str, tmp_path: Path
) -> None:
    t = Upload()
    t.work(kind)
    t.wait()
    t.end()
    found = t.judge(tmp_path, profile)
    assert needless(found) == set()
    assert races(found) == []


@pytest.mark.parametrize("profile", VENDORS)
def test_a_second_wait_behind_it_is_not(profile: str, tmp_path: Path) -> None:
    t = Upload()
    t.work()
    t.wait()
    again = t.op(Kind.STREAM_SYNC, actor=t.gpu)
    t.end()
    assert needless(t.judge(tmp_path, profile)) == {again}


def test_what_reads_device_memory_alone_needs_none(tmp_path: Path) -> None:
    t = Upload(MemoryKind.DEVICE)
    t.work(Kind.KERNEL)
    wait = t.wait()
    t.end()
    assert needless(t.judge(tmp_path, "hip-doc")) == {wait}


def test_a_source_that_was_read_at_the_call_needs_none(tmp_path: Path) -> None:
    """Pageable memory is staged before the call returns."""
    t = Upload(MemoryKind.PAGEABLE)
    t.work()
    wait = t.wait()
    t.end()
    assert needless(t.judge(tmp_path, "hip-doc")) == {wait}


def test_work_of_another_stream_that_still_reads_is_no_race(tmp_path: Path) -> None:
    """The wait may be for the store all the same, though the other stream is not waited for."""
    t = Upload()
    other = t.stream()
    t.work()
    t.op(Kind.MEMCPY_ASYNC_H2D, t.read(t.host_memory), t.write(t.device()), actor=other)
    t.wait()
    t.end()
    found = t.judge(tmp_path, "hip-doc")
    assert needless(found) == set()
    assert races(found) == []


@pytest.mark.parametrize("told_as", [Origin.ARGUMENT, Origin.SYNTHETIC])
def test_where_stores_are_told_no_others_are_assumed(told_as: Origin, tmp_path: Path) -> None:
    """The first wait stands before no store that was told, the second one does."""
    t = Upload()
    t.store(origin=told_as)
    t.work()
    first = t.wait()
    t.work()
    t.op(Kind.STREAM_SYNC, actor=t.gpu)
    t.store(origin=told_as)
    t.end()
    assert needless(t.judge(tmp_path, "hip-doc")) == {first}


def test_neighbouring_stores_tell_all_that_they_cover(tmp_path: Path) -> None:
    t = Upload()
    t.store(32, 64)
    t.store(0, 32)
    t.work()
    wait = t.wait()
    t.end()
    assert needless(t.judge(tmp_path, "hip-doc")) == {wait}


def two_parts(t: Upload) -> None:
    t.store(0, 31)
    t.store(32, 64)


@pytest.mark.parametrize(
    "stores",
    [
        two_parts,
        lambda t: t.store(0, 63),
        lambda t: t.store(pitch=32, width=32, height=2),
        lambda t: t.store(origin=Origin.DIGEST),  # the next store may be of the same value
        lambda t: t.op(Kind.HOST_READ, t.read(t.host_memory, **ARGUMENT)),
        lambda t: t.op(Kind.HOST_WRITE, t.write(t.host_memory, **ARGUMENT), flags=Flag.FAILED),
        lambda t: t.op(Kind.HOST_WRITE, t.write(t.host(), **ARGUMENT)),
        lambda t: t.op(Kind.MEMCPY_H2H, t.write(t.host_memory, **ARGUMENT)),
    ],
    ids=["gap", "short", "strided", "digest", "read", "failed", "elsewhere", "copy"],
)
def test_what_tells_not_all_stores(stores: Any, tmp_path: Path) -> None:
    t = Upload()
    stores(t)
    t.work()
    t.wait()
    t.end()
    assert needless(t.judge(tmp_path, "hip-doc")) == set()


def test_a_profile_to_which_stores_are_stated(tmp_path: Path) -> None:
    (tmp_path / "stated.toml").write_text(
        'name = "mine"\ntitle = "t"\nbase = "hip-doc"\nhost_writes = "stated"\n'
    )
    t = Upload()
    t.work()
    wait = t.wait()
    t.end()
    assert needless(t.judge(tmp_path, str(tmp_path / "stated.toml"))) == {wait}


def test_which_profiles_assume_stores() -> None:
    """The recorders of ggml tell its inputs themselves; the catalogue's cases state everything."""
    stated = {name for name in shipped() if load(name).host_writes == "stated"}
    assert stated == {name for name in shipped() if name.startswith("ggml")} | {"catalogue"}


def planned(t: Small, path: Path, profile: str, meta: dict[str, str] | None = None) -> list[str]:
    """Names of the passes. Nothing but host stores is assumed: a kernel has no edge by habit."""
    trace = t.written(path / "t.synctrace")
    trace.meta.update(meta or {})
    model = load(profile)
    return [
        one.name for one in passes.plan(model, stream.read_world(trace, [model]).seen, "strict")
    ]


def test_the_pass_that_assumes_stores_is_made_where_there_are_sources(tmp_path: Path) -> None:
    t = Upload()
    t.work(Kind.KERNEL)
    assert planned(t, tmp_path, "hip-doc") == ["certain", "needs"]


def test_imported_scenarios_state_all_stores_and_databases_do_not(tmp_path: Path) -> None:
    t = Upload()
    t.work(Kind.KERNEL)
    assert "needs" not in planned(t, tmp_path, "hip-doc", {"source": "import"})
    assert "needs" in planned(t, tmp_path, "hip-doc", {"source": "import", "via": "rocpd"})


@pytest.mark.parametrize("why", ["device", "write", "told", "catalogue"])
def test_else_it_is_not_made(why: str, tmp_path: Path) -> None:
    t = Upload(MemoryKind.DEVICE if why == "device" else MemoryKind.PINNED)
    if why == "write":
        t.op(Kind.KERNEL, t.write(t.host_memory), actor=t.gpu)
    else:
        t.work(Kind.KERNEL)
    if why == "told":
        t.store()
    profile = "catalogue" if why == "catalogue" else "hip-doc"
    assert planned(t, tmp_path, profile) == ["certain"]


@pytest.mark.parametrize(
    ("sources", "profile", "made"),
    [
        (True, "hip-doc", True),
        (False, "hip-doc", False),
        (True, "ggml-contract", False),
    ],
)
def test_the_plan(sources: bool, profile: str, made: bool) -> None:
    seen = Seen(
        threads=1, guessed_ranges=False, unknown_modes=False, assumed=False,
        host_sources=sources, kinds=(), flags=Flag(0),
    )  # fmt: skip
    assert (passes.NEEDS in passes.plan(load(profile), seen, "observed")) is made
