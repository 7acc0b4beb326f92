"""What `explain` tells of a memory model, and of two: all that check holds a trace to."""

from itertools import combinations
from pathlib import Path

import pytest

from synctrace.analyzer.explain import difference, explain
from synctrace.analyzer.profile import load, shipped
from synctrace.analyzer.profile_diff import EDGE_WORDS, PLACE_WORDS
from synctrace.analyzer.profile_text import sizes
from synctrace.analyzer.statement import EDGES, Place
from synctrace.tracer.errors import SynctraceError

MINE = """
name = "mine"
title = "Mine"
base = "cuda-doc"
[[habit]]
kind = ["stream_destroy"]
edges = [{ edge = "host-waits-actor", class = "impl", source = "mine.cpp" }]
"""
VENDORS = ("cuda-doc", "cuda-13", "hip-doc", "hip-6.3", "hip-7")
NAMES = [*VENDORS, "ggml-contract", "ggml-cuda", "catalogue"]


def test_what_a_profile_does_not_state_is_told_too() -> None:
    lines = explain("ggml-contract").splitlines()
    assert lines[:6] == [
        "ggml-contract: The promises of ggml-backend.h",
        "levels: app, ggml",
        "host reads: at-sync",
        "host writes: stated",
        "host order: observed",
        "lives: distinct",
    ]


def test_a_statement_with_all_that_it_hangs_on() -> None:
    text = explain("catalogue")
    staged = "  memcpy_async_h2d\n    memory pageable\n    without unstaged\n"
    assert staged + "    reads at host, writes at stream\n    launch (must), legacy" in text
    assert "  free\n    with implicit_sync\n    reads at host, writes at host\n" in text


def test_a_habit_with_all_that_it_hangs_on() -> None:
    text = explain("cuda-13")
    assert "base: cuda-doc\n" in text
    large = (
        "  habit of memcpy_async_h2d\n    memory pageable\n    without unstaged, batched\n"
        "    from 3 MiB\n"
    )
    assert large + "    host-waits-prior (impl): CUDA 13.0, driver 580, H200: earlier work" in text
    assert "    reads at host (impl): CUDA 13.0, driver 580, H200: a pageable source is" in text


@pytest.mark.parametrize("name", shipped())
def test_every_part_and_every_source_is_told(name: str) -> None:
    text = explain(name)
    words = " ".join(text.split()).replace("- ", "-")
    profile = load(name)
    for part in (*profile.stated, *profile.habits):
        assert all(kind.name.lower() in words for kind in part.kinds)
        for edge in part.edges:
            assert f"{edge.edge} ({edge.klass})" in text
            assert edge.source.replace("- ", "-") in words
    for habit in profile.habits:
        for moved in filter(None, (habit.reads, habit.writes)):
            assert moved.source.replace("- ", "-") in words
    assert max(map(len, text.splitlines())) <= 100


def test_families_in_the_order_of_the_calls() -> None:
    lines = explain("cuda-doc").splitlines()
    heads = [line for line in lines[8:] if line and not line.startswith(" ")]
    assert heads[-7:] == [
        "Memory",
        "Streams, events and graphs: made and destroyed",
        "Copies and memsets",
        "Work",
        "Order",
        "Host threads",
        "ggml tensors",
    ]


def test_whose_ops_are_work_of_the_host() -> None:
    told = "work of the host: ggml, where no call of these levels did it"
    assert told in explain("hip-7").splitlines()
    assert "work of the host" not in explain("catalogue")


PORT = """
graph_launch
  cuda-doc  must  it comes after earlier launches of the same graph, on any stream (graph-order)
  hip-6.3   -

free; with pool
  cuda-doc  -
  hip-6.3   impl  the host waits for all streams of the device (host-waits-device)

free
  cuda-doc  may   the host waits for all streams (host-waits-all)
  hip-6.3   impl  the host waits for all streams of the device (host-waits-device)

stream_destroy
  cuda-doc  -
  hip-6.3   impl  the host waits for the stream, this call's work included (host-waits-actor)

memcpy_async_h2d; memory pageable; up to 1 MiB
  cuda-doc  must  reads at any time from the call to the end of the work (loose)
            may   the host waits for the stream, this call's work included (host-waits-actor)
  hip-6.3   must  reads during the call (host)
            impl  it takes part in the legacy rule of the memory's device (legacy-of-peer)

memcpy_async_h2d; memory pageable; over 1028 KiB
  cuda-doc  must  reads at any time from the call to the end of the work (loose)
            may   the host waits for the stream, this call's work included (host-waits-actor)
  hip-6.3   must  reads during the call (host)
            impl  the host waits for the stream, this call's work included (host-waits-actor)
            impl  it takes part in the legacy rule of the memory's device (legacy-of-peer)

memset; memory other than pinned, registered, mapped, write_combined; with offset
  cuda-doc  -
  hip-6.3   impl  the host waits for the stream, this call's work included (host-waits-actor)

event_record; with no_fence
  cuda-doc  must  the event stands for the stream's earlier work (records)
  hip-6.3   unfenced  the event stands for the stream's earlier work (records)
"""


def test_what_a_port_from_cuda_to_hip_meets() -> None:
    text = difference("cuda-doc", "hip-6.3")
    told = text.split("\n\n")
    assert told[0].splitlines()[0] == (
        "Where cuda-doc and hip-6.3 differ; what both say is left out."
    )
    for part in PORT.strip().split("\n\n"):
        assert part in [each.strip("\n") for each in told]
    assert len(text.splitlines()) < 160


@pytest.mark.parametrize(
    "call", ["kernel", "device_sync", "event_wait", "memset_async", "event_sync"]
)
def test_what_two_say_alike_is_left_out(call: str) -> None:
    heads = {line.split(";")[0] for line in difference("cuda-doc", "hip-6.3").splitlines()}
    assert not any(call in head.split(", ") for head in heads)


def test_measured_thresholds_against_the_documents() -> None:
    text = difference("cuda-doc", "cuda-13")
    assert "memcpy_async_h2d; memory pageable; up to 2 MiB\n" in text
    assert "memcpy_async_h2d; memory pageable; over 2 MiB below 3 MiB\n" in text
    assert "memcpy_async_h2d; memory pageable; from 3 MiB\n" in text
    assert "graph_launch" not in text


@pytest.mark.parametrize(("one", "other"), list(combinations(NAMES, 2)))
def test_a_difference_is_told_from_both_sides(one: str, other: str) -> None:
    there, back = difference(one, other), difference(other, one)
    assert sorted(there.splitlines())[1:] != []
    assert len(there.split("\n\n")) == len(back.split("\n\n"))
    assert max(map(len, there.splitlines())) <= 100


@pytest.mark.parametrize("name", NAMES)
def test_a_profile_does_not_differ_from_itself(name: str) -> None:
    assert difference(name, name) == f"{name} and {name} say the same of every call.\n"


def test_a_file_is_explained_and_compared(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(MINE)
    assert explain(str(path)).startswith("mine: Mine\nbase: cuda-doc\n")
    assert "habit of stream_destroy\n    host-waits-actor (impl): mine.cpp" in explain(str(path))
    [_, found] = difference("cuda-doc", str(path)).split("\n\n")
    assert found.splitlines()[:2] == ["stream_destroy", "  cuda-doc  -"]


def test_what_is_no_profile_is_refused() -> None:
    with pytest.raises(SynctraceError, match="unknown profile 'cuda'"):
        difference("cuda-13", "cuda")


def test_every_edge_and_place_has_words() -> None:
    assert list(EDGE_WORDS) == list(EDGES)
    assert list(PLACE_WORDS) == list(Place)


@pytest.mark.parametrize(
    ("least", "most", "told"),
    [
        (0, (1 << 64) - 1, ""),
        (0, 65536, "up to 64 KiB"),
        (1048577, (1 << 64) - 1, "over 1 MiB"),
        (3 << 20, (1 << 64) - 1, "from 3 MiB"),
        (2097153, 3145727, "over 2 MiB below 3 MiB"),
        (10, 20, "from 10 bytes up to 20 bytes"),
    ],
)
def test_sizes(least: int, most: int, told: str) -> None:
    assert sizes(least, most) == told
