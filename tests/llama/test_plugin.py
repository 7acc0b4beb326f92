"""Unmodified llama.cpp recorded as its own backend plug-in: the same ops as by name, bar a few."""

import sys
from collections import Counter
from pathlib import Path

import pytest
from routes import told, with_slots

from synctrace.tracer.kinds import Kind
from synctrace.tracer.reader import open_trace

from .conftest import Llama
from .recording import environment, races, recorded, report, run

pytestmark = pytest.mark.lavapipe

CONFIGURATIONS = [
    pytest.param((1, 99, {}, []), id="one-device"),
    pytest.param((1, 99, {"LLAMA_GRAPH_REUSE_DISABLE": "1"}, []), id="one-device-no-reuse"),
    pytest.param((2, 99, {}, []), id="two-devices"),
    pytest.param((1, 2, {}, []), id="partial-offload"),
    pytest.param((2, 99, {}, [128, 16]), id="two-devices-eight-ubatches"),
]


@pytest.fixture(scope="module", params=CONFIGURATIONS)
def routes(
    request: pytest.FixtureRequest, llama: Llama, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, Path]:
    """One run by name and one by slots, of the same output as the program alone."""
    devices, layers, more, prompt = request.param
    env = environment(devices, **more)
    command = llama.command(layers, 8, *prompt)
    plain = run(command, env)
    assert plain.returncode == 0, plain.stderr
    folder = tmp_path_factory.mktemp("routes")
    traces = (folder / "preload.synctrace", folder / "plugin.synctrace")
    for trace in traces:
        assert recorded(command, trace, env, "--via", trace.stem) == plain.stdout
        assert open_trace(trace).complete
        assert open_trace(trace).meta["via"] == trace.stem
    return traces


def test_the_same_ops_as_by_name(routes: tuple[Path, Path]) -> None:
    """Each with the same bytes, in the same order."""
    by_name, by_slot = (told(open_trace(trace)) for trace in routes)
    assert by_slot == with_slots(by_name)


def test_no_race_and_no_sync_called_needless_that_is_not(routes: tuple[Path, Path]) -> None:
    """What the host stores between two calls is not seen: fewer syncs can be proven needless."""
    by_name, by_slot = (report(trace) for trace in routes)
    assert races(by_slot) == []
    assert needless(by_slot) <= needless(by_name)
    assert coverage(by_slot)["launches_without_host_stores"] == launches(routes[1])
    assert coverage(by_slot)["buffers_without_free"] == 0
    assert coverage(by_name)["launches_without_host_stores"] == 0


@pytest.mark.parametrize("visibility", ["local", "global"])
def test_python_host(llama: Llama, tmp_path: Path, visibility: str) -> None:
    env = environment(1)
    host = str(Path(__file__).with_name("host.py"))
    command = [sys.executable, host, str(llama.libraries), str(llama.model), "99", "6", visibility]
    trace = tmp_path / "run.synctrace"
    assert recorded(command, trace, env, "--via", "plugin") == run(command, env).stdout
    assert races(report(trace)) == []
    assert launches(trace) == 14


def needless(found: dict[str, object]) -> set[str]:
    findings = found["findings"]
    assert isinstance(findings, list)
    return {f["id"] for f in findings if f["family"] == "sync"}


def coverage(found: dict[str, object]) -> dict[str, int]:
    counters = found["coverage"]
    assert isinstance(counters, dict)
    return counters


def launches(trace: Path) -> int:
    return Counter(op.kind for op in told(open_trace(trace)))[Kind.GRAPH_LAUNCH]
