"""`record --sample`: the machine beside the calls, of a program that is really recorded.

The threads are real; the GPUs are the fakes of tests/machine_facts, whose answers are made up.
"""

import subprocess
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from gpus import pretend

import synctrace
from synctrace.analyzer.api import open_trace
from synctrace.analyzer.cli import main
from synctrace.analyzer.saved_query import saved
from synctrace.tracer.launch import record
from synctrace.tracer.machine import devices

from .conftest import StandIn

Row = dict[str, Any]


def run_for(seconds: float, fake: StandIn, out: Path, **options: Any) -> Path:
    """The trace of a program that makes tokens for so long, under another that waits for it."""
    done = record(["timeout", str(seconds), *fake.command("forever", 200)], str(out), **options)
    assert done.exit_code == 124, done.message
    return done.traces[0]


def asked(path: Path, sql: str) -> list[Row]:
    rows: list[Row] = open_trace(path).query(sql).to_pylist()
    return rows


def test_threads_are_sampled(fake: StandIn, tmp_path: Path) -> None:
    path = run_for(0.6, fake, tmp_path / "t", sample_seconds=0.02)
    rows = asked(path, "FROM sample ORDER BY read_ns")
    cpu = [row["value"] for row in rows if row["counter"] == "cpu_ns"]
    assert len(cpu) >= 3
    assert cpu == sorted(cpu)
    assert cpu[-1] > cpu[0]
    [thread] = asked(path, "SELECT DISTINCT thread FROM op")
    assert {row["thread"] for row in rows} == {thread["thread"]}
    [span] = asked(path, "SELECT min(entered_ns) AS a, max(returned_ns) AS b FROM op")
    inside = [row for row in rows if span["a"] <= row["read_ns"] <= span["b"]]
    assert len(inside) >= len(rows) / 2, "one clock"


def test_what_an_iteration_takes(fake: StandIn, tmp_path: Path) -> None:
    """It cannot be more than the thread has taken in all, nor nothing."""
    path = run_for(0.6, fake, tmp_path / "t", sample_seconds=0.02)
    cpu, waiting = asked(path, saved()["machine"])
    assert (cpu["counter"], waiting["counter"]) == ("cpu_ns", "waiting_ns")
    assert 0 < cpu["per_iteration"] < cpu["most"] - cpu["least"]
    assert cpu["readings"] >= 3


def test_nothing_is_sampled_unasked(fake: StandIn, tmp_path: Path) -> None:
    path = run_for(0.1, fake, tmp_path / "t")
    assert asked(path, "FROM sample") == []
    assert asked(path, saved()["machine"]) == []


def test_gpus_are_sampled_and_told(
    fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, nvidia="two")
    path = run_for(1.0, fake, tmp_path / "t", sample_seconds=0.02)
    mean = "SELECT device, avg(value) AS mean FROM sample WHERE counter = 'busy_percent'"
    rows = asked(path, f"{mean} GROUP BY device ORDER BY device")
    assert [(row["device"], row["mean"]) for row in rows] == [(0, 37.0), (1, 38.0)]
    meta = open_trace(path).meta
    assert [one["uuid"] for one in meta["devices"]] == ["GPU-00000000", "GPU-00000001"]
    assert meta["drivers"] == [{"vendor": "nvidia", "version": "580.1", "runtime": "CUDA 13.0"}]
    assert meta["links"][0]["kind"] == "nvlink"
    assert meta["complete"], "what is not known of the machine is no loss of records"


def test_the_query_of_the_page(
    fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (Path(__file__).parents[2] / "docs/commands.md").read_text(encoding="utf-8")
    [sql] = [part.split("```")[0] for part in page.split("```sql\n")[1:] if "FROM sample" in part]
    pretend(monkeypatch, nvidia="two")
    path = run_for(1.0, fake, tmp_path / "t", sample_seconds=0.01)
    rows = asked(path, sql)
    assert sorted((row["device"], row["busy_percent"]) for row in rows) == [(0, 37.0), (1, 38.0)]
    assert all(row["readings"] > 0 < row["iterations"] for row in rows)


def test_a_program_shorter_than_the_answer_has_the_facts(
    fake: StandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """Also one behind another that starts it. What the library prints is not in its output."""
    pretend(monkeypatch, nvidia="prints", amd="no library")
    for start in ([], ["sh", "-c", 'exec "$@"', "sh"], ["sh", "-c", '"$@"; sleep 0', "sh"]):
        out = tmp_path / f"t{len(start)}{'exec' in ' '.join(start)}"
        done = record([*start, *fake.command("tokens", 2)], str(out), quiet=True)
        assert (done.exit_code, done.message) == (0, "")
        meta = open_trace(done.traces[0]).meta
        assert len(meta["devices"]) == 2
        assert meta["unread"][-1] == "amd: KeyError: 'libamd_smi.so'"
    assert capfd.readouterr() == ("done tokens 2\n" * 3, "to stderr\n" * 3)


@pytest.mark.parametrize(("seconds", "quiet"), [(0.02, False), (0.02, True), (0.0, False)])
def test_what_was_asked_for_and_cannot_be_read_is_told(
    seconds: float,
    quiet: bool,
    fake: StandIn,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Once more than in meta.json, but not to those who did not ask."""
    pretend(monkeypatch, amd="missing")
    command = fake.command("tokens", 2)
    done = record(command, str(tmp_path / "t"), sample_seconds=seconds, quiet=quiet)
    told = "not sampled: amd: the package amdsmi is not installed: pip install amdsmi"
    assert (told in done.message.splitlines()) == bool(seconds and not quiet)
    assert open_trace(done.traces[0]).meta["unread"] == [told.removeprefix("not sampled: ")]


def test_a_driver_that_hangs_costs_seconds_and_no_trace(
    fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, nvidia="hangs")
    monkeypatch.setattr("synctrace.tracer.machine.devices.FACTS_SECONDS", 0.3)
    done = record(fake.command("tokens", 2), str(tmp_path / "t"))
    assert done.exit_code == 0
    trace = open_trace(done.traces[0])
    assert trace.meta["complete"]
    assert trace.meta["unread"] == ["devices: no answer within 0.3 seconds"]


def test_every_process_has_samples_of_its_own(fake: StandIn, tmp_path: Path) -> None:
    script = 'timeout 0.5 "$@" & timeout 0.5 "$@" & wait'
    command = ["sh", "-c", script, "sh", *fake.command("forever", 200)]
    done = record(command, str(tmp_path / "%p"), sample_seconds=0.02)
    assert len(done.traces) == 2
    threads = [
        {row["subject"] for row in asked(path, "SELECT DISTINCT subject FROM sample")}
        for path in done.traces
    ]
    assert [len(one) for one in threads] == [1, 1]
    assert threads[0] != threads[1]


def test_a_program_that_records_itself_is_sampled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, nvidia="two")
    with synctrace.record(tmp_path / "t", sample=0.02):
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            synctrace.mark("turn")
            time.sleep(0.001)
    rows = asked(tmp_path / "t", "FROM sample")
    assert {row["source"] for row in rows} == {"thread", "nvidia"}
    own = [row for row in rows if row["subject"] == str(threading.get_native_id())]
    assert {row["thread"] is None for row in own} == {False}
    assert len(own) > 10, "two counters, more often than rings are drained"
    assert len(open_trace(tmp_path / "t").meta["devices"]) == 2


def test_a_program_that_records_itself_often_asks_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pretend(monkeypatch, nvidia="two")
    for n in range(2):
        with synctrace.record(tmp_path / f"t{n}"):
            synctrace.mark("turn")
        assert len(open_trace(tmp_path / f"t{n}").meta["devices"]) == 2
        nothing_starts = SimpleNamespace(TimeoutExpired=subprocess.TimeoutExpired)
        monkeypatch.setattr(devices, "subprocess", nothing_starts)


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "0.001", "often"])
def test_an_interval_that_is_none(seconds: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["record", "--sample", seconds, "--", "true"])
    assert left.value.code == 2
    assert "--sample" in capsys.readouterr().err


def test_the_interval_can_stand_in_the_settings(
    fake: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("synctrace.toml").write_text("[record]\nsample = 0.02\n")
    with pytest.raises(SystemExit):
        main(["record", "-o", "t", "--", "timeout", "0.3", *fake.command("forever", 200)])
    assert len(asked(tmp_path / "t", "FROM sample")) >= 2
