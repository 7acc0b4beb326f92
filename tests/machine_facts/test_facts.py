"""What is told of GPUs, and that nothing a vendor's library does goes further than `unread`.

The libraries are fakes (tests/machine_facts/fakes): this shows what is made of their answers and
failures, not that real ones answer so; tests/gpu/facts.py prints what a real machine says.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from synctrace.tracer.machine import devices
from synctrace.tracer.machine.facts import Device, Driver, Facts, Link
from synctrace.tracer.schema import META_OBJECTS

from .conftest import Make

Asked = Callable[..., dict[str, Any]]
NOTHING: dict[str, Any] = {"devices": [], "links": [], "drivers": [], "unread": []}
GIB = 1 << 30
NO_CUDA = "nvidia: the program's own numbers of devices are not known (libcuda.so.1: cannot open"


def test_without_a_driver_nothing_is_asked(asked: Asked, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise AssertionError("a child was started")

    monkeypatch.setattr(subprocess, "Popen", fail)
    assert asked() == NOTHING


def test_two_gpus_and_nvlink(asked: Asked) -> None:
    told = asked(nvidia="two")
    first, second = told["devices"]
    assert first == {
        "vendor": "nvidia",
        "index": 0,
        "ordinal": 0,
        "numbered_by": "nvml",
        "name": "FAKE 80GB",
        "uuid": "GPU-00000000",
        "pci": "0000:1a:00.0",
        "architecture": "9.0",
        "memory_bytes": 80 * GIB,
        "pcie_generation": 5,
        "pcie_width": 16,
        "integrated": None,
        "pageable_access": None,
        "mig": None,
        "parts": [],
    }
    assert (second["index"], second["pci"]) == (1, "0000:1b:00.0")
    nvlink = {"first": 0, "second": 1, "kind": "nvlink", "path": "nvswitch", "count": 17}
    assert told["links"] == [nvlink]
    assert told["drivers"] == [{"vendor": "nvidia", "version": "580.1", "runtime": "CUDA 13.0"}]
    [unread] = told["unread"]
    assert unread.startswith(NO_CUDA)


@pytest.mark.parametrize(
    ("kind", "link"),
    [
        ("direct", {"kind": "nvlink", "path": "direct", "count": 17}),
        ("pcie", {"kind": "pcie", "path": "one PCIe switch", "count": None}),
        ("apart", {"kind": "pcie", "path": "one PCIe switch", "count": None}),
    ],
)
def test_other_links(kind: str, link: dict[str, Any], asked: Asked) -> None:
    """Straight to each other, none, and lanes to switches by which the two do not reach another."""
    assert asked(nvidia=kind)["links"] == [{"first": 0, "second": 1, **link}]


def test_mig(asked: Asked) -> None:
    first, second = asked(nvidia="mig")["devices"]
    assert (first["mig"], second["mig"], second["parts"]) == (True, False, [])
    assert first["parts"] == [
        {"uuid": f"MIG-0.{n}", "name": f"FAKE 80GB MIG 0.{n}", "memory_bytes": 10 * GIB}
        for n in (0, 2)
    ]


def test_a_lost_gpu_leaves_the_others(asked: Asked) -> None:
    told = asked(nvidia="lost")
    assert [one["index"] for one in told["devices"]] == [0, 2]
    assert told["unread"][0] == "nvidia 1: the driver does not answer for it"


def test_names_that_the_package_lacks(asked: Asked) -> None:
    """Every fact but the number of GPUs is unknown; none of it is an error."""
    first, _ = asked(nvidia="bare")["devices"]
    assert first["name"] == ""
    assert first["memory_bytes"] is first["mig"] is None


def test_names_in_bytes(asked: Asked) -> None:
    assert asked(nvidia="bytes")["devices"][0]["name"] == "FAKE 80GB"


def test_two_amd_gpus_and_xgmi(asked: Asked) -> None:
    told = asked(amd="two")
    first, second = told["devices"]
    assert (first["ordinal"], second["ordinal"]) == (1, 1), "HIP's own number, else the place"
    expected = {"name": "FAKE Instinct", "architecture": "gfx942", "memory_bytes": 196_592 << 20}
    assert first.items() >= {**expected, "pci": "0000:c1:00.0", "pcie_generation": None}.items()
    assert told["links"] == [
        {"first": 0, "second": 1, "kind": "xgmi", "path": "1 hop", "count": None}
    ]
    assert told["drivers"] == [{"vendor": "amd", "version": "6.16.1", "runtime": "ROCm 7.0.2"}]
    assert told["unread"] == []


def test_both_vendors(asked: Asked) -> None:
    told = asked(nvidia="two", amd="two")
    assert [one["vendor"] for one in told["devices"]] == ["nvidia", "nvidia", "amd", "amd"]
    assert [(one["first"], one["second"]) for one in told["links"]] == [(0, 1), (2, 3)]


@pytest.mark.parametrize(
    ("kinds", "words"),
    [
        ({"nvidia": "missing"}, "nvidia: the package nvidia-ml-py is not installed: pip install"),
        ({"nvidia": "no driver"}, "nvidia: NVMLError: NVML Shared Library Not Found"),
        ({"nvidia": "no such name"}, "nvidia: KeyError: 'libnvidia-ml.so'"),
        ({"nvidia": "crashes"}, "devices: what asks for them ended without an answer (signal 6)"),
        ({"amd": "missing"}, "amd: the package amdsmi is not installed: pip install amdsmi"),
        ({"amd": "no library"}, "amd: KeyError: 'libamd_smi.so'"),
        ({"amd": "no driver"}, "amd: OSError: AMDSMI_STATUS_NOT_INIT"),
    ],
    ids=lambda value: " ".join(value.values()) if isinstance(value, dict) else "",
)
def test_a_failure_is_one_sentence(
    kinds: dict[str, str], words: str, asked: Asked, capfd: pytest.CaptureFixture[str]
) -> None:
    told = asked(**kinds)
    assert (told["devices"], told["links"]) == ([], [])
    assert told["unread"][0].startswith(words)
    assert capfd.readouterr() == ("", ""), "what the library prints is nobody's"


def test_what_a_library_prints_is_lost(asked: Asked, capfd: pytest.CaptureFixture[str]) -> None:
    assert len(asked(nvidia="prints")["devices"]) == 2
    assert capfd.readouterr() == ("", "")


def test_one_vendors_failure_leaves_the_other(asked: Asked) -> None:
    told = asked(nvidia="no driver", amd="two")
    assert [one["vendor"] for one in told["devices"]] == ["amd", "amd"]
    assert told["unread"][0].startswith("nvidia: ")


def test_a_hang_ends(machine: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(devices, "FACTS_SECONDS", 0.5)
    machine(nvidia="hangs")
    probe = devices.Probe()
    child = probe._child
    assert child
    told = probe.facts()
    assert told == {**NOTHING, "unread": ["devices: no answer within 0.5 seconds"]}
    assert child.poll() == -signal.SIGKILL
    probe.close()


def test_nobody_waits_before_facts_are_asked_for(machine: Make) -> None:
    """The start does not wait for the answer: a hanging library does not either."""
    machine(nvidia="hangs")
    probe = devices.Probe()
    assert not probe.is_answered()
    assert probe.readings() == []
    probe.close()
    probe.close()


def test_the_driver_knows_the_programs_numbers(asked: Asked, cuda: Path) -> None:
    """They go by the bus. Integrated and pageable access are the driver's to tell."""
    told = asked(nvidia="two", libcuda=cuda)
    shown = [
        (one["index"], one["ordinal"], one["numbered_by"], one["pageable_access"], one["name"])
        for one in told["devices"]
    ]
    assert shown == [(0, 1, "cuda", False, "FAKE 80GB"), (1, 0, "cuda", True, "FAKE 80GB")]
    assert {one["integrated"] for one in told["devices"]} == {False}
    assert told["drivers"][0]["version"] == "580.1"
    assert told["unread"] == []


@pytest.mark.parametrize(("seen", "ordinals"), [("one", [None, 0]), ("none", [None, None])])
def test_devices_hidden_from_the_program(
    seen: str, ordinals: list[int | None], asked: Asked, cuda: Path
) -> None:
    told = asked(nvidia="two", libcuda=cuda, cuda=seen)
    assert [one["ordinal"] for one in told["devices"]] == ordinals
    assert told["unread"] == []


def test_the_driver_alone(asked: Asked, cuda: Path) -> None:
    """Without the package there are fewer facts, and it is said how to have more."""
    told = asked(nvidia="missing", libcuda=cuda)
    first, _ = told["devices"]
    assert first["name"] == "FAKE by CUDA 1"
    assert first["uuid"] == "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f"
    assert (first["memory_bytes"], first["architecture"]) == (1001, "9.0")
    assert told["drivers"] == [{"vendor": "nvidia", "version": "", "runtime": "CUDA 12.8"}]
    assert ["pip install nvidia-ml-py" in one for one in told["unread"]] == [True]


def test_a_driver_that_does_not_start(asked: Asked, cuda: Path) -> None:
    told = asked(nvidia="two", libcuda=cuda, cuda="broken")
    assert [one["numbered_by"] for one in told["devices"]] == ["nvml", "nvml"]
    assert told["unread"] == [f"{NO_CUDA.partition('(')[0]}(cuInit returned 999)"]


@pytest.mark.parametrize("executable", ["", None, "/opt/app/uwsgi", "/no/python3"])
def test_a_program_that_is_no_python_is_not_started_again(
    executable: str | None, machine: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen program would run twice. One that names a Python which is not there: as bad."""
    machine(nvidia="two")
    monkeypatch.setattr(sys, "executable", executable)
    probe = devices.Probe()
    told = probe.facts()
    assert told["devices"] == []
    [why] = told["unread"]
    named = "could be started" if executable and "python" in executable else "is no Python"
    assert named in why


def test_facts_of_a_process_are_asked_for_once(
    machine: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine(nvidia="two")
    started = devices.facts()
    assert len(started["devices"]) == 2
    monkeypatch.setattr(devices, "NODES", {})
    assert devices.facts() == started
    assert devices.of_this_process() is devices.of_this_process()


def test_a_forked_process_leaves_the_answer_to_its_parent(machine: Make) -> None:
    machine(nvidia="hangs")
    probe = devices.Probe()
    child = os.fork()
    if child == 0:
        told = probe.facts()["unread"]
        os._exit(told != ["devices: not asked again by a process that was forked"])
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert not probe.is_answered()
    probe.close()


def test_the_folder_one_works_in_is_not_imported_from(
    machine: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pynvml.py or json.py that lies there is not the package."""
    machine(nvidia="two")
    for name in ("pynvml.py", "json.py", "select.py"):
        (tmp_path / name).write_text("raise SystemExit('imported')\n")
    monkeypatch.chdir(tmp_path)
    probe = devices.Probe()
    assert len(probe.facts()["devices"]) == 2
    probe.close()


def test_the_child_is_not_recorded(machine: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    machine(nvidia="two")
    monkeypatch.setenv("LD_PRELOAD", "/nowhere/libsynctrace_recorder.so")
    given: list[dict[str, str]] = []
    popen = subprocess.Popen

    def start(command: list[str], **options: Any) -> Any:
        given.append(options["env"])
        return popen(command, **options)

    monkeypatch.setattr(subprocess, "Popen", start)
    probe = devices.Probe()
    assert len(probe.facts()["devices"]) == 2
    probe.close()
    assert "LD_PRELOAD" not in given[0]
    assert given[0]["FAKE_NVML"] == "two"


def test_the_child_ends_with_its_parent(machine: Make) -> None:
    """Also one that was killed: nothing is left behind that samples for ever."""
    machine(nvidia="two")
    script = (
        "import os, time\nfrom synctrace.tracer.machine import devices\n"
        "devices.NODES = {'nvidia': ('/dev/null',)}\n"
        "probe = devices.Probe(0.01)\nprobe.facts()\n"
        "print(probe._child.pid, flush=True)\ntime.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        child = int(parent.stdout.readline())
        parent.kill()
    for _ in range(200):
        if not _runs(child):
            break
        time.sleep(0.05)
    assert not _runs(child)


def _runs(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


@pytest.mark.parametrize(
    ("key", "kind"), [("devices", Device), ("links", Link), ("drivers", Driver)]
)
def test_every_key_of_an_object_is_documented(key: str, kind: Any) -> None:
    for field in fields(kind):
        assert f"`{field.name}`" in META_OBJECTS[key]


def test_facts_add_up() -> None:
    one = Facts((Device("nvidia", 0, 0, "nvml", "a"),), (), (Driver("nvidia", "1", ""),), ("x",))
    two = Facts(
        tuple(Device("amd", i, i, "amdsmi", "b") for i in range(2)), (Link(0, 1, "xgmi"),), ()
    )
    total = one + two
    assert [device.name for device in total.devices] == ["a", "b", "b"]
    assert total.links == (Link(1, 2, "xgmi"),)
    assert json.loads(json.dumps(total.meta()))["unread"] == ["x"]
