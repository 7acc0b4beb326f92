"""No thread of the CPU device is left behind, and none keeps a program from ending."""

import gc
import subprocess
import sys
import threading

from cpu_programs import AT_ONCE, SLOW, device

from synctrace.tracer.scheduler.cpu import CpuDevice


def running() -> set[str]:
    return {thread.name for thread in threading.enumerate() if thread.name.startswith("SIM")}


def test_a_closed_device_has_no_threads() -> None:
    with device() as gpu:
        streams = [gpu.stream(name) for name in "ab"]
        for stream in streams:
            stream.fill(gpu.memory("data", 1).slice(), 0)
        gpu.copy(gpu.pinned("h", 1).slice(), gpu.memory("d", 1).slice())
        assert running() == {"SIM0 a", "SIM0 b", "SIM0 LEGACY"}
    assert running() == set()


def test_a_close_waits_for_what_is_pending() -> None:
    with device(SLOW) as gpu:
        host = gpu.pinned("host", 4)
        gpu.stream("main").fill(host.slice(), 7)
    assert host.load() == b"\x07" * 4


def test_a_lost_device_ends_its_threads() -> None:
    gpu = CpuDevice(0, AT_ONCE)
    stream, event = gpu.stream("main"), gpu.event("event")
    stream.fill(gpu.memory("data", 1).slice(), 0)
    stream.record(event)
    thread = next(each for each in threading.enumerate() if each.name == "SIM0 main")
    del gpu, stream
    gc.collect()
    thread.join(30)
    assert not thread.is_alive()
    event.synchronize()  # what was given is done all the same


PROGRAM = """
from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.cpu_pace import Speed
gpu = CpuDevice(0, Speed(latency_s=3600))
stream = gpu.stream("main")
stream.fill(gpu.memory("data", 1).slice(), 0)
print("end")
"""


def test_a_program_ends_with_work_pending() -> None:
    """The copy would take an hour."""
    command = [sys.executable, "-c", PROGRAM]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, "end\n", "")
