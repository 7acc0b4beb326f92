"""A small model in the shape of llama.cpp's: embedding on the CPU, layers over the devices, output.

Its arithmetic is on unsigned 64-bit words, so that every device gives the same bits.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.scheduler.device import Kernel
from synctrace.tracer.scheduler.graph import Graph, Tensor, reference

WORD = 8  # bytes
_ODD = 0x9E3779B97F4A7C15
_MASK = 2**64 - 1
# Of the user, as llama.cpp names them: tokens for the embedding, the ids of the rows to output,
# and what every layer reads.
TOKENS, OUT_IDS = "inp_tokens", "inp_out_ids"
OF_LAYERS = (
    "inp_pos", "attn_inp_kq_mask", "attn_inp_k_idxs", "attn_inp_v_idxs", "inp_attn_scale",
    "inp_mean", "inp_cls", "inp_s_copy",
)  # fmt: skip
MOST_INPUTS = 2 + len(OF_LAYERS)


@cache
def mix(name: str, reads: int, salt: int) -> Kernel:
    """Every word written hangs on the word at its place in each of `reads` tensors of one size."""

    def cpu(read: Sequence[memoryview], written: Sequence[memoryview]) -> None:
        out = written[0].cast("Q")
        for i, words in enumerate(zip(*(each.cast("Q") for each in read), strict=True)):
            word = salt + i
            for other in words:
                word = ((word ^ other) * _ODD) & _MASK
                word ^= word >> 29
            out[i] = word

    steps = "".join(
        f"word = (word ^ reads{n}[i]) * {_ODD}ull; word ^= word >> 29; " for n in range(reads)
    )
    return Kernel(name, cpu, f"unsigned long long word = {salt}ull + i; {steps}writes0[i] = word;")


@dataclass(frozen=True)
class Model:
    """A graph and the index of the device of each of its nodes; the last index is the host's."""

    graph: Graph
    placement: dict[str, int]

    def values(self, token: int) -> dict[str, bytes]:
        """What the user sets the INPUT tensors to for this token: other bytes for every token."""
        drawn = random.Random(token)
        return {tensor.name: drawn.randbytes(tensor.size) for tensor in self.graph.inputs}

    def expected(self, token: int) -> dict[str, bytes]:
        """The outputs of this token by the serial reference."""
        return reference(self.graph, self.values(token))


def build(devices: int, layers: int | None = None, inputs: int = 4, words: int = 64) -> Model:
    """`layers` spread over that many devices, one each if left out; tensors of `words` words.

    `inputs`: INPUT tensors a token, from 2 on. Raises SynctraceError beyond MOST_INPUTS.
    """
    layers = devices if layers is None else layers
    if not 2 <= inputs <= MOST_INPUTS:
        raise SynctraceError(f"a token has {inputs} inputs: give 2 to {MOST_INPUTS}")
    if layers < devices:
        raise SynctraceError(f"{layers} layers leave a device of {devices} without: give more")
    size = words * WORD
    shared = tuple(Tensor(name, size) for name in OF_LAYERS[: inputs - 2])
    embd = Tensor("embd", size, mix("get_rows", 1, 1), (Tensor(TOKENS, size),))
    nodes, placement = [embd], {"embd": devices}
    for layer in range(layers):
        sources = (nodes[-1], *shared)
        node = Tensor(f"l_out-{layer}", size, mix("layer", len(sources), 2 + layer), sources)
        nodes.append(node)
        placement[node.name] = layer * devices // layers
    out_ids = Tensor(OUT_IDS, size)
    nodes.append(Tensor("result_output", size, mix("mul_mat", 2, 0), (nodes[-1], out_ids)))
    placement["result_output"] = devices - 1
    return Model(Graph(tuple(nodes), (nodes[-1],)), placement)
