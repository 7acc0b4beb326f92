"""Real kernels (kernels.cu), compiled for two GPUs: what is read of them against their source.

The listings are what nvdisasm 13.5 prints of them, without padding. What this does not show: other
compilers' code, and that kernels do on a GPU what their listing says.
"""

import json
import subprocess
from pathlib import Path

import pytest

from synctrace.tracer.kinds import Mode
from synctrace.tracer.sass.cubin import Cubin, Layout, Parameter, read_cubin
from synctrace.tracer.sass.fatbin import cubins
from synctrace.tracer.sass.listing import parse
from synctrace.tracer.sass.modes import KernelModes, kernel_modes
from synctrace.tracer.sass.nvdisasm import find_nvdisasm, listing_of

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "sass"
LETTERS = {Mode.READ: "r", Mode.WRITE: "w", Mode.READ_WRITE: "rw", Mode.UNKNOWN: "?"}
GPUS = ("sm90", "sm100")

# What the source does: words by offset; those that are not here are no addresses. "?": one of
# several words, chosen at run time. Of `choose`, sm_100 reads its pointers by an index into all
# parameters, so that nothing is told of any.
SOURCE = {
    "scale": {0: "r", 8: "w"},
    "in_place": {0: "rw"},
    "by_struct": {0: "r", 16: "w"},
    "total": {0: "r", 8: "rw"},
    "counts": {0: "r", 8: "rw", 16: "w"},
    "table_at": dict.fromkeys(range(0, 64, 8), "?"),
    "pointers": {0: "r"},
    "stale_words": {0: "w"},
    "unused": {8: "w"},
    "choose": {0: "?", 8: "?", 16: "r"},
    "spilled": {0: "?", 8: "?", 16: "?"},
    "through_shared": {0: "?", 8: "r"},
    "calls": {0: "w", 8: "r"},
    "copy4": {0: "r", 8: "w"},
    "half_sum": {0: "r", 8: "w"},
    "stored_pointer": {0: "w"},
    "async_copy": {0: "r", 8: "w"},
    "waits": {0: "r", 8: "w"},
    "locked": {0: "rw", 8: "rw"},
    "swizzle": {0: "r", 8: "w"},
    "aligned_ptr": {0: "w"},
    "difference": {8: "w", 16: "r"},
    "xored": {0: "?", 8: "?"},
    "prints": {0: "r"},
    "bulk": {0: "r", 8: "w"},
}
CHOOSE_SM100 = {0: "?", 8: "?", 16: "?", 24: "?"}


def _layouts(gpu: str) -> dict[str, Layout]:
    said = json.loads((DATA / f"layouts_{gpu}.json").read_text())
    return {
        name: Layout(base, size, tuple(Parameter(*each) for each in parameters))
        for name, (base, size, parameters) in said.items()
    }


def _modes(gpu: str, name: str) -> KernelModes:
    listing = parse((DATA / f"kernels_{gpu}.txt").read_text())
    return kernel_modes(name, listing, Cubin({}, _layouts(gpu), frozenset({"vprintf"})))


def _letters(modes: KernelModes) -> dict[int, str]:
    return {word.offset: LETTERS[word.mode] for word in modes.words if word.used}


@pytest.mark.parametrize("gpu", GPUS)
@pytest.mark.parametrize("name", SOURCE)
def test_words_are_used_as_the_source_says(gpu: str, name: str) -> None:
    modes = _modes(gpu, name)
    wanted = CHOOSE_SM100 if (name, gpu) == ("choose", "sm100") else SOURCE[name]
    assert (_letters(modes), modes.why) == (wanted, "")


@pytest.mark.parametrize("gpu", GPUS)
def test_a_call_of_whatever_memory_says_leaves_nothing_known(gpu: str) -> None:
    modes = _modes(gpu, "indirect")
    assert (modes.words, modes.why) == ((), "it calls a function by address")


@pytest.mark.parametrize("gpu", GPUS)
def test_tensor_maps_among_the_parameters(gpu: str) -> None:
    """A map of 128 bytes is as its instruction says; what follows it is what it is."""
    load, store = _modes(gpu, "tma_load"), _modes(gpu, "tma_store")
    (out,) = (word for word in load.words if word.mode == Mode.WRITE)
    assert {word.mode for word in load.words if word.used} == {Mode.READ, Mode.WRITE}
    assert out == load.words[-1]
    assert store.words[0].mode == Mode.READ
    assert {word.mode for word in store.words[1:] if word.used} == {Mode.WRITE}
    assert sum(word.used for word in store.words) == 1 + 128 // 8


@pytest.mark.parametrize("gpu", GPUS)
def test_the_wait_for_earlier_grids(gpu: str) -> None:
    waits, scale = _modes(gpu, "waits"), _modes(gpu, "scale")
    assert (waits.waits, waits.triggers) == (True, True)
    assert (scale.waits, scale.triggers) == (False, False)


@pytest.mark.parametrize("gpu", GPUS)
def test_memory_that_no_parameter_leads_to(gpu: str) -> None:
    assert _modes(gpu, "pointers").elsewhere == Mode.WRITE
    assert _modes(gpu, "scale").elsewhere is None


@pytest.mark.parametrize("packing", ["lz4", "zstd"])
def test_a_packed_fat_binary_gives_its_cubin(packing: str) -> None:
    [(architecture, content)] = list(cubins((DATA / f"scale_{packing}.fatbin").read_bytes()))
    cubin = read_cubin(content)
    assert (architecture, list(cubin.functions)) == (90, ["scale"])
    assert cubin.layouts["scale"] == _layouts("sm90")["scale"]
    assert list(cubins(content)) == [(90, content)]  # a cubin that is loaded as it is


def test_the_disassembler_that_is_here() -> None:
    tool = find_nvdisasm()
    if tool is None:
        pytest.skip("needs nvdisasm: pip install nvidia-cuda-nvdisasm")
    [(_, content)] = list(cubins((DATA / "scale_zstd.fatbin").read_bytes()))
    cubin = read_cubin(content)
    modes = kernel_modes("scale", listing_of(tool, content, cubin, "scale"), cubin)
    assert _letters(modes) == SOURCE["scale"]
    assert subprocess.run([tool, "--version"], capture_output=True).returncode == 0
