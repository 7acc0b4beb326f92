"""A range that a thread has told before is told again only while it is the same.

Each scenario makes a call twice, so that its ranges are known, changes something and makes the
same call twice again. By names and, where that tells all of it, by slots of ggml's objects.
"""

from itertools import pairwise
from typing import Any

import pytest

from synctrace.tracer.kinds import BufferUsage, Extent

from .conftest import Recording, StandIn

ANY, WEIGHTS, INPUT = BufferUsage.ANY, BufferUsage.WEIGHTS, BufferUsage.INPUT


@pytest.fixture(params=["names", "slots"])
def way(request: pytest.FixtureRequest, fake: StandIn, fake_within: StandIn) -> StandIn:
    return fake if request.param == "names" else fake_within


def accesses(run: Recording, call: str) -> list[list[dict[str, Any]]]:
    """The accesses of each op, with what their buffer is for and what its name stands for."""
    buffers = {row["id"]: row for row in run.rows("buffer")}
    found = []
    for op in run.ops(call):
        rows = run.accesses(op)
        for row in rows:
            buffer = buffers[row["buffer"]]
            row.update(usage=buffer["usage"], of=(buffer["lo"], buffer["hi"]))
        found.append(rows)
    return found


def test_every_field_counts(recorded: Any, way: StandIn) -> None:
    run = recorded("changes", 1, way)
    assert run.trace.complete, run.trace.lost
    rows = [row for (row,) in accesses(run, "ggml_backend_tensor_memset")]
    assert rows[::2] == rows[1::2], "the second call is the first again"
    told = [(r["name"], r["lo"], r["hi"], r["of"], BufferUsage(r["usage"])) for r in rows[::2]]
    assert told == [
        ("first", 0, 16, (0, 256), ANY),
        ("second", 0, 16, (0, 256), ANY),
        ("second", 512, 528, (512, 768), ANY),
        ("second", 512, 528, (512, 640), ANY),
        ("second", 512, 528, (512, 640), INPUT),
        ("second", 512, 528, (512, 640), ANY),
        ("second", 512, 528, (512, 640), WEIGHTS),
        ("cache", 512, 528, (1024, 2048), ANY),
        ("cache", 512, 528, (1280, 2304), ANY),
        ("again", 64, 80, (64, 96), ANY),
    ]
    first, other, host = (rows[i]["storage"] for i in (0, 10, 18))
    assert len({first, other, host}) == 3
    storages = [first] * 5 + [other] * 2 + [first] * 2 + [host]
    assert [row["storage"] for row in rows[::2]] == storages


def test_the_shape_of_a_whole_tensor_counts(recorded: Any) -> None:
    run = recorded("shapes", 1)
    pairs = accesses(run, "ggml_backend_tensor_copy")
    assert pairs[::2] == pairs[1::2]
    told = [
        [(r["name"], r["upper_hi"] - r["upper_lo"], Extent(r["extent"])) for r in pair]
        for pair in pairs[::2]
    ]
    assert told == [
        [("side", size, extent), ("input copy", size, extent)]
        for size, extent in (
            (256, Extent.EXACT),
            (64, Extent.EXACT),
            (96 + 64, Extent.UPPER_BOUND),
        )
    ]


def test_a_buffer_at_the_address_of_another_is_a_new_storage(recorded: Any, way: StandIn) -> None:
    run = recorded("lives", 20, way)
    storages = [row["storage"] for (row,) in accesses(run, "ggml_backend_tensor_memset")]
    assert storages[::2] == storages[1::2]
    assert len(set(storages)) == 20
    handles = {row["id"]: row["handle"] for row in run.rows("storage")}
    addresses = [handles[storage] for storage in storages[::2]]
    again = sum(a == b for a, b in pairwise(addresses))
    assert again, "none came at the address of the one before"


def test_host_memory_is_its_buffers_while_there_is_one(recorded: Any) -> None:
    run = recorded("borrowed", 3)
    names = {row["id"]: row["name"] for row in run.rows("storage")}
    storages = [rows[1]["storage"] for rows in accesses(run, "ggml_backend_tensor_set")]
    assert storages[::2] == storages[1::2]
    assert [names[storage] for storage in storages[::2]] == ["host memory", "CPU"] * 3
    assert len(set(storages[::2])) == 1 + 3, "each buffer is a storage of its own"


def test_more_than_are_remembered(recorded: Any, way: StandIn) -> None:
    run = recorded("many", 3, way)
    rows = [row for (row,) in accesses(run, "ggml_backend_tensor_memset")]
    tensors = [(f"tensor {i}", i * 8, i * 8 + 8) for i in range(400)]
    parts = [("cache", 1024 + i, 1024 + i + 1 + i % 3) for i in range(400)]
    assert [(r["name"], r["lo"], r["hi"]) for r in rows] == (tensors + parts) * 3
