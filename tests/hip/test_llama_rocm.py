"""Unmodified llama.cpp for ROCm, as it is released, on the stand-in HIP runtime, recorded whole.

It proves the recorder: each call is recorded once, at the right place, with its ranges, whichever
level it is of, and the program runs as it does alone; and the verdict on the calls that llama.cpp
really makes. Kernels do nothing here, so its tokens mean nothing, and nothing is proven of time.
Only a real AMD GPU can prove that its runtime orders these calls as the stand-in does, and that the
kernels of hipBLAS, which is a stub here, are recorded as llama.cpp's own are.
"""

import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hip.both_levels import bytes_of_launches, each_access_counts_once, every_op_has_its_parent
from hip.conftest import LlamaRocm
from hip.software import ASKED, Recorded, counted, errors, races
from synctrace.tracer.kinds import Flag, Kind, Level

UBATCHES, RUNS = (99, 8, 128, 16), 16  # layers, tokens, prompt, ubatch: 8 ubatches, then 8 tokens
# What `check` calls latent is the contract's: a copy between two devices is told as work of the one
# that gets it, and the other one's next ubatch overwrites what is copied. No word of ggml's orders
# that; ggml-cuda does, which copies on the source's stream, and so is silent by HIP's own order.
LATENT = ("RACE02", "latent", "ggml-contract")


def lowered(op: dict[str, int]) -> bool:
    return bool(op["flags"] & Flag.LOWERED)


def is_whole(run: Recorded) -> None:
    """Nothing was lost, and each call that came to the runtime is one op."""
    assert run.trace.complete, run.trace.lost
    assert run.trace.meta["dropped"] == 0
    assert not [op for op in run.of(Level.API) if op["flags"] & Flag.FAILED]
    calls = run.calls()
    # At the level api a launch of ggml's is told once more, behind its calls.
    again = calls.pop("ggml_backend_graph_compute_async", 0)
    assert again == len([op for op in run.of(Level.GGML, Kind.GRAPH_LAUNCH) if lowered(op)])
    assert calls == run.expected_calls()


def rows_of_coverage(run: Recorded) -> dict[str, int]:
    """What was not watched, as far as there is any."""
    return {key: value for key, value in run.trace.meta["coverage"].items() if value}


@pytest.mark.parametrize("devices", [1, 2, 4])
@pytest.mark.parametrize("graphs", [False, True], ids=["launches", "graphs"])
def test_recorded_whole(llama_rocm: LlamaRocm, tmp_path: Path, devices: int, graphs: bool) -> None:
    """Both levels, on one device and pipelined over several, with and without HIP's graphs."""
    llama = llama_rocm("cyllama-0.7.0")
    more = {"STANDIN_DEVICES": str(devices)} | ({} if graphs else {"GGML_CUDA_DISABLE_GRAPHS": "1"})
    alone = tmp_path / "alone.counts"
    printed = llama.run(*UBATCHES, STANDIN_COUNTS=str(alone), **more)
    run = llama.record(tmp_path / "t", *UBATCHES, **more)
    assert run.printed == printed
    assert set(run.counts - counted(alone)) <= set(ASKED) and not counted(alone) - run.counts
    is_whole(run)
    assert {"HIP", "ggml"} <= run.trace.meta["versions"].keys()
    # Of graph inputs over 4 KB samples are looked at (native/digest.h); all else is known.
    assert set(rows_of_coverage(run)) <= {"unwatched_host_bytes"}
    assert (run.counts["hipGraphLaunch"] > 0) == graphs
    assert bool(run.counts["hipMemcpyPeerAsync"]) == (devices > 1)

    every_op_has_its_parent(run)
    launches = each_access_counts_once(run)
    assert len(launches) == devices
    # Only a ubatch's last part may have nothing to do: no token's output is asked for.
    assert sorted(launches.values())[1:] == [RUNS] * (devices - 1)

    checked = run.check()
    assert checked.profiles == ("hip-doc", "ggml-contract")
    assert errors(checked) == []
    latent = {(f.rule, f.verdict, f.profile) for f in races(checked)}
    assert latent == ({LATENT} if devices > 1 else set())


@pytest.mark.parametrize("devices", [1, 2])
def test_each_level_alone_is_what_both_have_of_it(
    llama_rocm: LlamaRocm, tmp_path: Path, devices: int
) -> None:
    llama = llama_rocm("cyllama-0.7.0")
    runs = {
        level: llama.record(
            tmp_path / level,
            *UBATCHES,
            options=("--level", level),
            STANDIN_DEVICES=str(devices),
            GGML_CUDA_DISABLE_GRAPHS="1",
        )
        for level in ("all", "ggml", "api")
    }
    both, ggml, api = runs.values()
    assert both.printed == ggml.printed == api.printed
    for run in runs.values():
        assert run.trace.complete, run.trace.lost
    named = [Counter(op["name"] for op in run.of(Level.GGML)) for run in (both, ggml)]
    assert named[0] == named[1]
    touched = bytes_of_launches(both, Level.GGML)
    assert touched and touched == bytes_of_launches(ggml, Level.GGML)
    assert touched == bytes_of_launches(both, Level.API)
    assert ggml.of(Level.API) == [] and api.of(Level.GGML) == []
    assert api.calls() == api.expected_calls() == both.expected_calls()


def test_kernels_without_ggml_have_their_own_ranges(llama_rocm: LlamaRocm, tmp_path: Path) -> None:
    """Every kernel's layout is known and every pointer lies in memory that was allocated."""
    run = llama_rocm("cyllama-0.7.0").record(
        tmp_path / "t", *UBATCHES, options=("--level", "api"), GGML_CUDA_DISABLE_GRAPHS="1"
    )
    coverage = rows_of_coverage(run)
    assert set(coverage) == {"guessed_pointers"}
    kernels = run.rows("kernel")
    assert len(kernels) > 10 and all(kernel["layout_known"] for kernel in kernels)
    launched = run.of(Level.API, Kind.KERNEL)
    assert all(len(run.accesses(op)) >= 2 for op in launched)
    assert not [a for op in launched for a in run.accesses(op) if not a["storage"]]
    assert races(run.check()) == []


def test_two_threads_each_with_a_context(llama_rocm: LlamaRocm, tmp_path: Path) -> None:
    """They share the model and the devices: recorded whole, without a race in either host order.

    Tokens and logits are what they are without the recorder, which adds no thread; its rings and
    tables are some of the process' memory.
    """
    llama = llama_rocm("cyllama-0.7.0")
    host = str(Path(__file__).with_name("llama_threads.py"))
    llama = replace(llama, command=(sys.executable, host, *llama.command[1:]))
    *alone, size = llama.run(2, STANDIN_DEVICES="2").splitlines()
    run = llama.record(tmp_path / "t", 2, STANDIN_DEVICES="2")
    *printed, recorded_size = run.printed.splitlines()
    assert printed == alone and len(printed) == 3
    assert int(recorded_size) - int(size) < 64_000
    is_whole(run)
    every_op_has_its_parent(run)
    each_access_counts_once(run)
    assert len({op["thread"] for op in run.of(Level.API, Kind.KERNEL)}) == 2
    for order in ("observed", "strict"):
        found = races(run.check(host_order=order))
        assert {(f.rule, f.verdict, f.profile) for f in found} == {LATENT}
