"""Any graph, placed anyhow, on any number of devices and slots: right policies stay right.

Whether a wait is needed hangs on the graph (a split on the CPU waits for all that it reads, and
makes others needless), so that of syncs nothing is asked here.
"""

import itertools
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from policies import ALL_RIGHT, PolicyClass, simulated

import synctrace
from synctrace.analyzer.check import check
from synctrace.tracer.reader import open_trace
from synctrace.tracer.scheduler.graph import Graph, Tensor
from synctrace.tracer.scheduler.model import Model, mix
from synctrace.tracer.scheduler.scheduler import Scheduler
from synctrace.tracer.scheduler.token_loop import run

TOKENS = 6
SIZE = 64


@st.composite
def models(draw: st.DrawFn, devices: int) -> Model:
    """Up to 8 nodes that read up to 3 tensors each, on the devices and the host in any order."""
    tensors = [Tensor(f"inp-{n}", SIZE) for n in range(draw(st.integers(1, 3)))]
    nodes: list[Tensor] = []
    for number in range(draw(st.integers(1, 8))):
        sources = draw(st.lists(st.sampled_from(tensors), min_size=1, max_size=3, unique=True))
        node = Tensor(f"node-{number}", SIZE, mix("mix", len(sources), number), tuple(sources))
        nodes.append(node)
        tensors.append(node)
    read = {source for node in nodes for source in node.sources}
    # Seldom on the host (the last): it waits for all that it reads, which orders the rest as well.
    places = st.sampled_from([*range(devices)] * 3 + [devices])
    placement = {node.name: draw(places) for node in nodes}
    outputs = tuple(node for node in nodes if node not in read or draw(st.booleans()))
    return Model(Graph(tuple(nodes), outputs), placement)


@pytest.mark.slow
@settings(
    max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
@pytest.mark.parametrize("policy", ALL_RIGHT)
def test_right_policies_stay_right(policy: PolicyClass, data: st.DataObject) -> None:
    """Half of the examples race where a copy does not wait for those who read its slot."""
    devices = data.draw(st.integers(1, 4), "devices")
    model = data.draw(models(devices), "model")
    n_copies = data.draw(st.integers(1, 4), "n_copies")
    kernel_s = data.draw(
        st.lists(st.sampled_from([0, 2e-4]), min_size=devices, max_size=devices), "kernel_s"
    )
    expected = [model.expected(number) for number in range(TOKENS)]
    with tempfile.TemporaryDirectory() as folder:
        recording = synctrace.record(Path(folder) / "t")
        with simulated(kernel_s) as on, recording:
            sched = Scheduler(on, model.graph, model.placement, policy(n_copies), rows=TOKENS)
            outputs = list(itertools.chain(*(run(sched, model, range(TOKENS))[0] for _ in "ab")))
            sched.close()
        assert recording.path
        findings = check(open_trace(recording.path), ignore=["SYNC", "COPY"]).findings
    assert outputs == expected * 2
    assert [f.message for f in findings if f.severity != "note"] == []
