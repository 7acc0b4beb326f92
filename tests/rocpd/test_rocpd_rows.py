"""What the rows of an imported trace say: who, what, where and when."""

import json
from pathlib import Path

import pytest
from hip_rows import by_id, kinds, ops, rows, touched
from hip_runs import E1, HOST, MAIN, OTHER, S1, S2, SIZE, VARIABLE, A, B, C, Run
from rocpd_builder import CPU, GPU, GPU1, Database, Ran

from synctrace.tracer.kinds import (
    ActorKind,
    Extent,
    Flag,
    Kind,
    Level,
    MemoryKind,
    Mode,
    StreamFlag,
)
from synctrace.tracer.reader import open_trace
from synctrace.tracer.rocpd.imported import import_database


def test_a_call_is_an_op_with_its_times_and_those_of_its_work(any_run: Run) -> None:
    hip = any_run.hip
    hip.malloc(A, HOST)
    start = hip.process.now
    hip.copy(A + 64, HOST, "HostToDevice", S1, size=128)
    trace = any_run.trace()
    (op,) = ops(trace, Kind.MEMCPY_ASYNC_H2D)
    assert op["level"] == Level.API
    assert (op["t_c"], op["t_r"]) == (start, start + 1_000)
    assert (op["t_s"], op["t_e"]) == (start + 1_500, start + 2_500)
    assert by_id(trace, "call")[op["call"]]["name"] == "hipMemcpyAsync"
    assert by_id(trace, "site")[op["site"]]["label"] == "hipMemcpyAsync on HIP0 stream 1"
    assert touched(trace, op) == [
        ("pinned memory 2", 0, 128, Mode.READ),
        ("device memory 1", 64, 192, Mode.WRITE),
    ]


def test_what_the_trace_as_a_whole_says(any_run: Run) -> None:
    any_run.hip.sync(S1)
    meta = any_run.trace().meta
    assert (meta["source"], meta["via"], meta["profile"]) == ("import", "rocprofv3", "hip-doc")
    assert meta["level"] == ["api"]
    assert (meta["program"], meta["pid"]) == ("infer", 4711)
    assert meta["command"] == ["/opt/app/infer", "--batch", "4"]
    assert meta["host"] == "Linux 6.8.0 x86_64"
    assert [(d["vendor"], d["ordinal"], d["name"]) for d in meta["devices"]] == [
        ("amd", 0, "GPU X"),
        ("amd", 1, "GPU X"),
    ]
    assert meta["versions"]["rocpd"] in ("3", "4")
    assert meta["complete"] is True


def test_threads_streams_and_events(any_run: Run) -> None:
    hip = any_run.hip
    hip.streams(1)
    hip.kernel(S1)
    hip.record(E1, S1, thread=OTHER)
    hip.kernel(0)
    hip.call("hipStreamSynchronize_spt", stream=0, thread=OTHER)
    hip.call("hipStreamSynchronize", stream=2)
    trace = any_run.trace()
    actors = [(a["name"], a["kind"], a["device"], a["flags"], a["handle"]) for a in
              rows(trace, "actor")]  # fmt: skip
    thread, stream = ActorKind.THREAD, ActorKind.STREAM
    per_thread = StreamFlag.PER_THREAD | StreamFlag.BLOCKING
    assert actors == [
        ("infer", thread, -1, 0, MAIN),
        ("HIP0 stream 1", stream, 0, StreamFlag.NONBLOCKING, S1),
        ("infer", thread, -1, 0, OTHER),
        ("HIP0 null stream", stream, 0, StreamFlag.LEGACY, 0),
        ("HIP0 stream of thread 1", stream, 0, per_thread, 2),
        ("HIP0 stream of thread 2", stream, 0, per_thread, 2),
    ]
    (event,) = rows(trace, "event")
    assert (event["handle"], event["generation"]) == (E1, 1)


def test_handles_that_were_destroyed_begin_another_life(run: Run) -> None:
    hip = run.hip
    hip.record(E1, S1)
    hip.call("hipEventDestroy", event=E1)
    hip.call("hipStreamDestroy", stream=S1)
    hip.record(E1, S1)
    trace = run.trace()
    assert [e["generation"] for e in rows(trace, "event")] == [1, 2]
    assert [(a["name"], a["generation"]) for a in rows(trace, "actor")[1:]] == [
        ("HIP0 stream 1", 1),
        ("HIP0 stream 2", 2),
    ]
    first, second = ops(trace, Kind.EVENT_RECORD)
    assert first["event"] != second["event"]
    assert first["actor"] != second["actor"]


def test_tickets_follow_the_times_of_all_threads(run: Run) -> None:
    """MAIN waits from 10 to 40, OTHER calls at 20 to 25 and at 40: it overlaps what ends then."""
    hip = run.hip
    hip.sync(S1, start=10_000, end=40_000)
    hip.sync(S2, thread=OTHER, start=20_000, end=25_000)
    hip.sync(S2, thread=OTHER, start=40_000, end=41_000)
    hip.sync(S1, start=41_000, end=42_000)
    found = rows(run.trace(), "op")
    assert [op["id"] for op in found] == [1, 2, 3, 4]
    tickets = [(op["ticket_c"], op["ticket_r"]) for op in found]
    assert tickets == [(0, 4), (1, 2), (3, 6), (5, 7)]


def test_a_call_inside_of_another_is_no_op_and_its_work_is_the_outer_ones(run: Run) -> None:
    hip = run.hip
    start = hip.process.now
    hip.call("hipGraphLaunch", graphExec=0x7770, stream=S1, start=start, end=start + 9_000)
    hip.kernel(S1, start=start + 1_000, end=start + 2_000)
    hip.sync(S1, start=start + 10_000)
    trace = run.trace()
    assert kinds(trace) == [Kind.GRAPH_LAUNCH, Kind.STREAM_SYNC]
    assert rows(trace, "op")[0]["t_s"] == start + 2_500


def test_work_that_names_a_call_of_another_api_inside_belongs_to_the_hip_call(run: Run) -> None:
    hip = run.hip
    start = hip.process.now
    outer = hip.kernel(S1, start=start, end=start + 5_000)
    hsa = hip.call("hsa_signal_store_screlease", start=start + 1_000, end=start + 2_000,
                   parent=outer)  # fmt: skip
    hip.process.ran(Ran("inner"), hsa, start + 6_000, MAIN)
    trace = run.trace()
    assert kinds(trace) == [Kind.KERNEL]
    assert rows(trace, "op")[0]["t_e"] == start + 7_500
    assert trace.complete


@pytest.mark.parametrize("kernel", ["k", ""], ids=["kernel", "copy"])
def test_work_with_an_id_of_its_own_belongs_to_its_parent(any_run: Run, kernel: str) -> None:
    hip = any_run.hip
    start = hip.process.now
    outer = hip.call("hipMemcpyAsync", dst=A, src=HOST, sizeBytes=64, stream=S1)
    hip.process.ran(Ran(kernel), 777, start + 1_000, MAIN, parent=outer)
    trace = any_run.trace()
    assert [op["t_s"] for op in rows(trace, "op")] == [start + 1_500]
    assert trace.complete


def test_a_kernel_is_named_by_what_ran_and_touches_the_unknown(any_run: Run) -> None:
    hip = any_run.hip
    hip.kernel(S1, "mul_mat<64>(float*, int)")
    trace = any_run.trace()
    (op,) = ops(trace, Kind.KERNEL)
    assert by_id(trace, "call")[op["call"]]["name"] == "mul_mat<64>(float*, int)"
    (access,) = rows(trace, "access")
    assert op["accesses"] == [access["id"]]
    assert (access["storage"], access["mode"]) == (0, Mode.UNKNOWN)
    assert access["extent"] == Extent.UPPER_BOUND
    assert trace.meta["coverage"]["kernels_without_ranges"] == 1


@pytest.mark.parametrize("name", ["hipExtLaunchKernel", "hipExtModuleLaunchKernel"])
def test_events_of_a_launch_are_recorded_around_it(run: Run, name: str) -> None:
    hip = run.hip
    hip.call(name, Ran("k"), stream=S1, startEvent=0, stopEvent=E1)
    hip.call(name, Ran("k"), stream=S1, startEvent=E1, stopEvent=0)
    trace = run.trace()
    assert kinds(trace) == [Kind.KERNEL, Kind.EVENT_RECORD, Kind.EVENT_RECORD, Kind.KERNEL]
    tickets = [op[column] for op in rows(trace, "op") for column in ("ticket_c", "ticket_r")]
    assert tickets == sorted(tickets) == list(range(8))


def test_the_device_of_a_null_stream_is_the_threads_own(run: Run) -> None:
    hip = run.hip
    hip.call("hipSetDevice", deviceId=1)
    hip.sync(0)
    hip.sync(0, thread=OTHER)
    hip.call("hipDeviceSynchronize")
    trace = run.trace()
    actors = by_id(trace, "actor")
    assert [actors[op["actor"]]["name"] for op in ops(trace, Kind.STREAM_SYNC)] == [
        "HIP1 null stream",
        "HIP0 null stream",
    ]
    assert [op["device"] for op in ops(trace, Kind.DEVICE_SYNC)] == [1]


def test_the_device_of_a_stream_is_where_its_kernels_ran(run: Run) -> None:
    run.hip.record(E1, S1)
    run.hip.kernel(S1, agent=GPU1)
    assert rows(run.trace(), "actor")[1]["name"] == "HIP1 stream 1"


@pytest.mark.parametrize(
    ("environment", "name"),
    [
        ({"HIP_VISIBLE_DEVICES": "1"}, "HIP0 stream 1"),
        ({"ROCR_VISIBLE_DEVICES": "1,0"}, "HIP0 stream 1"),
        ({"ROCR_VISIBLE_DEVICES": "1,0", "HIP_VISIBLE_DEVICES": "1"}, "HIP0 stream 1"),
        ({"CUDA_VISIBLE_DEVICES": "0,1"}, "HIP1 stream 1"),
        ({"HIP_VISIBLE_DEVICES": "GPU-1234"}, "HIP1 stream 1"),
    ],
)
def test_devices_are_numbered_as_the_program_sees_them(
    tmp_path: Path, environment: dict[str, str], name: str
) -> None:
    database = Database(tmp_path / "x.db")
    process = database.process(environment=environment)
    last = GPU if environment.get("HIP_VISIBLE_DEVICES") == "1" and len(environment) == 2 else GPU1
    process.call("hipLaunchKernel", Ran("k", agent=last), stream=S1)
    (one,) = import_database(database.close(), tmp_path / "t")
    assert rows(open_trace(one.path), "actor")[1]["name"] == name
    assert any("more than numbers" in told for told in one.told) == (
        "GPU-1234" in json.dumps(environment)
    )


def test_storages_and_their_lives(any_run: Run) -> None:
    hip = any_run.hip
    hip.malloc(A, HOST)
    hip.call("hipMallocManaged", dev_ptr=VARIABLE, size=SIZE, flags=1, allocated=[(C, SIZE, CPU)])
    hip.call("hipFree", ptr=A)
    hip.malloc(A, size=64)
    trace = any_run.trace()
    told = [
        (s["name"], s["device"], s["base"], s["size"], s["generation"])
        for s in rows(trace, "storage")
    ]
    assert told == [
        ("device memory 1", 0, A, SIZE, 1),
        ("pinned memory 2", -1, HOST, SIZE, 1),
        ("managed memory 3", 0, C, SIZE, 1),
        ("device memory 4", 0, A, 64, 2),
    ]
    memory = [MemoryKind(m["kind"]) for m in rows(trace, "memory")]
    assert memory == [MemoryKind.DEVICE, MemoryKind.PINNED, MemoryKind.MANAGED, MemoryKind.DEVICE]
    (free,) = ops(trace, Kind.FREE)
    assert touched(trace, free) == [("device memory 1", 0, SIZE, Mode.WRITE)]
    assert free["flags"] == Flag.IMPLICIT_SYNC


def test_of_several_allocations_in_a_call_the_programs_own_is_taken(run: Run) -> None:
    """The first call makes the runtime allocate for itself; sizes are rounded up."""
    made = [(B, 1 << 20, GPU), (HOST, 1 << 20, CPU), (C, 65536, GPU), (A, 8192, GPU)]
    run.hip.call("hipMalloc", ptr=VARIABLE, size=5000, allocated=made)
    (storage,) = rows(run.trace(), "storage")
    assert (storage["base"], storage["size"]) == (A, 5000)


def test_registered_memory_is_of_that_kind_while_it_is(run: Run) -> None:
    hip = run.hip
    hip.malloc(A)
    hip.call("hipHostRegister", hostPtr=HOST, sizeBytes=SIZE, flags=0)
    hip.copy(A, HOST, "HostToDevice", S1)
    hip.call("hipHostUnregister", hostPtr=HOST)
    trace = run.trace()
    (host,) = [s for s in rows(trace, "storage") if s["name"] == "host memory"]
    told = [
        (MemoryKind(m["kind"]), m["lo"], m["hi"])
        for m in rows(trace, "memory")
        if m["storage"] == host["id"]
    ]
    assert told == [
        (MemoryKind.PAGEABLE, 0, 1 << 48),
        (MemoryKind.REGISTERED, HOST, HOST + SIZE),
        (MemoryKind.PAGEABLE, HOST, HOST + SIZE),
    ]
    (end,) = ops(trace, Kind.HOST_UNREGISTER)
    assert touched(trace, end) == [("host memory", HOST, HOST + SIZE, Mode.WRITE)]


@pytest.mark.parametrize("is_told", [True, False])
def test_other_host_memory_is_pageable_if_allocations_are_told(run: Run, is_told: bool) -> None:
    hip = run.hip
    hip.malloc(A)
    if not is_told:
        hip.call("hipHostMalloc", ptr=VARIABLE, size=SIZE, flags=0)
    hip.copy(A, HOST, "HostToDevice", S1)
    trace = run.trace()
    (host,) = [s for s in rows(trace, "storage") if s["name"] == "host memory"]
    (kind,) = [m["kind"] for m in rows(trace, "memory") if m["storage"] == host["id"]]
    assert kind == (MemoryKind.PAGEABLE if is_told else MemoryKind.HOST)


def test_null_pointers_are_freed_without_effect(run: Run) -> None:
    run.hip.call("hipFree", ptr=0)
    run.hip.call("hipHostFree", ptr="(null)")
    assert [op["flags"] for op in rows(run.trace(), "op")] == [Flag.NOOP, Flag.NOOP]


def test_what_orders_and_touches_nothing_is_no_op(run: Run) -> None:
    hip = run.hip
    for name in ("hipGetDevice", "hipGetLastError", "hipModuleLoadData", "hipStreamCreate"):
        hip.call(name, ptr=VARIABLE)
    hip.sync(S1)
    assert kinds(run.trace()) == [Kind.STREAM_SYNC]


def test_a_function_of_a_later_release_that_gives_work_to_a_stream(run: Run) -> None:
    run.hip.call("hipLaunchSomethingNew", Ran("k"), stream=S1)
    run.hip.call("hipModuleLoadNew", Ran("copy"))
    assert kinds(run.trace()) == [Kind.KERNEL]
