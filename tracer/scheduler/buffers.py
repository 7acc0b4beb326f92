"""Where tensors live: one home each, input copies on other backends, ring slots of what rotates."""

from collections.abc import Iterable, Mapping, Sequence

from synctrace.tracer.scheduler.device import Device, Slice
from synctrace.tracer.scheduler.graph import Graph, Tensor
from synctrace.tracer.scheduler.split import Split


class Buffers:
    """Memory of all tensors, by tensor, backend and ring slot. The last device is the host.

    Input copies have a slot for each of `n_copies` tokens in flight. Of the tensors in host memory
    only those in `rotating` have; nothing else has more than one.
    """

    def __init__(
        self,
        devices: Sequence[Device],
        graph: Graph,
        placement: Mapping[str, int],
        splits: Iterable[Split],
        n_copies: int,
        rotating: frozenset[Tensor],
    ) -> None:
        self._devices = devices
        self._host = len(devices) - 1
        self._homes: dict[Tensor, list[Slice]] = {}
        self._copies: dict[tuple[Tensor, int], list[Slice]] = {}
        for tensor in (*graph.inputs, *graph.nodes):
            backend = self._host if tensor.is_input else placement[tensor.name]
            slots = n_copies if tensor in rotating else 1
            names = [f"{tensor.name}#{slot}" if slots > 1 else tensor.name for slot in range(slots)]
            self._homes[tensor] = [self._make(name, tensor, backend) for name in names]
        for split in splits:
            device = devices[split.backend].name
            for tensor in split.inputs:
                self._copies[tensor, split.backend] = [
                    self._make(f"{device}#{tensor.name}#{slot}", tensor, split.backend)
                    for slot in range(n_copies)
                ]

    def _make(self, name: str, tensor: Tensor, backend: int) -> Slice:
        """Host memory is pinned: an async copy reads it when the device comes to it."""
        device = self._devices[backend]
        make = self._devices[0].pinned if backend == self._host else device.memory
        return make(name, tensor.size).slice()

    def home(self, tensor: Tensor, slot: int) -> Slice:
        """Where the tensor is made: by its node, or by the user if it is an INPUT."""
        slots = self._homes[tensor]
        return slots[slot % len(slots)]

    def copy(self, tensor: Tensor, backend: int, slot: int) -> Slice:
        """Its input copy on the backend."""
        return self._copies[tensor, backend][slot]

    def read(self, tensor: Tensor, backend: int, slot: int) -> Slice:
        """What nodes of the backend read: the input copy if there is one, else the home."""
        if (tensor, backend) in self._copies:
            return self.copy(tensor, backend, slot)
        return self.home(tensor, slot)

    def free(self) -> None:
        """End the life of all memory. Whoever calls has waited for what uses it."""
        for slots in (*self._homes.values(), *self._copies.values()):
            for piece in slots:
                piece.memory.free()
