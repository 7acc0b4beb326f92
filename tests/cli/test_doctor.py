"""`doctor`: what it says of machines that are made up here, and that it works on this one."""

import json
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from gpus import pretend

from synctrace.analyzer import (
    checkup,
    checkup_analyzer,
    checkup_machine,
    checkup_recordable,
    checkup_recorder,
)
from synctrace.analyzer.checkup import Check, Checkup
from synctrace.tracer import unpackers
from synctrace.tracer.errors import EXIT_RECORDER, SynctraceError
from synctrace.tracer.machine.facts import Device, Driver, Facts, Link, Part

from .test_cli import called, synctrace

H200 = Device(
    vendor="nvidia",
    index=0,
    ordinal=0,
    numbered_by="cuda",
    name="NVIDIA H200",
    pci="0000:1a:00.0",
    architecture="9.0",
    memory_bytes=140 << 30,
    pcie_generation=5,
    pcie_width=16,
    integrated=False,
    pageable_access=False,
    mig=False,
)
GH = Device("nvidia", 1, None, "cuda", "GH200\x1b[31m", pageable_access=True, integrated=True)
MI = Device("amd", 0, 2, "amdsmi", "", mig=True, parts=(Part("a", "b", 1), Part("c", "d", 2)))
FACTS = Facts(
    (H200, GH, MI),
    (Link(0, 1, "nvlink", "nvswitch", 18), Link(0, 2, "pcie")),
    (Driver("nvidia", "580.159", "CUDA 13.0"), Driver("amd", "", "")),
    ("amd: the package amdsmi is not installed: pip install amdsmi", "devices: no answer"),
).meta()


@pytest.fixture(autouse=True)
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine has none, whatever it has, unless the test says so."""
    pretend(monkeypatch)
    monkeypatch.setattr(checkup_machine, "PCI", Path("/nowhere"))


def states(checks: Iterator[Check]) -> dict[str, str]:
    return {check.name: check.state for check in checks}


def test_this_machine(capsys: pytest.CaptureFixture[str]) -> None:
    """Recorder and engine are really tried: both must work where the tests run."""
    done = called(capsys, "doctor")
    lines = done.stdout.splitlines()
    assert done.returncode == 0, done.stdout
    assert lines[-1].startswith("synctrace: works here, ")
    assert max(map(len, lines)) <= 100
    assert [line for line in lines if line and not line.startswith((" ", "synctrace"))] == [
        *("This machine", "Recorder", "Analyzer", "What can be recorded here")
    ]
    for told in (
        *("stands before ggml in a small program", "a small program recorded itself"),
        "finds the race in a small scenario",
    ):
        assert f"  {told}" in done.stdout


def test_in_a_process_of_its_own(tmp_path: Path) -> None:
    """Nothing but the answer is printed, nothing is left behind."""
    done = synctrace("doctor", "-F", "json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert list(told) == ["schema", "works", "checks", "devices", "links", "drivers", "unread"]
    assert told["works"] is True
    assert list(told["checks"][0]) == ["part", "name", "state", "text", "remedy"]
    assert list(tmp_path.iterdir()) == []


WANTED = """\
This machine
  ok      system         Linux
  gap     GPUs           none answers
                         -> start it again, which is a long sentence that goes on and on and must be
                            broken where it does not fit a line

Recorder
  broken  library        is \\x1b gone
                         -> install it

What can be recorded here
  later   CUDA, HIP      not yet

synctrace: 1 broken, 1 gap
"""


def test_the_form_of_the_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    long = "which is a long sentence that goes on and on and must be broken where it does not fit"
    checks = (
        Check("machine", "system", "ok", "Linux"),
        Check("machine", "GPUs", "gap", "none answers", f"start it again, {long} a line"),
        Check("recorder", "library", "broken", "is \x1b gone", "install it"),
        Check("record", "CUDA, HIP", "later", "not yet"),
    )
    monkeypatch.setattr(checkup, "examine", lambda: Checkup(checks, {}))
    done = called(capsys, "doctor")
    assert (done.returncode, done.stdout) == (1, WANTED)


def test_gaps_alone_are_no_failure(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    checks = (Check("machine", "GPUs", "gap", "none answers"),)
    monkeypatch.setattr(checkup, "examine", lambda: Checkup(checks, {}))
    done = called(capsys, "doctor")
    assert done.returncode == 0
    assert done.stdout.endswith("\nsynctrace: works here, 1 gap\n")


def test_gpus_in_words() -> None:
    told = [(c.name, c.state, c.text, c.remedy) for c in checkup_machine.gpus(FACTS)]
    hidden = "GH200\x1b[31m, shares the host's memory, reads pageable memory by itself"
    assert told == [
        ("GPU 0", "ok", "NVIDIA H200, 140 GiB, 9.0, 0000:1a:00.0, PCIe 5 x16", ""),
        ("GPU hidden", "ok", f"{hidden}, not visible to programs started here", ""),
        ("GPU 2", "ok", "amd, MIG in 2 parts", ""),
        ("link", "ok", "GPU 0 and GPU hidden: nvlink, 18 lanes, nvswitch", ""),
        ("link", "ok", "GPU 0 and GPU 2: pcie", ""),
        ("driver", "ok", "nvidia 580.159, serves up to CUDA 13.0", ""),
        ("driver", "ok", "amd of unknown version", ""),
        ("GPUs", "gap", "amd: the package amdsmi is not installed", "pip install amdsmi"),
        ("GPUs", "gap", "devices: no answer", ""),
    ]


def test_fakes_of_gpus_reach_the_answer(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pretend(monkeypatch, nvidia="two", amd="no library")
    done = called(capsys, "doctor", "-F", "json")
    told = json.loads(done.stdout)
    assert [one["name"] for one in told["devices"]] == ["FAKE 80GB", "FAKE 80GB"]
    gaps = [c for c in told["checks"] if c["state"] == "gap" and c["part"] == "machine"]
    assert gaps[-1]["text"] == "amd: KeyError: 'libamd_smi.so'"
    assert "amd-smi-lib" in gaps[-1]["remedy"]
    assert done.returncode == 0


def a_bus(folder: Path, *devices_: tuple[str, str]) -> Path:
    for number, (vendor, kind) in enumerate(devices_):
        device = folder / f"0000:0{number}:00.0"
        device.mkdir()
        (device / "vendor").write_text(f"{vendor}\n")
        (device / "class").write_text(f"{kind}\n")
    (folder / "0000:09:00.0").mkdir()  # one that cannot be read
    return folder


def test_a_gpu_without_its_driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bus = a_bus(tmp_path, ("0x10de", "0x030200"), ("0x10de", "0x068000"), ("0x8086", "0x030000"))
    monkeypatch.setattr(checkup_machine, "PCI", bus)
    [gap] = checkup_machine.gpus(Facts().meta())
    assert gap.text == "one of nvidia is on the PCI bus, but no driver of it is loaded"
    assert "--gpus all" in gap.remedy
    pretend(monkeypatch, nvidia="missing")
    assert list(checkup_machine.gpus(Facts().meta())) == []


def test_a_machine_without_gpus() -> None:
    [check] = checkup_machine.gpus(Facts().meta())
    assert (check.state, check.text) == ("ok", "none of NVIDIA or AMD")


@pytest.mark.parametrize(
    ("release", "state"),
    [("6.7.0-x", "ok"), ("6.18.44", "ok"), ("6.1", "later"), ("?", "later")],
)
def test_write_tracking(release: str, state: str) -> None:
    check = checkup_machine._write_tracking(release)
    assert check.state == state and "--watch track" in check.text


def test_a_library_that_was_not_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> Path:
        raise SynctraceError("x.so is missing: install synctrace again", EXIT_RECORDER)

    monkeypatch.setattr(checkup_recorder, "recorder_library", missing)
    check = checkup_recorder._library()
    assert (check.state, check.text) == ("broken", "x.so is missing")
    assert check.remedy == "install synctrace again"


def test_a_library_that_does_not_load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "lib.so").write_text("no library")
    monkeypatch.setattr(checkup_recorder, "recorder_library", lambda: tmp_path / "lib.so")
    check = checkup_recorder._library()
    assert check.state == "broken"
    assert check.text.startswith("a small program failed (exit code 1, ")


def test_a_library_that_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is there and loads, but the name means something else."""
    monkeypatch.setattr(checkup_recorder, "_TRIAL", "print('passed over')")
    check = checkup_recorder._library()
    assert (check.state, check.text) == ("broken", "a small program passes it over")


def test_a_trial_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup_recorder, "_TRIAL", "import time; time.sleep(60)")
    monkeypatch.setattr(checkup_recorder, "TRIAL_SECONDS", 0.5)
    check = checkup_recorder._library()
    assert check.text == "a small program did not end within 0.5 seconds"
    assert check.state == "broken"


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("import sys; sys.exit('no room')", "failed (exit code 1, no room)"),
        ("import os; os.abort()", "failed (exit code -6, no message)"),
        (
            checkup_recorder._OWN_TRIAL + "    synctrace.host_read(bytearray(64))",
            "recorded 2 of 1 operations",
        ),
    ],
)
def test_a_program_that_does_not_record_itself(
    program: str, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkup_recorder, "_OWN_TRIAL", program)
    check = checkup_recorder._in_process()
    assert (check.state, check.text) == ("broken", f"a small program {told}")


def test_little_shared_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("synctrace.tracer.ring_folder.SHARED", tmp_path / "none")
    check = checkup_recorder._room()
    assert check.state == "gap"
    assert "--shm-size" in check.remedy

    def full() -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(checkup_recorder.tempfile, "TemporaryFile", full)
    assert checkup_recorder._room().state == "broken"


@pytest.mark.parametrize(
    ("limit", "state"), [(256, "gap"), (1024, "ok"), (resource.RLIM_INFINITY, "ok")]
)
def test_descriptors(limit: int, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup_recorder.resource, "getrlimit", lambda _: (limit, limit))
    assert checkup_recorder._descriptors().state == state


@pytest.mark.parametrize(
    ("limit", "told"), [(1 << 20, ["gap"]), (1 << 40, []), (resource.RLIM_INFINITY, [])]
)
def test_file_size(limit: int, told: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup_recorder.resource, "getrlimit", lambda _: (limit, limit))
    assert [check.state for check in checkup_recorder._file_size()] == told


def test_tools_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup_recorder.shutil, "which", lambda _: None)
    assert states(checkup_recorder.checks())["symbols"] == "gap"


def test_what_cannot_be_recorded_without_a_recorder() -> None:
    told = states(checkup_recordable.checks(Facts().meta(), recorder_works=False))
    programs = ("ggml by name", "ggml plug-in", "Python, C", "CUDA", "HIP")
    assert {told[name] for name in programs} == {"broken"}


def test_code_of_kernels_that_cannot_be_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    for library, state in (("libc.so.6", "ok"), ("libnowhere.so.1", "gap")):
        monkeypatch.setattr(unpackers, "UNPACKERS", (library,))
        checks = checkup_recordable.checks(Facts().meta(), recorder_works=True)
        [check] = [check for check in checks if check.name == "HIP kernels"]
        assert (check.state, "apt-get install" in check.remedy) == (state, state == "gap")


@pytest.mark.parametrize(
    ("drivers", "told"),
    [
        ((Driver("nvidia", "580", "CUDA 13.0"),), "the driver here serves CUDA 13.0"),
        ((Driver("amd", "1", "ROCm 7.0.2"), Driver("nvidia", "", "CUDA 12.8")), "CUDA 12.8"),
        ((Driver("amd", "1", "ROCm 7.0.2"),), "NVIDIA's driver only, and there is none"),
        ((), "NVIDIA's driver only, and there is none"),
    ],
)
def test_cuda_by_its_driver(drivers: tuple[Driver, ...], told: str) -> None:
    facts = Facts((), (), drivers).meta()
    [check] = [c for c in checkup_recordable.checks(facts, True) if c.name == "CUDA"]
    assert check.state == "ok" and told in check.text


@pytest.mark.parametrize(("found", "state"), [(True, "ok"), (False, "gap")])
def test_device_times_by_cupti(found: bool, state: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cupti = [Path("/opt/libcupti.so.13")] if found else []
    monkeypatch.setattr(checkup_recordable, "candidates", lambda *_: iter(cupti))
    facts = Facts((), (), (Driver("nvidia", "580", "CUDA 13.0"),)).meta()
    [check] = [c for c in checkup_recordable.checks(facts, True) if c.name == "CUDA device times"]
    assert check.state == state and ("pip install" in check.remedy) == (not found)


@pytest.mark.parametrize(
    ("driver", "package"),
    [
        (Driver("nvidia", "1", "CUDA 12.8"), "cupy-cuda12x"),
        (Driver("nvidia", "1", ""), "cupy-cuda13x"),
        (Driver("amd", "1", "ROCm 7.0.2"), "cupy-rocm-7-0"),
    ],
)
def test_cupy_for_the_driver(driver: Driver, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkup_recordable, "find_spec", lambda _: None)
    facts = Facts((H200,), (), (driver,)).meta()
    [check] = [c for c in checkup_recordable.checks(facts, True) if c.name == "CuPy"]
    assert (check.state, check.remedy) == ("gap", f"pip install {package}")


def test_an_engine_that_misjudges(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(checkup_analyzer, "_judged", list)
    done = called(capsys, "doctor")
    assert done.returncode == 1
    assert "broken  engine         finds nothing where there is a race" in done.stdout


@pytest.mark.parametrize("package", ["pyarrow", "duckdb"])
def test_a_package_that_does_not_load(package: str, tmp_path: Path) -> None:
    """doctor is for that too: it needs neither itself."""
    (tmp_path / f"{package}.py").write_text("raise ImportError('wrong ABI')\n")
    done = synctrace("doctor", PYTHONPATH=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr == ""
    assert "wrong ABI" in done.stdout
    assert "-> install synctrace again" in done.stdout


def test_what_nobody_foresaw_is_told_in_its_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: Any) -> Iterator[Check]:
        raise RuntimeError("odd machine")

    monkeypatch.setattr(checkup_machine, "gpus", fail)
    done = called(capsys, "doctor")
    assert done.returncode == 0
    assert "gap     machine        cannot be looked at (RuntimeError: odd machine)" in done.stdout
    assert "finds the race in a small scenario" in done.stdout
