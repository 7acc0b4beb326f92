"""Streams and events of the CPU device mean what CUDA's mean."""

import threading

import pytest
from cpu_programs import ADD_ONE, AT_ONCE, COPY, NEW, OLD, SIZE, SLOW, Gate, device, speed

from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_memory import POISON
from synctrace.tracer.scheduler.cpu_pace import Pace
from synctrace.tracer.scheduler.device import DeviceError
from synctrace.tracer.scheduler.handover import Handover


def test_a_stream_runs_in_order() -> None:
    seen: list[int] = []
    with device() as gpu:
        stream = gpu.stream("main")
        for i in range(200):
            stream.host_call(lambda reads, writes, i=i: seen.append(i))
        stream.synchronize()
    assert seen == list(range(200))


def test_streams_are_in_no_order() -> None:
    with device() as gpu:
        held, other = gpu.stream("held"), gpu.stream("other")
        gate = Gate(held)
        other.launch(COPY, [gpu.managed("a", 4).slice()], [gpu.managed("b", 4).slice()])
        other.synchronize()
        assert other.query() and not held.query()
        gate.open()
        held.synchronize()
        assert held.query()


def test_calls_return_before_their_work() -> None:
    """All of these go to a stream that cannot run them yet."""
    with device() as gpu:
        stream = gpu.stream("main")
        host, data = gpu.pinned("host", SIZE), gpu.memory("data", SIZE)
        host.store(OLD)
        gate = Gate(stream)
        stream.copy(data.slice(), host.slice())
        stream.launch(ADD_ONE, [data.slice()], [data.slice()])
        stream.fill(data.slice(0, 1), 0)
        stream.copy(host.slice(), data.slice())
        assert host.load() == OLD
        gate.open()
        stream.synchronize()
        assert host.load() == b"\x00" + b"\x02" * (SIZE - 1)


def test_a_wait_orders_two_devices() -> None:
    with device() as near, device(ordinal=1) as far:
        first, second, done = near.stream("first"), far.stream("second"), near.event("done")
        data, slot = near.memory("data", SIZE), far.memory("slot", SIZE)
        result = far.pinned("result", SIZE)
        gate = Gate(first)
        first.fill(data.slice(), 7)
        first.copy(slot.slice(), data.slice())
        first.record(done)
        second.wait(done)
        second.copy(result.slice(), slot.slice())
        assert not second.query()
        gate.open()
        second.synchronize()
        assert result.load() == b"\x07" * SIZE


def test_a_wait_is_bound_to_the_record_of_its_time() -> None:
    """Recording the event again later changes nothing for who waits already."""
    with device() as gpu:
        held, other, event = gpu.stream("held"), gpu.stream("other"), gpu.event("event")
        held.record(event)
        other.wait(event)
        gate = Gate(held)
        held.record(event)
        other.synchronize()
        assert not event.query()
        gate.open()
        event.synchronize()
        assert event.query()


def test_a_wait_takes_the_latest_record() -> None:
    with device() as gpu:
        held, other, event = gpu.stream("held"), gpu.stream("other"), gpu.event("event")
        held.record(event)
        gate = Gate(held)
        held.record(event)
        other.wait(event)
        assert not other.query()
        gate.open()
        other.synchronize()


def test_an_event_stands_for_nothing_that_comes_later() -> None:
    with device() as gpu:
        stream, event = gpu.stream("main"), gpu.event("event")
        stream.record(event)
        gate = Gate(stream)
        event.synchronize()
        assert event.query() and not stream.query()
        gate.open()


def test_an_event_never_recorded_is_done() -> None:
    with device() as gpu:
        stream, event = gpu.stream("main"), gpu.event("event")
        event.synchronize()
        stream.wait(event)
        stream.synchronize()
        assert event.query()


def test_a_stream_that_waits_for_its_own_event_goes_on() -> None:
    with device() as gpu:
        stream, event = gpu.stream("main"), gpu.event("event")
        stream.record(event)
        stream.wait(event)
        stream.synchronize()


def test_a_device_waits_for_all_its_streams_and_no_other_device() -> None:
    with device() as near, device(ordinal=1) as far:
        streams = [near.stream(name) for name in "abc"]
        elsewhere = Gate(far.stream("elsewhere"))
        host = near.pinned("host", 3)
        for i, stream in enumerate(streams):
            stream.fill(host.slice(i, i + 1), i)
        near.synchronize()
        assert host.load() == b"\x00\x01\x02"
        elsewhere.open()


def test_the_blocking_copy_waits_for_no_stream() -> None:
    with device() as gpu:
        host, data = gpu.pinned("host", SIZE), gpu.memory("data", SIZE)
        stream = gpu.stream("main")
        gate = Gate(stream)
        stream.fill(data.slice(), 7)
        host.store(OLD)
        gpu.copy(data.slice(), host.slice())
        host.store(NEW)
        gpu.copy(host.slice(), data.slice())
        assert host.load() == OLD
        gate.open()


def test_a_pageable_source_is_taken_in_the_call() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        host, data = gpu.pageable("host", SIZE), gpu.memory("data", SIZE)
        result = gpu.pinned("result", SIZE)
        host.store(OLD)
        gate = Gate(stream)
        stream.copy(data.slice(), host.slice())
        host.store(NEW)
        gate.open()
        stream.copy(result.slice(), data.slice())
        stream.synchronize()
        assert result.load() == OLD


def test_a_copy_to_pageable_memory_waits() -> None:
    with device(SLOW) as gpu:
        stream = gpu.stream("main")
        host, data = gpu.pageable("host", SIZE), gpu.memory("data", SIZE)
        stream.fill(data.slice(), 7)
        stream.copy(host.slice(), data.slice())
        assert host.load() == b"\x07" * SIZE


def test_a_blocking_copy_from_pageable_memory_frees_the_source_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The target is not there yet when the call returns: CUDA promises no more."""
    its_time = threading.Event()
    monkeypatch.setattr(Pace, "_wait", lambda self, seconds: its_time.wait(30))
    with device() as gpu:
        host, data = gpu.pageable("host", SIZE), gpu.managed("data", SIZE)
        host.store(OLD)
        gpu.copy(data.slice(), host.slice())
        host.store(NEW)
        assert data.load() == bytes([POISON]) * SIZE
        its_time.set()
        gpu.synchronize()
        assert data.load() == OLD


def test_a_pinned_source_is_read_when_the_copy_runs() -> None:
    with device() as gpu:
        stream = gpu.stream("main")
        host, data = gpu.pinned("host", SIZE), gpu.managed("data", SIZE)
        host.store(OLD)
        gate = Gate(stream)
        stream.copy(data.slice(), host.slice())
        host.store(NEW)
        gate.open()
        stream.synchronize()
        assert data.load() == NEW


def test_a_store_in_the_middle_of_a_copy_is_seen_in_part() -> None:
    """Torn: neither the old bytes nor the new ones, in at least one of the timings."""
    torn = 0
    for seed in range(20):
        with device(speed(seed)) as gpu:
            stream = gpu.stream("main")
            host, data = gpu.pinned("host", SIZE), gpu.managed("data", SIZE)
            host.store(OLD)
            stream.copy(data.slice(), host.slice())
            while data.load(0, 1) != OLD[:1]:
                pass
            host.store(NEW)
            stream.synchronize()
            torn += len(set(data.load())) == 2
    assert torn


def test_two_threads_give_work_to_one_stream() -> None:
    """Each finds its own calls in its own order."""
    seen: list[tuple[str, int]] = []
    with device(AT_ONCE) as gpu:
        stream = gpu.stream("main")

        def issue(who: str) -> None:
            for i in range(100):
                stream.host_call(lambda reads, writes, i=i: seen.append((who, i)))
            stream.synchronize()
            assert len([each for each in seen if each[0] == who]) == 100

        threads = [threading.Thread(target=issue, args=(who,)) for who in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    for who in "ab":
        assert [i for name, i in seen if name == who] == list(range(100))


def test_a_host_function_gives_its_signal() -> None:
    with device() as gpu:
        stream, done = gpu.stream("main"), Handover("done")
        host = gpu.pinned("host", 1)

        def announce(reads: object, writes: list[memoryview]) -> None:
            writes[0][0] = 5

        for _ in range(2):  # once for each wait
            stream.host_call(announce, writes=[host.slice()], signal=done)
            done.wait()
            assert host.load() == b"\x05"
            host.store(b"\x00")


@pytest.mark.parametrize("size", [1, 255])
def test_copies_need_one_size(size: int) -> None:
    with device() as gpu:
        stream, host, data = gpu.stream("main"), gpu.pinned("h", SIZE), gpu.memory("d", SIZE)
        with pytest.raises(DeviceError, match=f"256 bytes of h to {size} bytes of d: both need"):
            stream.copy(data.slice(0, size), host.slice())


def test_the_seed_decides_the_times() -> None:
    """The same twice, and another with another seed: drawn times, not measured ones."""

    def drawn(seed: int, who: str = "SIM0 main") -> list[float]:
        pace, waits = Pace(speed(seed), who), []
        pace._wait = waits.append  # type: ignore[method-assign]
        for _ in range(3):
            pace.kernel()
            assert [*pace.pieces(SIZE)][-1][1] == SIZE
        return waits

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert drawn(1) != drawn(1, "SIM0 other")


def test_devices_have_names_and_ordinals() -> None:
    with device(ordinal=3) as gpu:
        assert (gpu.name, gpu.ordinal, gpu.stream("main").device) == ("SIM3", 3, 3)
        assert CpuDevice(0, AT_ONCE, name="CUDA0").name == "CUDA0"
