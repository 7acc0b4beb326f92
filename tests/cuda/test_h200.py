"""Traces of CUDA programs on an NVIDIA H200 (tests/gpu/cuda_counts.py), checked again.

They prove what the analyzer says of CUDA's own calls as they were recorded there; that recording
still gives such traces is proven only where there is such a machine. `torch` in eager mode
has no certain race, since what its kernels read and write is not known.
"""

from pathlib import Path

import pytest

from cuda.test_h200_jax import CALLS as JAX
from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked, Finding
from synctrace.analyzer.report.text import finding_lines
from synctrace.tracer.kinds import Flag, Level
from synctrace.tracer.reader import Trace, open_trace

TRACES = Path(__file__).parents[1] / "data/h200"
PROFILES = ["cuda-doc", "cuda-13"]
# The planted race: its rule, the functions of both accesses as CUDA's runtime spells them.
PLANTED = {
    "staging": ("RACE04", {"cudaMemcpyAsync", "cudaStreamSynchronize"}),
    "streams": ("RACE02", {"cudaLaunchKernel", "cudaMemcpyAsync"}),
    "graph-input": ("RACE05", {"cudaGraphLaunch", "cudaStreamSynchronize"}),
    "pool": ("LIFE01", {"cudaMemcpyAsync", "cudaFreeAsync"}),
    "threads": ("RACE01", {"cudaMemcpyAsync", "cudaLaunchKernel"}),
    "updates": ("RACE05", {"cudaGraphLaunch", "cudaMemsetAsync"}),
    "driver": ("RACE02", {""}),  # calls the driver without a runtime between
    "cupy": ("RACE04", {"cudaMemcpyAsync"}),
}
INNERMOST = {  # of the program, where the later access of the planted race is
    "staging": "staging()",
    "streams": "streams()",
    "graph-input": "graph_input()",
    "pool": "pool()",
    "updates": "updates()",
    "driver": "main",
}
# Of the race and of the fix: calls of recorded functions as CUPTI counted them in the same program.
CALLS = {
    "staging": (13, 16),
    "streams": (16, 17),
    "graph-input": (16, 19),
    "pool": (17, 18),
    "threads": (133, 153),
    "updates": (71, 70),
    "driver": (13, 14),
    "cupy": (70, 89),
    "torch": (411, 425),
}
# Of llama.cpp, 32 tokens in and 8 out (tests/gpu/llama_cuda.py): ops of ggml's level and of the
# API's. Of the API's, those of ggml's launches are told once more, twelve of `llama`: CUPTI counted
# 2,664 calls.
LLAMA = {
    "llama": (486, 2676),  # of llama-cpp-python 0.3.36, both levels
}


def trace_of(name: str) -> Trace:
    return open_trace(TRACES / f"h200-cuda-{name}.synctrace")


def judged(name: str, profile: str) -> Checked:
    return check(trace_of(name), [profile], select=["RACE", "LIFE"])


def planted(name: str, profile: str = "cuda-doc") -> list[Finding]:
    """The certain findings of a program with a race."""
    return [f for f in judged(f"{name}-race", profile).findings if f.verdict == "certain"]


def test_every_trace_here_is_checked() -> None:
    names = {f"{name}-{how}" for name in CALLS for how in ("race", "fixed")}
    names |= {*LLAMA, "behaviour", "torch-ranges", "nccl-race", "nccl-fixed"}
    names |= {f"jax-{name}" for name in JAX}
    ours = {trace.stem.removeprefix("h200-cuda-") for trace in TRACES.glob("h200-cuda-*")}
    assert ours == names


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", PLANTED)
def test_the_planted_race_is_found(name: str, profile: str) -> None:
    rule, called = PLANTED[name]
    found = planted(name, profile)
    assert {finding.rule for finding in found} == {rule}
    assert {touch.op.place.through for f in found for touch in f.touches} == called


@pytest.mark.parametrize("name", INNERMOST)
def test_call_sites_begin_in_the_program(name: str) -> None:
    for finding in planted(name):
        place = finding.touches[-1].op.place
        assert place.frames[0].function == INNERMOST[name]


def test_the_report_in_the_readme_is_this_traces() -> None:
    [shown, _] = check(trace_of("staging-race"), select=["RACE"]).findings
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    assert "\n".join(finding_lines(shown, "run.synctrace")) in readme.split("\n```\n")


@pytest.mark.parametrize("name", CALLS)
def test_no_call_site_begins_in_cudas_runtime(name: str) -> None:
    for finding in check(trace_of(f"{name}-race")).findings:
        for place in finding.places:
            assert not place.frames[0].function.startswith(("cuda", "libcudart", "__device_stub"))
            assert not place.frames[0].file.rpartition("/")[2].startswith("libcudart")


def test_streams_that_are_made_and_never_used_are_no_timelines() -> None:
    """PyTorch makes 128 of them; those that are used are told in the order of their numbers."""
    streams = [name for name in judged("torch-fixed", "cuda-doc").census.actors if "CUDA" in name]
    used = ["null stream", "stream 2", "stream 6", "stream 10"]
    assert streams == [f"CUDA0 {name}" for name in used]


def test_a_wait_whose_time_was_not_taken_does_not_cost_nothing() -> None:
    """Of calls that cannot wait the time of the return is not taken."""
    [wait] = check(trace_of("torch-fixed"), select=["SYNC01"]).findings
    assert "  cost    host time not known" in finding_lines(wait, "t")


@pytest.mark.parametrize("profile", PROFILES)
def test_memory_freed_without_record_stream_is_a_warning(profile: str) -> None:
    found = judged("torch-race", profile).findings
    assert {(f.rule, f.verdict) for f in found} == {
        ("RACE01", "mode-unknown"),
        ("RACE02", "mode-unknown"),
    }
    assert {t.op.place.through for f in found for t in f.touches} == {"cudaLaunchKernel"}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", CALLS)
def test_the_fix_is_silent(name: str, profile: str) -> None:
    assert judged(f"{name}-fixed", profile).findings == ()


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("how", ["race", "fixed"])
def test_every_call_is_there(name: str, how: str) -> None:
    ops = trace_of(f"{name}-{how}").table("op").to_pylist()
    own = [op for op in ops if op["level"] == Level.API and not op["flags"] & Flag.BATCHED]
    assert len(own) == CALLS[name][how == "fixed"]


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("how", ["race", "fixed"])
def test_the_trace_is_whole(name: str, how: str) -> None:
    trace = trace_of(f"{name}-{how}")
    assert trace.complete and not trace.lost and trace.meta["dropped"] == 0
    assert trace.meta["profile"] == "cuda-doc"
    assert trace.meta["versions"] == {"CUDA": "13.0"}
    assert [device["name"] for device in trace.meta["devices"]] == ["NVIDIA H200"]
    assert not any("HIP" in actor for actor in trace.table("actor")["name"].to_pylist())


@pytest.mark.parametrize("profiles", [[], *([profile] for profile in PROFILES)], ids=str)
@pytest.mark.parametrize("name", LLAMA)
def test_llama_cpp_has_no_race(name: str, profiles: list[str]) -> None:
    trace = trace_of(name)
    assert trace.complete
    assert check(trace, profiles, select=["RACE", "LIFE"]).findings == ()
    levels = [op["level"] for op in trace.table("op").to_pylist()]
    assert (levels.count(Level.GGML), levels.count(Level.API)) == LLAMA[name]


def test_a_collective_that_is_not_waited_for() -> None:
    """PyTorch's all_reduce(async_op=True), read without wait() (tests/gpu/nccl.py)."""
    found = [f for f in judged("nccl-race", "cuda-doc").findings if f.verdict == "certain"]
    assert [finding.rule for finding in found] == ["RACE01"]
    reduced, read = (touch.op for touch in found[0].touches)
    assert (reduced.call, read.call) == ("ncclAllReduce", "cuMemcpyDtoDAsync_v2")
    assert (read.place.frames[0].function, read.place.frames[0].file) == ("main", "torch_nccl.py")


@pytest.mark.parametrize("profile", PROFILES)
def test_a_collective_that_is_waited_for(profile: str) -> None:
    assert judged("nccl-fixed", profile).findings == ()


@pytest.mark.parametrize("name", ["nccl-race", "nccl-fixed"])
def test_collectives_are_one_op_each(name: str) -> None:
    """The traces are of a recorder that took what it asked of NCCL for calls of signal handlers."""
    trace = trace_of(name)
    names = {row["id"]: row["name"] for row in trace.table("call").to_pylist()}
    called = [names[op["call"]] for op in trace.table("op").to_pylist()]
    collectives = [call for call in called if call.startswith("nccl")]
    assert collectives == ["ncclAllReduce"] * 5 + ["ncclAllGather", "ncclBcast"]
    assert trace.lost == ("calls from signal handlers, not recorded: 4",)


def test_blocks_and_ranges_of_pytorch() -> None:
    """Two tensors of one segment on two streams are no race, and operators are ranges."""
    trace = trace_of("torch-ranges")
    assert trace.complete and judged("torch-ranges", "cuda-doc").findings == ()
    names = {name.partition(",")[0] for name in trace.table("scope")["name"].to_pylist()}
    assert {"step", "forward", "aten::add_", "aten::copy_"} <= names
