"""Copies and fills of an imported trace: their kinds, their bytes, the devices they are between."""

from typing import Any

import pytest
from hip_rows import by_id, kinds, ops, rows
from hip_runs import D1, HOST, S1, VARIABLE, A, B, Run
from rocpd_builder import CPU, GPU, GPU1, Ran

from synctrace.tracer.kinds import Flag, Kind, Mode

BY_MEMORY = [
    ("Default", A, HOST, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_H2D),
    ("Default", B, A, Kind.MEMCPY_ASYNC_D2D, Kind.MEMCPY_D2D),
    ("HostToDevice", B, A, Kind.MEMCPY_ASYNC_D2D, Kind.MEMCPY_D2D),
]
BY_ARGUMENT = [
    ("HostToDevice", A, HOST, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_H2D),
    ("DeviceToHost", HOST, A, Kind.MEMCPY_ASYNC_D2H, Kind.MEMCPY_D2H),
    ("DeviceToDevice", B, A, Kind.MEMCPY_ASYNC_D2D, Kind.MEMCPY_D2D),
    ("HostToHost", HOST, HOST + 64, Kind.MEMCPY_H2H, Kind.MEMCPY_H2H),
    ("hipMemcpyDeviceToHost", HOST, A, Kind.MEMCPY_ASYNC_D2H, Kind.MEMCPY_D2H),
    ("1", A, HOST, Kind.MEMCPY_ASYNC_H2D, Kind.MEMCPY_H2D),
    ("DeviceToDeviceNoCU", B, A, Kind.MEMCPY_ASYNC_D2D, Kind.MEMCPY_D2D),
]


CASES = [(True, *copy) for copy in BY_ARGUMENT + BY_MEMORY]
CASES += [(False, *copy) for copy in BY_ARGUMENT]


@pytest.mark.parametrize(("known", "told", "target", "source", "later", "at_once"), CASES)
def test_the_kind_of_a_copy(
    run: Run, known: bool, told: str, target: int, source: int, later: Kind, at_once: Kind
) -> None:
    """`known`: the memory of both ends; else what the argument says is all there is."""
    hip = run.hip
    if known:
        hip.malloc(A, B, HOST)
    arguments = {"dst": target, "src": source, "sizeBytes": 64, "kind": told}
    hip.call("hipMemcpyAsync", **arguments, stream=S1)
    hip.call("hipMemcpy", **arguments)
    assert kinds(run.trace())[-2:] == [later, at_once]


@pytest.mark.parametrize(
    ("ends", "kind"),
    [
        ((CPU, GPU), Kind.MEMCPY_ASYNC_H2D),
        ((GPU, CPU), Kind.MEMCPY_ASYNC_D2H),
        ((GPU, GPU1), Kind.MEMCPY_ASYNC_D2D),
    ],
)
def test_a_copy_of_default_kind_goes_by_what_ran(
    run: Run, ends: tuple[int, int], kind: Kind
) -> None:
    arguments = {"dst": A, "src": HOST, "sizeBytes": 64, "kind": "Default"}
    ran = Ran(source=ends[0], target=ends[1])
    run.hip.call("hipMemcpyAsync", ran, **arguments, stream=S1)
    trace = run.trace()
    assert kinds(trace) == [kind]
    assert trace.meta["coverage"]["copies_without_ranges"] == 0


@pytest.mark.parametrize(("name", "kind"), [
    ("hipMemcpyHtoDAsync", Kind.MEMCPY_ASYNC_H2D),
    ("hipMemcpyDtoHAsync", Kind.MEMCPY_ASYNC_D2H),
    ("hipMemcpyDtoDAsync", Kind.MEMCPY_ASYNC_D2D),
    ("hipMemcpyHtoD", Kind.MEMCPY_H2D),
    ("hipMemcpyAsync_spt", Kind.MEMCPY_ASYNC_H2D),
    ("hipMemset", Kind.MEMSET),
    ("hipMemsetAsync", Kind.MEMSET_ASYNC),
])  # fmt: skip
def test_kinds_by_name(run: Run, name: str, kind: Kind) -> None:
    more = {"kind": "HostToDevice"} if "_spt" in name else {}
    stream = {"stream": S1} if "Async" in name else {}
    run.hip.call(name, dst=A, src=HOST, sizeBytes=64, value=1, **more, **stream)
    assert kinds(run.trace()) == [kind]


@pytest.mark.parametrize("arguments", [
    {"dst": A, "src": HOST, "sizeBytes": 0, "kind": "HostToDevice"},
    {"dst": A, "src": HOST, "dpitch": 64, "spitch": 64, "width": 64, "height": 0},
])  # fmt: skip
def test_a_copy_of_nothing_does_nothing(run: Run, arguments: dict[str, Any]) -> None:
    name = "hipMemcpy2DAsync" if "width" in arguments else "hipMemcpyAsync"
    run.hip.call(name, **arguments, stream=S1)
    (op,) = rows(run.trace(), "op")
    assert op["flags"] == Flag.NOOP
    assert op["accesses"] == []


@pytest.mark.parametrize("name", [
    "hipMemcpy3DAsync", "hipMemcpyParam2DAsync", "hipDrvMemcpy3DAsync", "hipMemcpyBatchAsync",
])  # fmt: skip
def test_a_copy_told_by_a_structure_touches_the_unknown(run: Run, name: str) -> None:
    run.hip.call(name, Ran(source=GPU, target=CPU), p=VARIABLE, stream=S1)
    trace = run.trace()
    (op,) = rows(trace, "op")
    assert op["kind"] == Kind.MEMCPY_ASYNC_D2H
    assert [a["storage"] for a in rows(trace, "access")] == [0]
    assert trace.meta["coverage"]["copies_without_ranges"] == 1


def test_a_symbol_is_not_known_and_the_other_end_is(run: Run) -> None:
    run.hip.malloc(HOST)
    run.hip.call("hipMemcpyToSymbolAsync", symbol=0x40_2000, src=HOST, sizeBytes=32, offset=0,
                 kind="HostToDevice", stream=S1)  # fmt: skip
    trace = run.trace()
    (op,) = ops(trace, Kind.MEMCPY_ASYNC_H2D)
    known = [a for a in rows(trace, "access") if a["storage"]]
    assert [(a["lo"], a["hi"], a["mode"]) for a in known] == [(0, 32, Mode.READ)]
    assert len(op["accesses"]) == 2


def test_memory_of_another_device_than_the_streams(any_run: Run) -> None:
    hip = any_run.hip
    hip.malloc(A, D1)
    hip.kernel(S1)
    hip.copy(D1, A, "DeviceToDevice", S1)
    hip.call("hipMemcpyPeer", dst=A, dstDeviceId=0, src=D1, srcDeviceId=1, sizeBytes=64)
    trace = any_run.trace()
    across, peer = rows(trace, "op")[-2:]
    actors = by_id(trace, "actor")
    assert Kind(across["kind"]) is Kind.MEMCPY_ASYNC_D2D
    assert across["flags"] == Flag.ACROSS
    assert actors[across["peer"]]["name"] == "HIP1 null stream"
    assert Kind(peer["kind"]) is Kind.MEMCPY_PEER
    assert (peer["flags"], peer["device"]) == (Flag.ACROSS, 0)
    assert actors[peer["actor"]]["name"] == "HIP0 null stream"
    assert actors[peer["peer"]]["name"] == "HIP1 null stream"


def test_a_fill_inside_of_its_allocation_is_told(run: Run) -> None:
    run.hip.malloc(A)
    for address in (A, A + 8):
        run.hip.call("hipMemset", dst=address, value=0, sizeBytes=8)
    assert [op["flags"] for op in ops(run.trace(), Kind.MEMSET)] == [0, Flag.OFFSET]
