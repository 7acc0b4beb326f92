"""What a database does not tell: counted, told in a sentence, and never a false race."""

from pathlib import Path

import pytest
from hip_rows import by_id, kinds, ops, rows
from hip_runs import E1, HOST, MAIN, OTHER, S1, S2, SIZE, VARIABLE, A, B, Run, races
from rocpd_builder import Database, Ran

from synctrace.analyzer import words
from synctrace.analyzer.check import check
from synctrace.tracer.kinds import Flag, Kind
from synctrace.tracer.reader import open_trace
from synctrace.tracer.rocpd.imported import import_database

WANTED = {
    "event": "no call can be joined with what ran for it",
    "kernel_dispatch": "kernels have no names and no device times",
    "memory_copy": "copies have no device times",
    "memory_allocate": "which memory was allocated is not known",
    "info_process": "the command line is not known",
    "info_thread": "threads have no names",
    "info_agent": "all work is taken as work of device 0",
    "info_kernel_symbol": "kernels have no names",
}


@pytest.mark.parametrize("table", WANTED)
def test_a_missing_table_is_told_and_the_rest_imported(any_run: Run, table: str) -> None:
    hip = any_run.hip
    hip.malloc(A, HOST)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.kernel(S1)
    hip.sync(S1)
    hip.process.drop(table)
    one = any_run.imported
    assert [told for told in one.told if f"no table rocpd_{table}:" in told] == [
        f"there is no table rocpd_{table}: {WANTED[table]}"
        + (": no device times, allocations or kernels" if table == "event" else "")
        + (", and the direction of some is not known" if table == "memory_copy" else "")
    ]
    trace = open_trace(one.path)
    assert kinds(trace)[-3:] == [Kind.MEMCPY_ASYNC_H2D, Kind.KERNEL, Kind.STREAM_SYNC]
    assert trace.complete
    assert races(check(trace, ["hip-7"], select=["RACE", "LIFE"])) == []


@pytest.mark.parametrize("table", ["info_node", "metadata", "info_stream", "info_queue"])
def test_a_table_that_matters_little_may_be_missing(any_run: Run, table: str) -> None:
    any_run.hip.sync(S1)
    any_run.hip.process.drop(table)
    assert any_run.imported.told == ()


def test_empty_tables_are_no_loss(any_run: Run) -> None:
    """--hip-trace alone: calls and their arguments, nothing that ran."""
    hip = any_run.hip
    hip.call("hipMalloc", ptr=VARIABLE, size=SIZE)
    arguments = {"dst": A, "src": HOST, "sizeBytes": SIZE, "kind": "HostToDevice"}
    hip.call("hipMemcpyAsync", **arguments, stream=S1)
    hip.call("hipMemcpyAsync", **arguments, stream=S2)
    hip.call("hipLaunchKernel", stream=S1)
    one = any_run.imported
    trace = open_trace(one.path)
    assert trace.complete
    assert trace.meta["coverage"]["allocations_without_address"] == 1
    assert "1 allocations have no record of their address" in one.told[0]
    assert [op["t_s"] for op in rows(trace, "op")] == [None] * 4
    found = races(check(trace, ["hip-7"], select=["RACE"]))
    assert [pair for _, _, pair in found] == [(2, 3)]


def test_nothing_is_compared_across_a_free_of_memory_without_address(run: Run) -> None:
    """The allocator may hand out what was freed, and with it orders that nobody recorded."""
    hip = run.hip
    hip.streams(1, 1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.call("hipFreeAsync", dev_ptr=B, stream=S1)
    hip.copy(A, HOST, "HostToDevice", S2)
    hip.call("hipFree", ptr=A)
    checked = run.checked()
    assert races(checked) == []
    assert checked.coverage["frees_of_unknown_memory"] == 2


def test_calls_that_order_by_values_in_memory_are_a_gap(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.call("hipStreamWriteValue32", stream=S1, ptr=B, value=1, flags=0)
    hip.call("hipStreamWaitValue32", stream=S2, ptr=B, value=1, flags=0, mask=-1)
    hip.copy(B, A, "DeviceToDevice", S2)
    checked = run.checked()
    assert races(checked) == []
    assert not checked.complete
    (lost,) = checked.lost
    assert lost.startswith("2 calls order work by what is not in the database (values in memory, ")


def test_a_gap_lasts_until_its_calls_have_returned(run: Run) -> None:
    """OTHER is in such a call from 10 to 50 while MAIN calls; the next call then ends the gap."""
    hip = run.hip
    hip.call("hipStreamWaitValue32", stream=S2, ptr=B, thread=OTHER, start=10_000, end=50_000)
    hip.sync(S1, start=20_000, end=30_000)
    hip.sync(S1, start=60_000)
    (gap,) = rows(run.trace(), "gap")
    first, second = rows(run.trace(), "op")
    assert first["ticket_r"] < gap["ticket"] < second["ticket_c"]
    assert (gap["first"], gap["dropped"]) == (0, 1)


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("hipMemcpyAsync", {"dst": A, "src": HOST, "sizeBytes": 64}),
        ("hipEventRecord", {"stream": S1}),
        ("hipStreamWaitEvent", {"stream": S1, "flags": 0}),
        ("hipStreamSynchronize", {}),
        ("hipFree", {}),
        ("hipGraphLaunch", {"stream": S1}),
        ("hipStreamSynchronize", {"stream": "<garbage>"}),
        ("hipSignalExternalSemaphoresAsync", {"stream": S1}),
    ],
)
def test_a_call_without_what_says_its_order_is_a_gap(
    run: Run, name: str, arguments: dict[str, object]
) -> None:
    run.hip.call(name, **arguments)
    run.hip.sync(S2)
    trace = run.trace()
    assert [gap["dropped"] for gap in rows(trace, "gap")] == [1]
    assert kinds(trace) == [Kind.STREAM_SYNC]
    assert trace.meta["coverage"]["calls_of_unknown_order"] == 1
    assert not trace.complete


def test_work_of_calls_that_were_not_recorded_is_a_loss(any_run: Run) -> None:
    hip = any_run.hip
    hip.sync(S1)
    hip.process.ran(Ran("elsewhere"), 9_999, hip.process.now, MAIN)
    trace = any_run.trace()
    assert trace.meta["lost"] == ["1 kernels and copies ran for calls that are not in the database"]
    assert not trace.complete


@pytest.mark.parametrize("times", [
    ("soon", 2_000), (-5, 2_000), (1_000, 1 << 62), (None, 2_000), (1_000, (1 << 63) - 1),
])  # fmt: skip
def test_calls_with_times_that_cannot_be_are_left_out(run: Run, times: tuple[object, int]) -> None:
    hip = run.hip
    hip.sync(S1)
    start, end = times
    hip.process.put("region", nid=7, pid=4711, tid=MAIN, start=start, end=end,
                    name_id=hip.process.string("hipDeviceSynchronize"))  # fmt: skip
    trace = run.trace()
    assert kinds(trace) == [Kind.STREAM_SYNC]
    assert trace.meta["lost"] == ["1 calls have no times that can be, and are left out"]


def test_a_call_that_ends_before_it_begins_takes_no_time(run: Run) -> None:
    run.hip.sync(S1, start=5_000, end=4_000)
    (op,) = rows(run.trace(), "op")
    assert (op["t_c"], op["t_r"]) == (5_000, 5_000)


# Queries: return codes are not in a database.


@pytest.mark.parametrize("query", ["event", "stream"])
@pytest.mark.parametrize("is_done", [True, False])
def test_a_query_is_taken_by_what_was_still_running(
    any_run: Run, query: str, is_done: bool
) -> None:
    hip = any_run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    arguments = {"dst": A, "src": HOST, "sizeBytes": SIZE, "kind": "HostToDevice"}
    hip.call("hipMemcpyAsync", Ran(for_ns=9_000), **arguments, stream=S1)
    hip.record(E1, S1)
    start = hip.process.now + (10_000 if is_done else 0)
    asked = {"event": E1} if query == "event" else {"stream": S1}
    name = "hipEventQuery" if query == "event" else "hipStreamQuery"
    hip.call(name, **asked, start=start, end=start + 100)
    hip.copy(B, A, "DeviceToDevice", S2, start=start + 10_000)
    checked = any_run.checked()
    kind = Kind.EVENT_QUERY if query == "event" else Kind.STREAM_QUERY
    (op,) = ops(any_run.trace(), kind)
    assert (op["flags"], op["rc"]) == ((0, 0) if is_done else (Flag.FAILED, 600))
    assert len(races(checked)) == (0 if is_done else 1)
    assert checked.coverage["queries_without_answer"] == (1 if is_done else 0)


# Graphs: which executable came of which capture is not known.


def test_captured_calls_do_nothing_and_launches_touch_the_unknown(any_run: Run) -> None:
    hip = any_run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    hip.call("hipStreamBeginCapture", stream=S1, mode=2)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.record(E1, S1)
    hip.wait(S2, E1)
    hip.copy(A, B, "DeviceToDevice", S2)
    hip.kernel(S2)
    hip.call("hipStreamEndCapture", stream=S1, pGraph=VARIABLE)
    hip.call("hipGraphInstantiate", pGraphExec=VARIABLE, graph=0x7770)
    hip.call("hipGraphLaunch", [Ran("a"), Ran("b")], graphExec=0x7780, stream=S1)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.sync(S1)
    hip.call("hipGraphExecDestroy", graphExec=0x7780)
    checked = any_run.checked()
    trace = any_run.trace()
    captured = [Kind(op["kind"]) for op in rows(trace, "op") if op["flags"] & Flag.CAPTURED]
    assert captured == [
        Kind.MEMCPY_ASYNC_H2D,
        Kind.EVENT_RECORD,
        Kind.EVENT_WAIT,
        Kind.MEMCPY_ASYNC_D2D,
        Kind.KERNEL,
    ]
    assert all(op["accesses"] == [] for op in rows(trace, "op") if op["flags"] & Flag.CAPTURED)
    (launch,) = ops(trace, Kind.GRAPH_LAUNCH)
    graphs = by_id(trace, "graph")
    assert [graphs[op["graph"]]["name"] for op in ops(trace, Kind.GRAPH_DESTROY)] == ["graph 2"]
    assert graphs[launch["graph"]]["handle"] == 0x7780
    assert trace.meta["coverage"]["launches_without_ranges"] == 1
    assert trace.meta["coverage"]["kernels_without_ranges"] == 0
    assert races(checked) == []
    assert checked.complete


def test_after_the_capture_the_streams_run_again(run: Run) -> None:
    hip = run.hip
    hip.malloc(A, HOST)
    hip.streams(1, 1)
    hip.call("hipStreamBeginCapture", stream=S1, mode=0)
    hip.record(E1, S1)
    hip.wait(S2, E1)
    hip.call("hipStreamEndCapture", stream=S1, pGraph=VARIABLE)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.wait(S2, E1)  # of an event that was recorded in the capture alone
    hip.copy(A, HOST, "HostToDevice", S2)
    assert len(races(run.checked())) == 1


@pytest.mark.parametrize("how", ["node", "external"])
def test_launches_of_graphs_with_events_are_gaps(run: Run, how: str) -> None:
    hip = run.hip
    hip.malloc(A, B, HOST)
    hip.streams(1, 1)
    if how == "node":
        hip.call("hipGraphAddEventRecordNode", graph=0x7770, event=E1)
    else:
        hip.call("hipStreamBeginCapture", stream=S1, mode=0)
        hip.call("hipEventRecordWithFlags", event=E1, stream=S1, flags=1)
        hip.call("hipStreamEndCapture", stream=S1, pGraph=VARIABLE)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.call("hipGraphLaunch", graphExec=0x7780, stream=S1)
    hip.wait(S2, E1)
    hip.copy(B, A, "DeviceToDevice", S2)
    checked = run.checked()
    assert races(checked) == []
    assert not checked.complete


def test_a_wait_for_an_event_of_another_process_is_a_gap(run: Run) -> None:
    hip = run.hip
    hip.call("hipIpcOpenEventHandle", event=VARIABLE, handle="{}")
    hip.wait(S1, E1)
    hip.record(E1 + 16, S1)
    hip.wait(S2, E1 + 16)
    assert kinds(run.trace()) == [Kind.EVENT_RECORD, Kind.EVENT_WAIT]


def test_a_launch_that_names_its_stream_in_a_structure_is_left_out(run: Run) -> None:
    run.hip.call("hipLaunchKernelExC", Ran("k"), config=VARIABLE, fPtr=0x40_1000)
    run.hip.sync(S1)
    trace = run.trace()
    assert kinds(trace) == [Kind.STREAM_SYNC]
    assert trace.meta["coverage"]["launches_without_stream"] == 1
    assert trace.complete


def test_events_that_may_have_no_fence_are_counted(run: Run) -> None:
    run.hip.call("hipEventCreateWithFlags", event=VARIABLE, flags=0x2000_0000)
    run.hip.record(E1, S1)
    assert run.trace().meta["coverage"]["events_of_unknown_kind"] == 1


@pytest.mark.parametrize("size", [1 << 47, (1 << 64) - 1, -1, "many"])
def test_ranges_that_no_memory_has_are_unknown(run: Run, size: object) -> None:
    run.hip.call("hipMemcpyAsync", dst=(1 << 48) - 64, src=(1 << 64) - 8, sizeBytes=size,
                 kind="HostToDevice", stream=S1)  # fmt: skip
    trace = run.trace()
    assert [a["storage"] for a in rows(trace, "access")] == [0]
    assert trace.meta["coverage"]["copies_without_ranges"] == 1


def test_every_counter_has_a_name_that_reads_in_english(run: Run) -> None:
    run.hip.sync(S1)
    coverage = run.trace().meta["coverage"]
    assert set(coverage.values()) == {0}
    assert {name for name in coverage if words.counted(1, name).split()[1].endswith("s")} == set()


def test_two_processes_are_two_traces(tmp_path: Path) -> None:
    database = Database(tmp_path / "merged.db")
    for pid in (11, 12, 11):
        process = database.process(pid, f"/bin/rank {pid}")
        process.call("hipStreamSynchronize", stream=S1, thread=pid)
        process.call("hipLaunchKernel", Ran(f"k{pid}"), stream=S1, thread=pid)
    found = import_database(database.close(), tmp_path / "out")
    assert [one.path.name for one in found] == ["11", "12", "11-2"]
    traces = [open_trace(one.path) for one in found]
    assert [trace.meta["pid"] for trace in traces] == [11, 12, 11]
    names = [[call["name"] for call in rows(trace, "call")] for trace in traces]
    assert names == [["hipStreamSynchronize", f"k{pid}"] for pid in (11, 12, 11)]
