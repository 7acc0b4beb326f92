"""llama.cpp PR 25863: on a GPU that shares the host's memory, kernels read inputs where they lie,
in pinned memory, and the host sets those of the next ubatch meanwhile.

llama.cpp v0.4.0 has this race, as it was released: nothing is put into it here but the device's own
word that it is integrated. Later releases copy inputs again, and are silent. The stand-in proves
what calls are made in which order, from where and on which bytes; that a real APU's kernel is still
at it then, and that wrong tokens come of it, only such a machine can show (they do: the PR).
"""

import subprocess
from pathlib import Path

import pytest

from hip.conftest import LlamaRocm
from hip.software import Recorded, Software, errors, races
from hip.standin.build import CFLAGS, StandIn
from hip.standin.stubs import stubs
from hip.wheels import wheel
from synctrace.tracer.kinds import Kind, Level

HERE = Path(__file__).parent
UBATCHES = (99, 2, 128, 16)  # seven times the next ubatch's inputs are set; the tokens wait
LEVELS = ["all", "ggml", "api"]
# The findings of the levels recorded: profile, level, calls of the host that set what is read.
SET = {"ggml_backend_tensor_set", "host_inputs"}
TOLD = {
    "all": ("hip-doc,ggml-contract", "api", SET),
    "ggml": ("ggml-contract", "ggml", SET),
    # No call of HIP stores: what the bytes say when the host waits next.
    "api": ("hip-doc", "api", {"pending_sources"}),
}


def calls(run: Recorded, op: int) -> str:
    return next(str(one["name"]) for one in run.ops if one["id"] == op)


@pytest.mark.parametrize("level", LEVELS)
def test_the_race_of_a_release(llama_rocm: LlamaRocm, tmp_path: Path, level: str) -> None:
    run = llama_rocm("cyllama-0.4.9").record(
        tmp_path / "t", *UBATCHES, options=("--level", level), STANDIN_INTEGRATED="1"
    )
    assert run.trace.complete, run.trace.lost
    found = races(run.check())
    profile, told_level, setters = TOLD[level]
    assert found and {(f.verdict, f.profile, f.level) for f in found} == {
        ("certain", profile, told_level)
    }
    assert {calls(run, f.ops[1]) for f in found} == setters
    if level == "api":
        # First by kernels, then by a graph of them: tokens, positions, the mask.
        assert {f.rule for f in found} == {"RACE04", "RACE05"}
        readers = " ".join(calls(run, f.ops[0]) for f in found)
        assert "hipGraphLaunch" in readers
        assert all(name in readers for name in ("k_get_rows_float", "rope_norm", "soft_max_f32"))
        return
    assert {f.rule for f in found} == {"RACE05"} and {f.count for f in found} == {7}
    [tokens] = [f for f in found if f.memory and f.memory.name == "inp_tokens"]
    assert calls(run, tokens.ops[0]) == "ggml_backend_graph_compute_async"
    assert calls(run, tokens.ops[1]) == "ggml_backend_tensor_set"


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(("name", "integrated"), [("cyllama-0.4.9", "0"), ("cyllama-0.7.0", "1")])
def test_copied_inputs_are_silent(
    llama_rocm: LlamaRocm, tmp_path: Path, level: str, name: str, integrated: str
) -> None:
    """The same release where the GPU has its own memory, and one that copies on any GPU."""
    run = llama_rocm(name).record(
        tmp_path / "t", *UBATCHES, options=("--level", level), STANDIN_INTEGRATED=integrated
    )
    assert run.trace.complete, run.trace.lost
    assert races(run.check()) == []


@pytest.fixture(scope="module")
def in_place(standin: StandIn, tmp_path_factory: pytest.TempPathFactory) -> Software:
    """ggml_in_place.c, linked to ggml and its ROCm backend of the oldest wheel."""
    unpacked = wheel("cyllama")
    program = tmp_path_factory.mktemp("in-place") / "ggml_in_place"
    libraries = unpacked / "cyllama_rocm.libs"
    linked = [*libraries.glob("libggml-base-*"), *libraries.glob("libggml-hip-*")]
    paths = [f"-Wl,-rpath,{libraries}", "-Wl,--allow-shlib-undefined"]
    command = ["cc", *CFLAGS, HERE / "ggml_in_place.c", *linked, *paths, "-o", program]
    subprocess.run([str(word) for word in command], check=True)
    return Software((str(program),), standin, stubs(unpacked))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("graphs", [False, True], ids=["launches", "graphs"])
def test_by_the_public_api(in_place: Software, tmp_path: Path, level: str, graphs: bool) -> None:
    more = {} if graphs else {"GGML_CUDA_DISABLE_GRAPHS": "1"}
    options = ("--level", level)
    assert races(in_place.record(tmp_path / "f", "fixed", options=options, **more).check()) == []

    run = in_place.record(tmp_path / "r", "race", options=options, **more)
    assert run.trace.complete and (run.counts["hipGraphLaunch"] > 0) == graphs
    checked = run.check()
    found = errors(checked)
    assert found == races(checked)
    profile, told_level, setters = TOLD[level]
    assert {(f.verdict, f.profile, f.level) for f in found} == {("certain", profile, told_level)}
    assert {calls(run, f.ops[1]) for f in found} <= setters
    if level == "api":
        # The kernel's first argument is the input, and its code says that it is read.
        launch = run.of(Level.API, Kind.KERNEL)[0]
        assert "k_bin_bcast" in launch["name"]
        assert run.accesses(launch)[0]["memory"].startswith("pinned memory")
        assert run.accesses(launch)[0]["mode"] == 0
    else:
        [one] = found
        assert (one.rule, one.count) == ("RACE05", 2)
