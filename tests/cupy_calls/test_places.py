"""Which bytes an array is, and in which memory."""

import itertools
from types import SimpleNamespace

import pytest

from synctrace.tracer.kinds import Extent, MemoryKind, Mode


@pytest.mark.parametrize(
    ("shape", "strides", "expected"),
    [
        ((3, 4), (16, 4), [(0, 48)]),
        ((4, 3), (4, 16), [(0, 48)]),  # transposed
        ((3, 2), (16, 4), [(0, 8), (16, 24), (32, 40)]),
        ((5,), (8,), [(0, 4), (8, 12), (16, 20), (24, 28), (32, 36)]),
        ((5,), (-4,), [(-16, 4)]),
        ((2, 2), (-16, 4), [(-16, -8), (0, 8)]),
        ((7, 2), (0, 4), [(0, 8)]),  # broadcast
        ((1, 2), (999, 4), [(0, 8)]),
        ((3, 0), (16, 4), []),
        ((), (), [(0, 4)]),
    ],
)
def test_spans(
    gpu: SimpleNamespace,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    expected: list[tuple[int, int]],
) -> None:
    from synctrace.tracer.cupy.places import spans

    assert spans(0, shape, strides, 4) == (expected, Extent.EXACT)
    touched = {
        sum(i * s for i, s in zip(at, strides, strict=True)) + byte
        for at in itertools.product(*map(range, shape))
        for byte in range(4)
    }
    assert touched == {byte for lo, hi in expected for byte in range(lo, hi)}


def test_of_many_rows_the_whole_is_an_upper_bound(gpu: SimpleNamespace) -> None:
    from synctrace.tracer.cupy.places import spans

    assert spans(100, (65, 1), (64, 4), 4) == ([(100, 100 + 64 * 64 + 4)], Extent.UPPER_BOUND)


def test_new_memory_ends_what_it_lies_over(gpu: SimpleNamespace) -> None:
    from synctrace.tracer.cupy.places import Places

    places = Places()
    first = places.add("first", 1000, 100, MemoryKind.DEVICE, 0)
    beside = places.add("beside", 1100, 100, MemoryKind.DEVICE, 0)
    assert places.find(1000, 1100) is first and places.find(1100, 1101) is beside
    assert places.find(1050, 1150) is None and places.find(999, 1001) is None
    over = places.add("over", 1050, 60, MemoryKind.DEVICE, 0)
    assert places.find(1000, 1001) is None and places.find(1150, 1151) is None
    assert places.find(1060, 1110) is over
    places.end(over)
    assert places.find(1060, 1061) is None


def test_an_array_is_in_its_block_and_a_view_in_the_same(gpu: SimpleNamespace) -> None:
    from synctrace.tracer.cupy.places import touch

    whole = gpu.cupy.empty((4, 16))
    half = gpu.cupy.ndarray((4, 8), "u1", whole.data, (16, 1))
    [(memory, *rest)] = touch(whole, Mode.WRITE, "whole")
    assert rest == [Mode.WRITE, 0, 64, "whole", Extent.EXACT]
    assert (memory.kind, memory.device, memory.size) == (MemoryKind.DEVICE, 0, 64)
    assert touch(half, Mode.READ) == [
        (memory, Mode.READ, lo, lo + 8, "", Extent.EXACT) for lo in (0, 16, 32, 48)
    ]


def test_memory_of_numpy_is_pageable_unless_cupy_pinned_it(gpu: SimpleNamespace) -> None:
    numpy = pytest.importorskip("numpy", reason="NumPy comes with CuPy, and is not here")
    from synctrace.tracer.cupy.places import touch

    plain = numpy.zeros(16, "u1")
    block = gpu.cupy.cuda.PinnedMemory(64)
    pinned = numpy.ndarray(16, "u1", buffer=gpu.cupy.cuda.PinnedMemoryPointer(block, 0))[4:8]
    [(memory, _, lo, hi, *_)] = touch(plain, Mode.READ)
    assert (memory.kind, memory.device, lo, hi) == (MemoryKind.PAGEABLE, -1, 0, 16)
    [(memory, _, lo, hi, *_)] = touch(pinned, Mode.READ)
    assert (memory.kind, memory.size, lo, hi) == (MemoryKind.PINNED, 64, 4, 8)
    ours = gpu.told.pinned_empty((2, 8), "u1", name="ours")
    [(memory, _, lo, hi, *_)] = touch(ours[1], Mode.READ)
    assert (memory.name, lo, hi) == ("ours", 8, 16)
