"""Memory given back while it is in flight is told before it is gone, and nothing else is."""

import pytest

from synctrace.tracer.kinds import Extent, Kind, Level, Mode
from synctrace.tracer.watch import WATCHES, Watch
from watch.conftest import Told, Watching

KB = 1024
WATCHED: list[Watch] = [watch for watch in WATCHES if watch != "off"]


@pytest.mark.parametrize("watch", WATCHED)
@pytest.mark.parametrize(
    ("scenario", "call", "size", "at", "gone"),
    [
        ("freed", "free", 1000, 100, 1000),
        ("freed", "free", 300 * KB, 16, 300 * KB),
        ("destination_freed", "free", 1000, 0, 1000),
        ("unmapped", "munmap", 300 * KB, 50 * KB, 300 * KB),
        ("moved", "realloc", 2000, 0, 1000),
        ("moved", "realloc", 400 * KB, 0, 200 * KB),
        ("shrunk", "realloc", 2000, 0, 1000),
    ],
)
def test_memory_in_flight_is_given_back(
    watch: Watch, scenario: str, call: str, size: int, at: int, gone: int, watched: Watching
) -> None:
    run = watched(watch, scenario, size, at)
    assert run.frees() == [Told(call, 0, gone, Extent.EXACT)]
    assert run.stores() == []
    [op] = run.recording.ops(call)
    assert (op["kind"], op["level"]) == (Kind.FREE_HOST, Level.APP)
    assert [a["mode"] for a in run.recording.accesses(op)] == [Mode.WRITE]
    [wait] = run.recording.ops("ggml_backend_synchronize")
    assert op["ticket_r"] < wait["ticket_c"]
    assert run.functions(op)[0] == scenario


@pytest.mark.parametrize("watch", WATCHED)
@pytest.mark.parametrize(
    ("scenario", "size"),
    [
        ("freed_late", 1000),
        ("freed_late", 300 * KB),
        ("stays", 2000),
        ("stays", 400 * KB),
        ("failed", 2000),
        ("failed", 400 * KB),
        ("many", 1000),
    ],
)
def test_memory_that_is_kept_or_not_in_flight(
    watch: Watch, scenario: str, size: int, watched: Watching
) -> None:
    run = watched(watch, scenario, size, 0)
    assert run.frees() == []
    assert run.stores() == []
    assert run.coverage("ranges_without_free") == 0


def test_what_has_no_room_is_counted(watched: Watching) -> None:
    """The table holds 256: of 400 copies in flight the first 144 are given up."""
    assert watched("digest", "many", 1000, 0).coverage("unwatched_host_bytes") == 144 * 1000


def test_not_watched_at_all(watched: Watching) -> None:
    run = watched("off", "freed", 1000, 0)
    assert run.frees() == []
    assert run.coverage("unwatched_host_bytes") == 1000


def test_an_allocator_in_front_of_the_recorder(
    watched: Watching, monkeypatch: pytest.MonkeyPatch, allocator: str
) -> None:
    """Its free is the program's: what is given back cannot be seen, which is counted."""
    monkeypatch.setenv("LD_PRELOAD", allocator)
    run = watched("digest", "freed", 1000, 0)
    assert run.frees() == []
    assert run.coverage("ranges_without_free") == 1
