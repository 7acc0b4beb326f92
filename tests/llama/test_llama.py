"""Unmodified llama.cpp, recorded and checked: right tokens, no race, in every configuration.

Lavapipe is a real asynchronous Vulkan device on the CPU: launches return before they ran. It proves
the recorder and the verdict on real scheduler runs. It does not show CUDA's or HIP's peer copies:
a copy between two of its devices is always refused and falls back to a blocking one.
"""

import json
import shutil
import sys
from pathlib import Path

import pytest

from .conftest import Llama
from .recording import environment, ops, races, recorded, report, rows, run

pytestmark = pytest.mark.lavapipe

CONFIGURATIONS = [
    pytest.param(1, 99, {}, [], id="one-device"),
    pytest.param(1, 99, {"LLAMA_GRAPH_REUSE_DISABLE": "1"}, [], id="one-device-no-reuse"),
    pytest.param(2, 99, {}, [], id="two-devices"),
    pytest.param(2, 99, {"LLAMA_GRAPH_REUSE_DISABLE": "1"}, [], id="two-devices-no-reuse"),
    pytest.param(4, 99, {}, [], id="four-devices"),
    pytest.param(1, 2, {}, [], id="partial-offload"),
    pytest.param(2, 99, {}, [128, 16], id="two-devices-eight-ubatches"),
]


@pytest.mark.parametrize(("devices", "layers", "more", "prompt"), CONFIGURATIONS)
def test_right_tokens_and_no_race(
    llama: Llama,
    tmp_path: Path,
    devices: int,
    layers: int,
    more: dict[str, str],
    prompt: list[int],
) -> None:
    env = environment(devices, **more)
    command = llama.command(layers, 8, *prompt)
    plain = run(command, env)
    assert plain.returncode == 0, plain.stderr
    trace = tmp_path / "run.synctrace"
    assert recorded(command, trace, env) == plain.stdout
    found = report(trace)
    assert found["complete"] is True
    assert races(found) == []
    assert ops(trace, "kind = 'graph_launch'") >= 9 * (1 + devices * (layers == 99))


@pytest.mark.parametrize("visibility", ["local", "global"])
def test_python_host(llama: Llama, tmp_path: Path, visibility: str) -> None:
    env = environment(1)
    host = str(Path(__file__).with_name("host.py"))
    command = [sys.executable, host, str(llama.libraries), str(llama.model), "99", "6", visibility]
    plain = run(command, env)
    assert plain.returncode == 0, plain.stderr
    trace = tmp_path / "run.synctrace"
    assert recorded(command, trace, env) == plain.stdout
    assert races(report(trace)) == []
    assert ops(trace, "kind = 'graph_launch'") >= 14


def test_node_host(llama: Llama, tmp_path: Path) -> None:
    """node-llama-cpp's own addon loads the model and makes a context under node."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node here: apt-get install nodejs")
    addon = llama.libraries / "llama-addon.node"
    script = f"""
        const addon = require({json.dumps(str(addon))});
        addon.setLogger(() => {{}});
        addon.loadBackends({json.dumps(str(llama.libraries))});
        (async () => {{
            await addon.init();
            const model = new addon.AddonModel({json.dumps(str(llama.model))}, {{gpuLayers: 99}});
            console.log(await model.init());
            const context = new addon.AddonContext(model, {{contextSize: 256, batchSize: 64}});
            console.log(await context.init());
            await context.dispose();
            await model.dispose();
        }})();
    """
    env = environment(1)
    command = [node, "-e", script]
    plain = run(command, env)
    assert plain.returncode == 0, plain.stderr
    trace = tmp_path / "run.synctrace"
    assert recorded(command, trace, env) == plain.stdout
    assert races(report(trace)) == []
    assert ops(trace, "true") > 10


def test_the_signature_of_a_token(llama: Llama, tmp_path: Path) -> None:
    """One device, newest scheduler: a sync before each of the split's input copies."""
    trace = tmp_path / "run.synctrace"
    recorded(llama.command(99, 8), trace, environment(1))
    [token] = rows(trace, "--saved", "signature")
    assert token["signature"] == "g[CPU]sascscscscscg[Vulkan0]"


@pytest.mark.lavapipe
def test_partial_offload_names_what_a_switch_of_backend_costs(llama: Llama, tmp_path: Path) -> None:
    trace = tmp_path / "run.synctrace"
    recorded(llama.command(2, 4), trace, environment(1))
    (row,) = rows(trace, "--saved", "boundaries")
    assert (row["from_backend"], row["to_backend"], row["switches"]) == ("CPU", "Vulkan0", 5)
    assert row["copies"] == 7
    (row,) = rows(trace, "SELECT DISTINCT after_operations FROM boundary")
    assert row["after_operations"].startswith("GET_ROWS RMS_NORM MUL")
