"""Waits of an imported program: what is not in the database counts for them, never against them."""

from hip_runs import E1, HOST, S1, S2, SIZE, A, B, Run
from rocpd_builder import GPU, Ran

from synctrace.analyzer.check import check


def needless(run: Run) -> list[tuple[str, tuple[int, ...]]]:
    found = check(run.trace(), ["hip-7"], select=["SYNC01"]).findings
    return [(f.why, f.ops) for f in found]


def test_the_wait_for_a_result_is_needed_and_a_second_one_is_not(any_run: Run) -> None:
    """The host reads what was copied to it once it has waited, though no database tells that."""
    hip = any_run.hip
    hip.malloc(A, HOST)
    hip.streams(1)
    hip.copy(HOST, A, "DeviceToHost", S1)
    hip.sync(S1)
    hip.call("hipDeviceSynchronize")
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.sync(S1)
    assert needless(any_run) == [("implied", (5,))]


def test_waits_around_kernels_are_needed(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.kernel(S1)
    hip.record(E1, S1)
    hip.wait(S2, E1)
    hip.kernel(S2)
    hip.sync(S2)
    hip.kernel(S1)
    hip.sync(S1)
    assert needless(run) == []


def test_waits_around_graph_launches_are_needed(run: Run) -> None:
    hip = run.hip
    hip.streams(1, 1)
    hip.call("hipGraphLaunch", Ran("a"), graphExec=0x7780, stream=S1)
    hip.sync(S1)
    hip.call("hipGraphLaunch", Ran("a"), graphExec=0x7790, stream=S2)
    hip.sync(S2)
    assert needless(run) == []


def test_a_wait_behind_a_query_that_said_not_ready_is_needed(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, HOST)
    hip.streams(1)
    arguments = {"dst": HOST, "src": A, "sizeBytes": SIZE, "kind": "DeviceToHost"}
    hip.call("hipMemcpyAsync", Ran(for_ns=9_000, source=GPU, target=0), **arguments, stream=S1)
    hip.record(E1, S1)
    hip.call("hipEventQuery", event=E1)
    hip.call("hipEventSynchronize", event=E1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.sync(S1)
    assert needless(run) == []
