"""Unmodified llama.cpp for ROCm, as it is released, on the stand-in HIP runtime, recorded whole.

It proves the recorder: each call is recorded once, at the right place, with its ranges, whichever
level it is of, and the program runs as it does alone; and the verdict on the calls that llama.cpp
really makes. Kernels do nothing here, so its tokens mean nothing, and nothing is proven of time.
Only a real AMD GPU can prove that its runtime orders these calls as the stand-in does, and that the
kernels of hipBLAS, which is a stub here, are recorded as their own are.
"""

from collections import Counter
from pathlib import Path

import pytest
from synctrace.tracer.kinds import Flag, Kind, Level

from hip.both_levels import each_access_counts_once, every_op_has_its_parent, ranges_of_launches
from hip.conftest import LlamaRocm
from hip.software import ASKED, Recorded, Software, errors, races

WITHOUT_GRAPHS = {"GGML_CUDA_DISABLE_GRAPHS": "1"}
UBATCHES = (99, 8, 128, 16)  # layers, tokens, prompt, ubatch: eight ubatches, then eight tokens
RUNS = 16
# Latent by the contract of ggml alone: a copy between devices is told as work of the device that
# gets it, and the source's next ubatch overwrites what is copied. llama.cpp relies on how ggml-cuda
# does it, on the source's stream (docs/profiles.md: peer-waits). Nobody else waits for the copy.
KNOWN = ("RACE02", "latent", "ggml-contract")


def counts_agree(llama: Software, run: Recorded, plain: Path) -> None:
    """Each call of a hooked function is one op, and recording makes none of its own."""
    calls = run.calls()
    # At the level api a launch of ggml's is told once more, behind its calls.
    told = calls.pop("ggml_backend_graph_compute_async", 0)
    assert told == len([op for op in run.of(Level.GGML, Kind.GRAPH_LAUNCH) if lowered(op)])
    assert calls == run.expected_calls()
    assert not [op for op in run.of(Level.API) if op["flags"] & Flag.FAILED]


def lowered(op: dict[str, int]) -> bool:
    return bool(op["flags"] & Flag.LOWERED)


def is_whole(run: Recorded) -> None:
    assert run.trace.complete, run.trace.lost
    assert run.trace.meta["dropped"] == 0
    assert {"HIP", "ggml"} <= run.trace.meta["versions"].keys()


@pytest.mark.parametrize("devices", [1, 2, 4])
@pytest.mark.parametrize("graphs", [False, True], ids=["launches", "graphs"])
def test_recorded_whole(llama_rocm: LlamaRocm, tmp_path: Path, devices: int, graphs: bool) -> None:
    llama = llama_rocm("cyllama-0.7.0")
    more = {"STANDIN_DEVICES": str(devices)} | ({} if graphs else WITHOUT_GRAPHS)
    alone = tmp_path / "alone.counts"
    printed = llama.run(*UBATCHES, STANDIN_COUNTS=str(alone), **more)
    run = llama.record(tmp_path / "t", *UBATCHES, **more)
    is_whole(run)
    assert run.printed == printed
    assert {name for name, _ in (run.counts - counted(alone)).items()} <= set(ASKED)
    assert (run.counts["hipGraphLaunch"] > 0) == graphs
    counts_agree(llama, run)
    every_op_has_its_parent(run)
    launches = each_access_counts_once(run)
    assert len(launches) == devices and set(launches.values()) == {RUNS}
    split = [op for op in run.of(Level.GGML, Kind.TENSOR_COPY_ASYNC) if not op["flags"]]
    assert bool(run.counts["hipMemcpyPeerAsync"]) == (devices > 1)
