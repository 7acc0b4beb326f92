"""Races between copies are found in a database, and their fixes are silent.

Each program is written as rocprofv3 records it (rocpd_builder tells from which facts). Nothing
runs: that a real runtime lets these copies overlap is not shown here.
"""

import pytest
from hip_runs import (
    D1,
    E1,
    E2,
    HOST,
    HOST2,
    MAIN,
    OTHER,
    S1,
    S2,
    SIZE,
    VARIABLE,
    A,
    B,
    C,
    Run,
    races,
)
from rocpd_builder import GPU, GPU1, Ran


def test_a_copy_reads_what_another_stream_writes(any_run: Run) -> None:
    hip = any_run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.copy(B, A, "DeviceToDevice", S2)
    checked = any_run.checked()
    assert races(checked) == [("RACE01", "certain", (4, 5))]
    assert checked.complete


def test_an_event_between_the_two_streams_orders_them(any_run: Run) -> None:
    hip = any_run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.record(E1, S1)
    hip.wait(S2, E1)
    hip.copy(B, A, "DeviceToDevice", S2)
    hip.kernel(S2)
    hip.sync(S2)
    checked = any_run.checked()
    assert races(checked) == []
    assert checked.complete


def test_a_wait_for_another_event_orders_nothing(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.record(E2, S1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.wait(S2, E2)
    hip.copy(B, A, "DeviceToDevice", S2)
    assert [pair for _, _, pair in races(run.checked())] == [(5, 7)]


@pytest.mark.parametrize("kind", ["DeviceToHost", "Default"])
def test_the_host_knows_a_copy_to_it_after_the_sync(run: Run, kind: str) -> None:
    """The result is read by the host when the sync has returned, on which another stream waits."""
    hip = run.hip
    hip.malloc(A, HOST, HOST2)
    hip.streams(1, 1)
    hip.call(
        "hipMemcpyAsync",
        Ran(source=GPU, target=0),
        dst=HOST,
        src=A,
        sizeBytes=SIZE,
        kind=kind,
        stream=S1,
    )
    hip.sync(S1)
    hip.copy(A, HOST, "HostToDevice", S2)
    hip.sync(S2)
    assert races(run.checked()) == []


def test_a_result_is_overwritten_before_the_host_has_it(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.copy(HOST, A, "DeviceToHost", S1)
    hip.copy(HOST, B, "DeviceToHost", S2)
    hip.sync(S1)
    hip.sync(S2)
    assert ("RACE03", "certain", (4, 5)) in races(run.checked())


def test_a_synchronous_copy_is_waited_for(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1)
    hip.memcpy(HOST, A, "DeviceToHost")
    hip.copy(A, B, "DeviceToDevice", S1)
    hip.sync(S1)
    assert races(run.checked()) == []


def test_a_copy_with_a_stream_comes_after_that_stream_and_is_waited_for(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.copy(B, A, "DeviceToDevice", S1)
    arguments = {"dst": HOST, "src": B, "sizeBytes": SIZE, "kind": "DeviceToHost"}
    hip.call("hipMemcpyWithStream", Ran(source=GPU, target=0), **arguments, stream=S1)
    hip.copy(B, A, "DeviceToDevice", S2)
    assert races(run.checked()) == []


@pytest.mark.parametrize(("flags", "found"), [(0, 0), (1, 1)])
def test_blocking_streams_are_ordered_with_the_null_stream(
    any_run: Run, flags: int, found: int
) -> None:
    hip = any_run.hip
    hip.malloc(A, B, HOST)
    hip.streams(flags)
    hip.copy(A, HOST, "HostToDevice", 0)
    hip.copy(B, A, "DeviceToDevice", S1)
    assert len(races(any_run.checked())) == found


def test_streams_of_one_kind_are_known_and_of_two_are_taken_as_blocking(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(0, 1)
    hip.copy(A, HOST, "HostToDevice", 0)
    hip.copy(B, A, "DeviceToDevice", S1)
    checked = run.checked()
    assert races(checked) == []
    assert checked.coverage["streams_of_unknown_kind"] == 1


def test_rows_of_one_pitch_that_lie_beside_each_other_do_not_meet(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, C)
    hip.streams(1, 1)
    for stream, column in ((S1, 0), (S2, 64)):
        arguments = {"dst": A + column, "dpitch": 128, "src": B, "spitch": 64}
        shape = {"width": 64, "height": 32, "kind": "DeviceToDevice"}
        hip.call("hipMemcpy2DAsync", Ran(source=GPU), **arguments, **shape, stream=stream)
    assert races(run.checked()) == []


def test_rows_that_meet_race(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, C)
    hip.streams(1, 1)
    for stream, column in ((S1, 0), (S2, 32)):
        arguments = {"dst": A + column, "dpitch": 128, "src": B, "spitch": 64}
        shape = {"width": 64, "height": 32, "kind": "DeviceToDevice"}
        hip.call("hipMemcpy2DAsync", Ran(source=GPU), **arguments, **shape, stream=stream)
    assert [rule for rule, *_ in races(run.checked())] == ["RACE03"]


@pytest.mark.parametrize(("function", "unit"), [("D8", 1), ("D16", 2), ("D32", 4)])
@pytest.mark.parametrize("apart", [True, False])
def test_a_fill_of_elements(run: Run, function: str, unit: int, apart: bool) -> None:
    hip = run.hip
    hip.malloc(A)
    hip.streams(1, 1)
    first = {"dest": A, "value": 0, "count": 16}
    hip.call(f"hipMemset{function}Async", Ran("fill"), **first, stream=S1)
    behind = A + 16 * unit - (not apart)
    hip.call("hipMemsetAsync", Ran("fill"), dst=behind, value=0, sizeBytes=8, stream=S2)
    assert len(races(run.checked())) == (0 if apart else 1)


def test_memory_is_freed_under_a_copy(run: Run) -> None:
    """hipFree is a wait by habit alone: the race is latent."""
    hip = run.hip
    hip.malloc(A, HOST)
    hip.streams(1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.call("hipFree", ptr=A)
    assert [(rule, verdict) for rule, verdict, _ in races(run.checked())] == [("LIFE01", "latent")]


def test_memory_is_freed_after_the_wait(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, HOST)
    hip.streams(1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.sync(S1)
    hip.call("hipFree", ptr=A)
    hip.call("hipHostFree", ptr=HOST)
    assert races(run.checked()) == []


def test_lives_of_one_address_are_not_compared(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, HOST)
    hip.streams(1, 1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.sync(S1)
    hip.call("hipFree", ptr=A)
    hip.malloc(A)
    hip.copy(A, HOST, "HostToDevice", S2)
    assert races(run.checked()) == []


def test_two_threads_in_observed_and_strict_order(run: Run) -> None:
    """One thread copies, the other copies on: only the observed order of their calls is between."""
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.sync(S1)
    hip.copy(B, A, "DeviceToDevice", S2, thread=OTHER)
    assert [verdict for _, verdict, _ in races(run.checked())] == ["host-order-assumed"]


def test_calls_of_two_threads_that_overlap_are_in_no_order(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    start = hip.process.now
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.call("hipStreamSynchronize", stream=S1, thread=MAIN, start=start + 2_000, end=start + 5_000)
    hip.copy(B, A, "DeviceToDevice", S2, thread=OTHER, start=start + 5_000, end=start + 6_000)
    assert [verdict for _, verdict, _ in races(run.checked())] == ["certain"]


def test_a_copy_between_devices_and_a_stream_of_the_other_one(any_run: Run) -> None:
    hip = any_run.hip
    hip.malloc(A, D1)
    hip.streams(1, 1)
    hip.kernel(S1)
    hip.kernel(S2, agent=GPU1)
    peer = {"dst": D1, "dstDeviceId": 1, "src": A, "srcDevice": 0, "sizeBytes": SIZE}
    ran = Ran(source=GPU, target=GPU1)
    hip.call("hipMemcpyPeerAsync", ran, **peer, stream=S1)
    hip.call("hipMemsetAsync", Ran("fill", agent=GPU1), dst=D1, value=0, sizeBytes=64, stream=S2)
    assert [pair for _, _, pair in races(any_run.checked())] == [(5, 6)]


def test_pool_memory_that_another_stream_reads_after_its_free(run: Run) -> None:
    hip = run.hip
    hip.malloc(HOST)
    hip.streams(1, 1)
    hip.call("hipMallocAsync", dev_ptr=VARIABLE, size=SIZE, stream=S1, allocated=[(A, SIZE, GPU)])
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.copy(HOST, A, "DeviceToHost", S2)
    hip.call("hipFreeAsync", dev_ptr=A, stream=S1)
    found = races(run.checked())
    assert {pair for _, _, pair in found} >= {(3, 4), (4, 5)}


def test_pool_memory_that_its_own_stream_uses(run: Run) -> None:
    hip = run.hip
    hip.malloc(HOST)
    hip.streams(1)
    hip.call("hipMallocAsync", dev_ptr=VARIABLE, size=SIZE, stream=S1, allocated=[(A, SIZE, GPU)])
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.call("hipFreeAsync", dev_ptr=A, stream=S1)
    assert races(run.checked()) == []
