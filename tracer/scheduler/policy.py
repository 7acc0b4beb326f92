"""Policies that are right: what waits for what, in the letters of `scheduler`.

A class begins with the letters of a token on a device in the middle; where the first device has
others, those come before, two spaces apart. i stands for all inputs, `E..` for an event of each of
some devices. Its last lines are what `synctrace check` says of a run over several devices, and
tests read both. `Verdict`: races, by every profile. `Syncs`: waits that it proves to be needless
(SYNC01) or wider than they need to be (SYNC02), by that of the simulated devices; those of CUDA and
HIP, which promise less, leave some a SYNC02 less.
"""

from collections.abc import Mapping

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.scheduler.scheduler import Scheduler
from synctrace.tracer.scheduler.split import Split


class OneSlot:
    """What policies begin with: one slot of everything, no wait before the inputs, and all backends
    waited for at the end.
    """

    n_copies = 1
    rotates_inputs = False
    rotates_host_outputs = False
    in_place = False

    def __init__(self, n_copies: int | None = None) -> None:
        """`n_copies`: ring slots, if not those of the class. Raises SynctraceError below 1."""
        if n_copies is not None:
            self.n_copies = n_copies
        if self.n_copies < 1:
            raise SynctraceError(
                f"a ring of {self.n_copies} slots holds nothing: give it one or more"
            )

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        sched.set_inputs(values)  # i

    def compute_split(self, sched: Scheduler, split: Split) -> None:
        raise NotImplementedError(f"{type(self).__name__} has no compute_split: give it one")

    def finish(self, sched: Scheduler) -> None:
        sched.synchronize_all()  # S


class Sassassasg(OneSlot):
    """`sas sas sas g`: the host waits before and behind each copy.

    Before: the split's last graph has read the input copy. Behind: the source is free for the next
    token's inputs and for the CPU split. llama.cpp before March 2026 and again since: a blocking
    copy is a copy and the wait behind it. `check` proves all but two of a split's waits needless.
    Of those two the host needs neither here: the first could be one of the source's stream, the
    last one of the host before it sets the next inputs.

    Verdict: silent
    Syncs: SYNC01 SYNC02
    """

    def compute_split(self, sched: Scheduler, split: Split) -> None:
        for tensor in split.inputs:
            sched.synchronize(split.backend)  # s
            sched.copy_async(split, tensor)  # a
            sched.synchronize(split.backend)  # s
        sched.graph_compute_async(split)  # g


class Saaasg(OneSlot):
    """`s aaa s g`: the host waits once before the copies of a split and once behind them.

    Before: the split's last graph has read the input copies. Behind: the sources are free. That
    second wait is also one for the device before, whose output is among the copies: until it has
    come so far the host issues nothing, so that about two devices work at a time, however many
    there are (SYNC08). llama.cpp #20793. `check` finds both wider than they need to be, like
    the two that `Sassassasg` needs.

    Verdict: silent
    Syncs: SYNC02
    """

    def compute_split(self, sched: Scheduler, split: Split) -> None:
        sched.synchronize(split.backend)  # s
        for tensor in split.inputs:
            sched.copy_async(split, tensor)  # a
        sched.synchronize(split.backend)  # s
        sched.graph_compute_async(split)  # g


class EventPipelined(OneSlot):
    """`E.. i g[CPU] aa r g r  aa r w a g r`: the host waits for nothing but old copies of its own.

    Host tensors rotate like the input copies. Before the host refills a slot it waits for the event
    behind the copies that read it `n_copies` tokens ago. A copy from the host is on the split's own
    stream, whose order puts it behind the graph that read the input copy. One from another device
    is on the stream of its SOURCE: that stream waits for the split's event of this slot.

    Verdict: silent
    Syncs: silent
    """

    n_copies = 4
    rotates_inputs = True
    rotates_host_outputs = True

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        for backend in fed_by_host(sched):
            sched.event_synchronize(sched.copied[backend][sched.cur_copy])  # E
        sched.set_inputs(values)  # i

    def compute_split(self, sched: Scheduler, split: Split) -> None:
        self.copy_from_host(sched, split)
        self.copy_from_devices(sched, split)
        sched.graph_compute_async(split)  # g
        sched.event_record(sched.events[split.backend][sched.cur_copy], split.backend)  # r

    def copy_from_host(self, sched: Scheduler, split: Split) -> None:
        """First, so that the sources are not held until another device is done."""
        tensors = [tensor for tensor in split.inputs if sched.is_on_host(tensor)]
        for tensor in tensors:
            sched.copy_async(split, tensor)  # a
        if tensors:
            sched.event_record(sched.copied[split.backend][sched.cur_copy], split.backend)  # r

    def copy_from_devices(self, sched: Scheduler, split: Split) -> None:
        for tensor in split.inputs:
            if not sched.is_on_host(tensor):
                read = sched.events[split.backend][sched.cur_copy]
                sched.event_wait(sched.home(tensor), read)  # w
                sched.copy_async(split, tensor)  # a

    def finish(self, sched: Scheduler) -> None:
        for backend in dict.fromkeys(sched.home(output) for output in sched.graph.outputs):
            sched.synchronize(backend)  # s


def fed_by_host(sched: Scheduler, inputs: bool = True) -> list[int]:
    """Devices to which some split copies a host tensor. `inputs`: INPUT tensors count too."""
    found = [
        split.backend
        for split in sched.splits
        for tensor in split.inputs
        if sched.is_on_host(tensor) and (inputs or not tensor.is_input)
    ]
    return [backend for backend in dict.fromkeys(found) if backend != sched.host]


RIGHT = (Sassassasg, Saaasg, EventPipelined)
