"""Counters of threads, read of this process, and of GPUs, read of the fakes."""

import os
import threading
import time
from collections.abc import Callable
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from synctrace.tracer.machine import devices, sampler, thread_time
from synctrace.tracer.machine.devices import Probe
from synctrace.tracer.machine.sampler import Machine
from synctrace.tracer.machine.thread_time import thread_times

from .conftest import Make

READ = {
    "core_clock_mhz": 1980.0,
    "memory_clock_mhz": 3201.0,
    "power_watts": 121.5,
    "busy_percent": 37.0,
    "memory_used_bytes": float(3 << 30),
}


def wait_until(happened: Callable[[], bool]) -> None:
    """Long enough for any machine; what it waits for takes a tenth of a second."""
    until = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < until
        time.sleep(0.01)


class Kept:
    """What a trace would be given."""

    def __init__(self) -> None:
        self.rows: list[dict[str, Any]] = []

    def append(self, columns: dict[str, list[Any]]) -> None:
        names = list(columns)
        self.rows += [
            dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)
        ]

    def of(self, source: str) -> list[dict[str, Any]]:
        return [row for row in self.rows if row["source"] == source]


def busy(stop: threading.Event) -> None:
    while not stop.is_set():
        sum(range(1000))


def test_a_busy_thread_and_an_idle_one() -> None:
    stop = threading.Event()
    working = threading.Thread(target=busy, args=(stop,))
    resting = threading.Thread(target=stop.wait)
    working.start()
    resting.start()
    try:

        def cpu(thread: threading.Thread) -> int:
            found = {(t, name): value for t, name, value in thread_times(os.getpid())}
            return found[str(thread.native_id), "cpu_ns"]

        before = cpu(working), cpu(resting)
        wait_until(lambda: cpu(working) - before[0] > 20_000_000)
        assert cpu(resting) - before[1] < (cpu(working) - before[0]) / 2
    finally:
        stop.set()
        working.join()
        resting.join()


def test_a_kernel_without_scheduler_statistics(monkeypatch: pytest.MonkeyPatch) -> None:
    """Clock ticks say about the same."""
    until = time.process_time() + 0.1
    while time.process_time() < until:
        pass
    own = str(threading.get_native_id())
    fine = {name: value for t, name, value in thread_times(os.getpid()) if t == own}
    path = thread_time.Path.read_bytes

    def read(file: Any) -> bytes:
        if file.name == "schedstat":
            raise FileNotFoundError
        return path(file)

    monkeypatch.setattr(thread_time.Path, "read_bytes", read)
    coarse = {name: value for t, name, value in thread_times(os.getpid()) if t == own}
    assert list(coarse) == ["cpu_ns"]
    assert 0.5 < coarse["cpu_ns"] / fine["cpu_ns"] < 2


def test_threads_that_cannot_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Gone, not ours, or not what one knows: the others are read."""
    assert list(thread_times(2**22 + 1)) == [], "no such process"
    path, own = thread_time.Path.read_bytes, threading.get_native_id()
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    for trouble in (PermissionError, ProcessLookupError, ValueError):

        def read(file: Any, trouble: type[Exception] = trouble) -> bytes:
            if file.parent.name == str(own):
                raise trouble
            return path(file)

        with monkeypatch.context() as patch:
            patch.setattr(thread_time.Path, "read_bytes", read)
            found = {t for t, *_ in thread_times(os.getpid())}
        assert str(other.native_id) in found
        assert str(own) not in found
    stop.set()
    other.join()


def test_more_threads_than_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_time, "MOST_THREADS", 1)
    monkeypatch.setattr(sampler, "MOST_THREADS", 1)
    machine, kept = Machine(0.01), Kept()
    machine.sample([(os.getpid(), kept.append)])
    assert len({row["subject"] for row in kept.of("thread")}) == 1
    told = f"threads: process {os.getpid()} had more than the 1 that are sampled"
    assert machine.meta()["unread"] == [told]


def test_nothing_is_read_unasked(machine: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(nvidia="two")
    watch, kept = Machine(), Kept()
    watch.meta()
    watch.sample([(os.getpid(), kept.append)])
    watch.close()
    assert kept.rows == []


def test_threads_are_read_at_the_interval(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not at every turn of the loop; and a round that took long is followed by a longer pause."""
    now = [100.0]
    clock = SimpleNamespace(monotonic=lambda: now[0], monotonic_ns=time.monotonic_ns)
    monkeypatch.setattr(sampler, "time", clock)
    watch = Machine(0.5)

    def rounds(took: float) -> list[float]:
        read = []

        def append(columns: dict[str, list[Any]]) -> None:
            read.append(round(now[0], 3))
            now[0] += took

        for _ in range(300):
            watch.sample([(os.getpid(), append)])
            now[0] += 0.01
        return read

    quick = rounds(0.0)
    assert [round(b - a, 2) for a, b in pairwise(quick)] == [0.5] * 5
    now[0] += 10
    slow = rounds(0.2)
    assert all(b - a >= 2 for a, b in pairwise(slow))


def test_counters_of_gpus(machine: Make) -> None:
    machine(nvidia="two")
    watch, one, other = Machine(0.01), Kept(), Kept()

    def enough() -> bool:
        watch.sample([(os.getpid(), one.append), (os.getpid(), other.append)])
        return len(one.of("nvidia")) >= 30

    wait_until(enough)
    watch.close()
    rows = one.of("nvidia")
    assert {r["counter"]: r["value"] for r in rows if r["subject"] == "0"} == READ
    second = {r["counter"]: r["value"] for r in rows if r["subject"] == "1"}
    assert second == {**READ, "busy_percent": 38.0}
    times = [row["t"] for row in rows]
    assert times == sorted(times)
    assert other.of("nvidia") == rows, "every process's trace has them"
    assert watch.meta()["unread"][0].startswith("nvidia: the program's own numbers")


def test_counters_of_amd(machine: Make) -> None:
    """One that is told as "N/A" is missing, which is said once."""
    machine(amd="two")
    probe = Probe(0.01)
    rows: list[Any] = []

    def given_up() -> bool:
        rows.extend(probe.readings())
        return len(probe.facts()["unread"]) == 2

    wait_until(given_up)
    probe.close()
    values = {counter: value for _, source, _, counter, value in rows if source == "amd"}
    assert values == {
        "core_clock_mhz": 2100.0,
        "power_watts": 140.0,
        "busy_percent": 88.0,
        "memory_used_bytes": float(300 << 20),
    }
    reason = "(could not convert string to float: 'N/A')"
    assert set(probe.facts()["unread"]) == {f"amd 1: memory_clock_mhz is not told {reason}"}


def test_a_counter_that_the_card_has_not(machine: Make) -> None:
    machine(nvidia="unsupported")
    probe = Probe(0.01)
    rows: list[Any] = []

    def enough() -> bool:
        rows.extend(probe.readings())
        return len(rows) >= 60

    wait_until(enough)
    unread = probe.facts()["unread"][1:]
    probe.close()
    assert {counter for *_, counter, _ in rows} == set(READ) - {"busy_percent"}
    assert unread == [f"nvidia {n}: busy_percent is not told (Not Supported)" for n in (0, 1)]


def test_hidden_devices_are_not_sampled(machine: Make, cuda: Any) -> None:
    """The program sees one, as 0; NVML calls it 1."""
    machine(nvidia="two", libcuda=cuda, cuda="one")
    probe = Probe(0.01)
    rows: list[Any] = []

    def enough() -> bool:
        rows.extend(probe.readings())
        return len(rows) >= 10

    wait_until(enough)
    probe.close()
    assert {subject for _, _, subject, _, _ in rows} == {"0"}
    assert {value for *_, counter, value in rows if counter == "busy_percent"} == {38.0}


def test_a_library_that_crashes_later(machine: Make) -> None:
    """The facts stay, and that the counters ended is told."""
    machine(nvidia="crashes later")
    probe = Probe(0.01)

    def ended() -> bool:
        probe.readings()
        return any("read no longer (signal 6)" in one for one in probe.facts()["unread"])

    wait_until(ended)
    assert len(probe.facts()["devices"]) == 2
    assert probe.readings() == []


def test_a_library_that_hangs_later_is_not_waited_for(machine: Make) -> None:
    machine(nvidia="hangs later")
    probe = Probe(0.01)
    assert len(probe.facts()["devices"]) == 2
    assert probe.readings() == []
    started = time.monotonic()
    probe.close()
    assert time.monotonic() - started < devices.FACTS_SECONDS
