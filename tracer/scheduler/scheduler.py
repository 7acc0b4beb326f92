"""The scheduler: gives each token's splits to their backends, as ggml_backend_sched does.

One host thread issues everything. What waits for what is up to the policy (`policy`, `history`);
the calls that it makes here carry the letters of the discussions at llama.cpp: i inputs set,
s synchronize, S all backends, E event_synchronize, w event_wait, r event_record, a asynchronous
copy, c blocking copy, g graph launch, d output read back.
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Protocol

from synctrace.tracer import tell
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import ScopeKind
from synctrace.tracer.scheduler.buffers import Buffers
from synctrace.tracer.scheduler.device import Device, Event, Stream
from synctrace.tracer.scheduler.device import Graph as Captured
from synctrace.tracer.scheduler.graph import Graph, Tensor
from synctrace.tracer.scheduler.split import Split, split_graph


class Policy(Protocol):
    """What waits for what."""

    @property
    def n_copies(self) -> int:
        """Ring slots of each input copy: tokens that can be in flight."""
        ...

    @property
    def rotates_inputs(self) -> bool:
        """Whether the host INPUT tensors have as many slots too."""
        ...

    @property
    def rotates_host_outputs(self) -> bool:
        """Whether what splits on the CPU make has as many slots too."""
        ...

    @property
    def in_place(self) -> bool:
        """Whether devices read host memory where it is, without input copies."""
        ...

    def set_inputs(self, sched: "Scheduler", values: Mapping[str, bytes]) -> None:
        """Set the INPUT tensors of the next token, once nothing pending reads them."""
        ...

    def compute_split(self, sched: "Scheduler", split: Split) -> None:
        """Copy the inputs of one split of a device, and launch its graph."""
        ...

    def finish(self, sched: "Scheduler") -> None:
        """Wait until the host may read the outputs of all tokens."""
        ...


class Scheduler:
    """Computes one graph token after token, with up to `n_copies` of them in flight.

    `devices`: those that compute, then the host (ordinal -1). `placement`: index of a device for
    each node by its name. `rows`: tokens whose outputs are kept. Raises SynctraceError if devices
    and placement do not fit the graph.
    """

    def __init__(
        self,
        devices: Sequence[Device],
        graph: Graph,
        placement: Mapping[str, int],
        policy: Policy,
        rows: int = 1,
    ) -> None:
        if len(devices) < 2 or devices[-1].ordinal >= 0:
            raise SynctraceError("the last of the devices is to be the host: append a HostDevice")
        for name, backend in placement.items():
            if not 0 <= backend < len(devices):
                raise SynctraceError(
                    f"{name} is placed on device {backend} of {len(devices)}: name one of these"
                )
        self.graph, self.policy, self.rows = graph, policy, rows
        self.backends = tuple(devices)
        self.host = len(devices) - 1  # its index, the last: range(host) are those that compute
        self.n_copies = policy.n_copies
        self.splits = split_graph(graph, placement, self.host, policy.in_place)
        self._placement = placement
        self.cur_copy = self._next_copy = self._next_row = 0
        self.syncs = self.sync_ns = 0  # host waits of this scheduler, and the time within them
        self._alloc()

    def _alloc(self) -> None:
        """Streams, events, memory, and the graphs that all tokens reuse: one a split and slot."""
        rotating = self.graph.inputs if self.policy.rotates_inputs else ()
        if self.policy.rotates_host_outputs:
            rotating += tuple(n for n in self.graph.nodes if self.home(n) == self.host)
        self.buffers = Buffers(
            self.backends,
            self.graph,
            self._placement,
            self.splits,
            self.n_copies,
            frozenset(rotating),
        )
        self._read_back = {  # of each output, a row a token
            output: self.backends[0].pinned(f"{output.name}_host", output.size * self.rows)
            for output in self.graph.outputs
        }
        self.streams = [device.stream(device.name) for device in self.backends]
        self._thread_streams: dict[int, Stream] = {}  # of blocking copies, by backend
        slots = range(self.n_copies)
        devices = self.backends[: self.host]
        # Behind the graph of a split, as in ggml.
        self.events = [[d.event(f"event[{d.name}][{c}]") for c in slots] for d in devices]
        # Behind its copies from host memory; ggml has no such events.
        self.copied = [[d.event(f"copied[{d.name}][{c}]") for c in slots] for d in devices]
        # Behind a copy to another device: ggml-cuda's, recorded anew by each copy.
        self._copy_event = [d.event(f"copy_event[{d.name}]") for d in devices]
        self._graphs = {
            split: [self._capture(number, split, slot) for slot in slots]
            for number, split in enumerate(self.splits)
        }

    def _capture(self, number: int, split: Split, slot: int) -> Captured:
        stream = self.streams[split.backend]
        stream.begin_capture()
        for node in split.nodes:
            assert node.operation
            reads = [self.buffers.read(s, split.backend, slot) for s in node.sources]
            stream.launch(node.operation, reads, [self.buffers.home(node, slot)])
        return stream.end_capture(f"split {number} {self.backends[split.backend].name}#{slot}")

    def home(self, tensor: Tensor) -> int:
        """Index of the backend that makes the tensor; INPUT tensors are the host's."""
        return self.host if tensor.is_input else self._placement[tensor.name]

    def is_on_host(self, tensor: Tensor) -> bool:
        return self.home(tensor) == self.host

    # One token.

    def decode(self, values: Mapping[str, bytes]) -> None:
        """Give the devices one more token: its INPUT tensors by name. Does not wait for it.

        Raises SynctraceError if an input is missing or of another size, or if as many outputs as
        there are rows wait to be read already.
        """
        for tensor in self.graph.inputs:
            if len(values.get(tensor.name, b"")) != tensor.size:
                raise SynctraceError(
                    f"a token needs {tensor.size} bytes of {tensor.name}: give them"
                )
        if self._next_row == self.rows:
            raise SynctraceError(
                f"there is room for the outputs of {self.rows} tokens: read them, or make more rows"
            )
        with tell.scope(ScopeKind.DECODE, "decode"):
            self.cur_copy = self._next_copy
            self._next_copy = (self.cur_copy + 1) % self.n_copies
            self.policy.set_inputs(self, values)
            self.compute_splits()
            self._get_outputs_async()

    def set_inputs(self, values: Mapping[str, bytes]) -> None:
        """i: the user writes the INPUT tensors, always to the same memory unless they rotate."""
        for tensor in self.graph.inputs:
            self.buffers.home(tensor, self.cur_copy).memory.store(values[tensor.name])

    def compute_splits(self) -> None:
        """Give every split to its backend."""
        with tell.scope(ScopeKind.SCHED, "sched"):
            for split in self.splits:
                with tell.scope(ScopeKind.SPLIT, f"split {self.backends[split.backend].name}"):
                    if split.backend == self.host:
                        self._compute_host_split(split)
                    else:
                        self.policy.compute_split(self, split)

    def _compute_host_split(self, split: Split) -> None:
        """The CPU has no queue: what it needs has been copied before it is called."""
        for tensor in split.inputs:
            self.copy_async(split, tensor)
        for backend in dict.fromkeys(self.home(tensor) for tensor in split.inputs):
            self.synchronize(backend)
        self.graph_compute_async(split)

    def _get_outputs_async(self) -> None:
        """d: read the outputs back into the next row, on the streams of those who make them."""
        for output, rows in self._read_back.items():
            lo = self._next_row * output.size
            self.streams[self.home(output)].copy(
                rows.slice(lo, lo + output.size), self.buffers.home(output, self.cur_copy)
            )
        self._next_row += 1

    def outputs(self) -> list[dict[str, bytes]]:
        """Wait, and read the outputs of all tokens since the last call, by name."""
        self.policy.finish(self)
        read = {
            output: rows.load(0, self._next_row * output.size)
            for output, rows in self._read_back.items()
        }
        tokens, self._next_row = range(self._next_row), 0
        return [
            {o.name: data[row * o.size : (row + 1) * o.size] for o, data in read.items()}
            for row in tokens
        ]

    # What policies are made of. All of it is about the current slot.

    def synchronize(self, backend: int) -> None:
        """s: the host waits for all that the backend was given."""
        with self._waiting():
            self.streams[backend].synchronize()

    def synchronize_all(self) -> None:
        """S: ggml_backend_sched_synchronize, every backend in turn."""
        for backend in range(self.host):
            self.synchronize(backend)

    def event_synchronize(self, event: Event) -> None:
        """E: the host waits for what was in front of the event's latest record."""
        with self._waiting():
            event.synchronize()

    def event_wait(self, backend: int, event: Event) -> None:
        """w: what the backend is given from now on waits for the event's latest record."""
        self.streams[backend].wait(event)

    def event_record(self, event: Event, backend: int) -> None:
        """r: the event now stands for all that the backend was given until now."""
        self.streams[backend].record(event)

    def copy_async(self, split: Split, tensor: Tensor) -> None:
        """a: an input copy, as CUDA's cpy_tensor_async makes it.

        From host memory it is on the split's own stream. Between devices it is on the SOURCE's,
        where it comes behind the node that makes the tensor; there it records an event, and the
        split's stream waits for that.
        """
        home = self.home(tensor)
        stream = self.streams[split.backend if home == self.host else home]
        stream.copy(
            self.buffers.copy(tensor, split.backend, self.cur_copy),
            self.buffers.home(tensor, self.cur_copy),
        )
        if self.host not in (home, split.backend):
            stream.record(self._copy_event[home])
            self.streams[split.backend].wait(self._copy_event[home])

    def copy(self, split: Split, tensor: Tensor) -> None:
        """c: an input copy from host memory that is done at return.

        On a stream of the calling thread, as ggml's: it waits for nothing the backend was given.
        """
        if split.backend not in self._thread_streams:
            device = self.backends[split.backend]
            self._thread_streams[split.backend] = device.stream(f"{device.name} thread")
        stream = self._thread_streams[split.backend]
        stream.copy(
            self.buffers.copy(tensor, split.backend, self.cur_copy),
            self.buffers.home(tensor, self.cur_copy),
        )
        with self._waiting():
            stream.synchronize()

    def graph_compute_async(self, split: Split) -> None:
        """g: launch the graph that was captured for this slot."""
        self.streams[split.backend].launch_graph(self._graphs[split][self.cur_copy])

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        since = time.perf_counter_ns()
        yield
        self.sync_ns += time.perf_counter_ns() - since
        self.syncs += 1

    def close(self) -> None:
        """Wait for tokens whose outputs nobody read, and free all memory. Devices stay open."""
        if self._next_row:
            self.policy.finish(self)
        self.buffers.free()
        for memory in self._read_back.values():
            memory.free()
