"""From a graph to splits, and what a graph cannot be."""

from contextlib import closing

import pytest

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.scheduler.cpu import CpuDevice
from synctrace.tracer.scheduler.graph import Graph, Tensor, reference
from synctrace.tracer.scheduler.host import HostDevice
from synctrace.tracer.scheduler.model import build, mix
from synctrace.tracer.scheduler.policy import Saaasg
from synctrace.tracer.scheduler.scheduler import Scheduler
from synctrace.tracer.scheduler.split import split_graph

SIZE = 16
HOST = 2


def node(name: str, *sources: Tensor) -> Tensor:
    return Tensor(name, SIZE, mix(name, len(sources), 1), sources)


POS = Tensor("inp_pos", SIZE)
A = node("a", POS)
B = node("b", A, POS)
C = node("c", A, B)
D = node("d", C, A, POS)
CHAIN = Graph((A, B, C, D), (D,))


def told(placement: dict[str, int], in_place: bool = False) -> list[tuple[int, str, str]]:
    """Backend, nodes and inputs of each split."""
    splits = split_graph(CHAIN, placement, HOST, in_place)
    return [(split.backend, names(split.nodes), names(split.inputs)) for split in splits]


def names(tensors: tuple[Tensor, ...]) -> str:
    return " ".join(tensor.name for tensor in tensors)


def test_one_split_where_one_backend_does_all() -> None:
    assert told(dict.fromkeys("abcd", 0)) == [(0, "a b c d", "inp_pos")]


def test_a_split_has_what_other_backends_make() -> None:
    assert told({"a": 0, "b": 0, "c": 1, "d": 1}) == [
        (0, "a b", "inp_pos"),
        (1, "c d", "a b inp_pos"),
    ]


def test_what_was_copied_is_not_copied_again() -> None:
    assert told({"a": 0, "b": 1, "c": 0, "d": 1}) == [
        (0, "a", "inp_pos"),
        (1, "b", "a inp_pos"),
        (0, "c", "b"),
        (1, "d", "c"),
    ]


def test_inputs_are_the_hosts_own() -> None:
    assert told({"a": HOST, "b": HOST, "c": 0, "d": HOST}) == [
        (HOST, "a b", ""),
        (0, "c", "a b"),
        (HOST, "d", "c"),
    ]


def test_in_place_no_host_tensor_is_copied() -> None:
    assert told({"a": HOST, "b": 0, "c": 1, "d": 1}, in_place=True) == [
        (HOST, "a", ""),
        (0, "b", ""),
        (1, "c d", "b"),
    ]


def test_the_model_is_llamas() -> None:
    """The embedding on the CPU, then a split a device, each with the inputs of its layers."""
    model = build(2, layers=4, inputs=4)
    splits = split_graph(model.graph, model.placement, HOST)
    assert [(split.backend, names(split.nodes), names(split.inputs)) for split in splits] == [
        (HOST, "embd", ""),
        (0, "l_out-0 l_out-1", "embd inp_pos attn_inp_kq_mask"),
        (
            *(1, "l_out-2 l_out-3 result_output"),
            "l_out-1 inp_pos attn_inp_kq_mask inp_out_ids",
        ),
    ]
    assert len(build(1, inputs=10).graph.inputs) == 10


def test_the_reference_hangs_on_every_input() -> None:
    model = build(1, inputs=3)
    values = model.values(0)
    outputs = {bytes(reference(model.graph, values)["result_output"])}
    for name, value in values.items():
        other = {**values, name: bytes([value[0] ^ 1]) + value[1:]}
        outputs.add(reference(model.graph, other)["result_output"])
    assert len(outputs) == 1 + len(values)


@pytest.mark.parametrize(
    ("nodes", "outputs", "sentence"),
    [
        ((B, A), (B,), "b needs a, which comes later: swap them"),
        ((A, node("a", POS)), (A,), "two tensors are named a: rename one"),
        ((A, node("e", Tensor("a", SIZE))), (A,), "two tensors are named a: rename one"),
        ((A, POS), (A,), "inp_pos is a node without an operation: give it one"),
        ((A,), (B,), "output b is not a node: add it to the nodes"),
        ((A, B, node("e", A)), (B,), "nobody reads e: make it an output or leave it out"),
    ],
)
def test_no_graph(nodes: tuple[Tensor, ...], outputs: tuple[Tensor, ...], sentence: str) -> None:
    with pytest.raises(SynctraceError, match=sentence):
        Graph(nodes, outputs)


def test_a_node_without_a_backend_is_refused() -> None:
    with pytest.raises(SynctraceError, match="d has no backend: name one in the placement"):
        split_graph(CHAIN, {"a": 0, "b": 0, "c": 0}, HOST)


def test_the_host_comes_last() -> None:
    with pytest.raises(SynctraceError, match="append a HostDevice"):
        Scheduler([HostDevice()], CHAIN, dict.fromkeys("abcd", 0), Saaasg())


def test_a_backend_that_is_none_is_refused() -> None:
    with pytest.raises(SynctraceError, match="a is placed on device 2 of 2: name one of these"):
        Scheduler([CpuDevice(0), HostDevice()], CHAIN, dict.fromkeys("abcd", 2), Saaasg())


def test_no_more_tokens_than_rows() -> None:
    """The outputs of the others are still there."""
    model = build(1, inputs=2)
    with closing(CpuDevice(0)) as device:
        sched = Scheduler([device, HostDevice()], model.graph, model.placement, Saaasg(), rows=2)
        for number in range(2):
            sched.decode(model.values(number))
        with pytest.raises(SynctraceError, match="room for the outputs of 2 tokens: read them"):
            sched.decode(model.values(2))
        assert sched.outputs() == [model.expected(0), model.expected(1)]
        sched.decode(model.values(2))
        assert sched.outputs() == [model.expected(2)]


def test_a_token_has_all_its_inputs() -> None:
    model = build(1, inputs=2)
    values = model.values(0)
    with closing(CpuDevice(0)) as device:
        sched = Scheduler([device, HostDevice()], model.graph, model.placement, Saaasg())
        for wrong in ({}, {"inp_out_ids": values["inp_out_ids"][1:]}):
            given = {"inp_tokens": values["inp_tokens"], **wrong}
            with pytest.raises(SynctraceError, match="needs 512 bytes of inp_out_ids: give them"):
                sched.decode(given)
        sched.decode(values)
        assert sched.outputs() == [model.expected(0)]


def test_a_ring_has_slots() -> None:
    with pytest.raises(SynctraceError, match="a ring of 0 slots holds nothing: give it one"):
        Saaasg(0)


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"devices": 1, "inputs": 1}, "a token has 1 inputs: give 2 to 10"),
        ({"devices": 1, "inputs": 11}, "a token has 11 inputs: give 2 to 10"),
        ({"devices": 3, "layers": 2}, "2 layers leave a device of 3 without: give more"),
    ],
)
def test_no_model(asked: dict[str, int], sentence: str) -> None:
    with pytest.raises(SynctraceError, match=sentence):
        build(**asked)
