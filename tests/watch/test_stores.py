"""Stores into sources in flight: what each way of watching tells of them, and what it does not."""

from typing import NamedTuple

import pytest

from synctrace.tracer.kinds import Extent, Kind, Level, Mode, Origin
from synctrace.tracer.watch import Watch
from watch.conftest import Told, Watching

PAGE, KB = 4096, 1024
SMALL, WHOLE, LARGE = 2000, 100 * KB, 600 * KB  # less than a page; compared whole; by samples
INSIDE = 300 * KB  # of LARGE: between the samples, and where a page begins
COMPARED, TRACKED, STORED = "pending_sources", "pending_sources", "host_store"


def compared(size: int) -> list[Told]:
    return [Told(COMPARED, 0, size, Extent.EXACT)]


def tracked(lo: int, hi: int) -> list[Told]:
    return [Told(TRACKED, lo, hi, Extent.EXACT)]


def stored(at: int) -> list[Told]:
    """The byte is certain; what else of its page is written is not met any more."""
    return [Told(STORED, at, (at // PAGE + 1) * PAGE, Extent.BASE_ONLY)]


class Case(NamedTuple):
    watch: Watch
    size: int
    at: int
    told: list[Told]


REWRITTEN = [
    Case("digest", SMALL, 100, compared(SMALL)),
    Case("digest", WHOLE, 5000, compared(WHOLE)),
    Case("digest", LARGE, 100, compared(LARGE)),
    Case("digest", LARGE, INSIDE, []),
    Case("track", WHOLE, 5000, compared(WHOLE)),
    Case("track", LARGE, INSIDE, tracked(INSIDE, INSIDE + PAGE)),
    Case("track", LARGE + 100, LARGE + 50, compared(LARGE + 100)),  # behind the last whole page
    Case("protect", SMALL, 100, compared(SMALL)),
    Case("protect", WHOLE, 5000, stored(5000)),
    Case("protect", LARGE, INSIDE, stored(INSIDE)),
    Case("off", WHOLE, 5000, []),
]


def _name(case: object) -> str:
    return f"{case.watch}-{case.size}-{case.at}" if isinstance(case, Case) else str(case)


@pytest.mark.parametrize("case", REWRITTEN, ids=_name)
def test_a_store_is_told(case: Case, watched: Watching) -> None:
    run = watched(case.watch, "rewritten", case.size, case.at)
    assert run.stores() == case.told
    unwatched = case.size if case.watch == "off" else case.size - 4 * KB
    sampled = case.watch == "digest" and case.size > 256 * KB
    assert run.coverage("unwatched_host_bytes") == (
        unwatched if sampled or case.watch == "off" else 0
    )


@pytest.mark.parametrize("watch", ["digest", "track", "protect"])
@pytest.mark.parametrize("size", [SMALL, WHOLE, LARGE])
def test_after_the_wait_it_may_be_written(watch: Watch, size: int, watched: Watching) -> None:
    run = watched(watch, "waited_for", size, size // 2)
    assert run.stores() == []
    assert len(run.recording.ops("ggml_backend_synchronize")) == 3


@pytest.mark.parametrize("scenario", ["same_value", "restored"])
def test_values_that_are_the_same_again(scenario: str, watched: Watching) -> None:
    """What compares bytes cannot see them."""
    assert watched("digest", scenario, WHOLE, 5000).stores() == []
    assert watched("track", scenario, LARGE, INSIDE).stores() == tracked(INSIDE, INSIDE + PAGE)
    first, *more = watched("protect", scenario, WHOLE, 5000).stores()
    assert ([first], more) == (stored(5000), [])


WRITERS = ["by_thread", "by_handler", "by_masked_thread", "waited_by_thread"]


@pytest.mark.parametrize("scenario", WRITERS)
def test_whoever_writes(scenario: str, watched: Watching) -> None:
    assert watched("digest", scenario, WHOLE, 5000).stores() == compared(WHOLE)
    assert watched("track", scenario, LARGE, INSIDE).stores() == tracked(INSIDE, INSIDE + PAGE)
    assert watched("protect", scenario, WHOLE, 5000).stores() == stored(5000)


def test_over_the_end_of_a_page(watched: Watching) -> None:
    end = 3 * PAGE
    told = watched("protect", "by_memcpy", WHOLE, 2 * PAGE).stores()
    assert told == stored(end - 32) + stored(end)
    end = INSIDE + PAGE
    told = watched("track", "by_memcpy", LARGE, INSIDE).stores()
    assert told == tracked(end - PAGE, end + PAGE)


def test_more_places_than_are_kept_apart(watched: Watching) -> None:
    """Those that have no room are told as one stretch, of which nothing is certain."""
    told = watched("track", "all_over", LARGE, 0).stores()
    pages = list(range(0, LARGE, 2 * PAGE))
    assert [(t.lo, t.hi) for t in told[:7]] == [(at, at + PAGE) for at in pages[:7]]
    assert told[7:] == [Told(TRACKED, pages[7], pages[-1] + PAGE, Extent.UPPER_BOUND)]
    assert [t.lo for t in watched("protect", "all_over", LARGE, 0).stores()] == pages


def test_two_threads_at_the_same_pages(watched: Watching) -> None:
    """None is lost, none is killed; who comes second may find the page open."""
    run = watched("protect", "by_two_threads", 300 * KB, 0)
    pages = [t.lo // PAGE for t in run.stores()]
    assert set(pages) == set(range(64))
    assert 20 * 64 <= len(pages) <= 2 * 20 * 64
    assert len(watched("track", "by_two_threads", 300 * KB, 0).stores()) == 20


def test_sources_that_share_pages(watched: Watching) -> None:
    """A store before the second was there is the first one's alone; one into both is told of both.

    Offsets are from the second, which begins in the middle of the first.
    """
    half = LARGE // 2
    told = watched("track", "overlapping", LARGE, PAGE).stores()
    assert told == [*tracked(PAGE - half, 2 * PAGE - half), *tracked(PAGE, 2 * PAGE) * 2]
    first, *both = watched("protect", "overlapping", LARGE, PAGE).stores()
    assert [first] == stored(PAGE)  # from the first, the only one then
    assert both == stored(PAGE) * 2
    compared_twice = watched("digest", "overlapping", WHOLE, PAGE).stores()
    assert [(t.lo, t.hi) for t in compared_twice] == [
        (-WHOLE // 2, WHOLE // 2),
        (-WHOLE // 2, WHOLE // 2),
        (0, WHOLE),
    ]


@pytest.mark.parametrize("watch", ["digest", "track", "protect"])
@pytest.mark.parametrize("size", [SMALL, WHOLE, LARGE])
def test_stores_beside_a_source_are_nobodys(watch: Watch, size: int, watched: Watching) -> None:
    assert watched(watch, "beside", size, 0).stores() == []


@pytest.mark.parametrize("watch", ["digest", "track", "protect"])
def test_rows_and_what_lies_between(watch: Watch, watched: Watching) -> None:
    assert watched(watch, "between_rows", 100, 10).stores() == []
    assert len(watched(watch, "in_a_row", 100, 10).stores()) == 1


@pytest.mark.parametrize("watch", ["digest", "track", "protect"])
def test_what_a_device_writes_is_no_store(watch: Watch, watched: Watching) -> None:
    """A copy into the same bytes is pending, too: a change proves nothing."""
    assert watched(watch, "by_device", WHOLE, 5000).stores() == []


def test_the_system_writes_protected_memory_by_calls_of_libc(watched: Watching) -> None:
    """They succeed, which the program checks, and are told with the bytes they wrote."""
    at = 9000
    told = watched("protect", "by_read", 120 * KB, at).stores()
    read = (at, at + 64)
    readv = [(at, at + 8), (at + PAGE, at + PAGE + 8)]
    fread, pread = (at, at + 100000), (at, at + 16)
    assert [(t.lo, t.hi) for t in told] == [read, *readv, fread, pread]
    assert {(t.call, t.extent) for t in told} == {(STORED, Extent.EXACT)}


def test_a_stack_is_not_protected(watched: Watching) -> None:
    """There the kernel puts what a signal interrupts."""
    run = watched("protect", "on_stack", WHOLE, 5000)
    assert run.stores() == compared(WHOLE)
    assert run.coverage("ranges_not_protected") == 1
    assert "could not be made read-only, times: 1" in run.recording.result.message


@pytest.mark.parametrize("watch", ["digest", "track", "protect"])
@pytest.mark.parametrize("size", [WHOLE, LARGE])
def test_stores_of_a_forked_child_are_its_own(watch: Watch, size: int, watched: Watching) -> None:
    assert watched(watch, "forked", size, 5000).stores() == []


@pytest.mark.parametrize(("watch", "size"), [("track", LARGE), ("protect", WHOLE)])
def test_a_child_is_watched_as_its_parent_is(watch: Watch, size: int, watched: Watching) -> None:
    run = watched(watch, "forked_then_rewritten", size, 2 * PAGE)
    assert len(run.recording.result.traces) == 2
    told = {
        "track": tracked(2 * PAGE, 3 * PAGE),
        "protect": stored(2 * PAGE),
    }
    assert run.stores() == told[watch]
    assert run.of(1).stores() == told[watch]


def test_a_store_has_the_place_of_its_writer(watched: Watching) -> None:
    run = watched("protect", "rewritten", WHOLE, 5000)
    [op] = run.recording.ops("host_store")
    assert (op["kind"], op["level"]) == (Kind.HOST_WRITE, Level.APP)
    [access] = run.recording.accesses(op)
    assert (access["mode"], access["origin"]) == (Mode.WRITE, Origin.DIGEST)
    assert run.functions(op)[:3] == ["writer", "rewritten", "run_named"]
