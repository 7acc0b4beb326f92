"""Wrong policies that llama.cpp had, or nearly had; each with the fix that it got or needs.

The docstrings end as those of `policy` do. R1, R2: the two races of the scheduler's asynchronous
input copies, the user's inputs and the output of the CPU split.
"""

from collections.abc import Mapping

from synctrace.tracer.scheduler.policy import RIGHT, EventPipelined, OneSlot, fed_by_host
from synctrace.tracer.scheduler.scheduler import Scheduler
from synctrace.tracer.scheduler.split import Split


class InputsRewritten(OneSlot):
    """`i g[CPU] wa Ea Ea g r`: no host wait but for the split's event of the slot (#17795).

    R1: the host sets the next token's inputs while copies of this token's are pending, which the
    graph in flight is still to get. The input copies have four slots, but the source is one.
    R2: the CPU split does the same to its output. And `w`, for what is no input, makes the backend
    wait for itself (`WaitOnOwnEvent`). llama.cpp #17795, reverted in #20463 for wrong perplexity
    on several GPUs.

    Verdict: RACE04 RACE05
    Syncs: SYNC01
    """

    n_copies = 4

    def compute_split(self, sched: Scheduler, split: Split) -> None:
        event = sched.events[split.backend][sched.cur_copy]
        for tensor in split.inputs:
            if tensor.is_input:
                sched.event_synchronize(event)  # E
            else:
                sched.event_wait(split.backend, event)  # w
            sched.copy_async(split, tensor)  # a
        sched.graph_compute_async(split)  # g
        sched.event_record(event, split.backend)  # r


class SynchronizedBeforeInputs(InputsRewritten):
    """`S i g[CPU] wa Ea Ea g r`: the fix of #20927, all backends waited for before the inputs.

    Right for R1, R2 and the slot at once, and more than is needed: only the copies have to be done.
    No token is given to the first device before the last device has done the one before. Every
    other wait is needless behind it.

    Verdict: silent
    Syncs: SYNC01 SYNC02
    """

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        sched.synchronize_all()  # S
        sched.set_inputs(values)  # i


class SourceOverwritten(OneSlot):
    """`i g[CPU] s aaa g`: `Saaasg` without its second wait.

    The wait before the copies is for the graph that read the input copies. Nothing tells the host
    that the copies have left their sources when it sets the next inputs. What is left of #20793
    when the wait between copies and graph is taken for needless, as it looks on one idle device.

    Verdict: RACE04
    Syncs: silent
    """

    def compute_split(self, sched: Scheduler, split: Split) -> None:
        sched.synchronize(split.backend)  # s
        for tensor in split.inputs:
            sched.copy_async(split, tensor)  # a
        self.copied(sched, split)
        sched.graph_compute_async(split)  # g

    def copied(self, sched: Scheduler, split: Split) -> None:
        """Behind the copies of a split."""


class WaitForCopies(SourceOverwritten):
    """`E.. i g[CPU] s aaa r g`: the host waits for the copies' own event before it sets inputs.

    One event for all slots, since there is one source. The graph behind the copies may still run,
    though not for long: the wait before the next copies, over-broad as in `Saaasg`, is for it.
    Needless are the events of all devices but the last, whose copies from the host come behind one
    from the device before.

    Verdict: silent
    Syncs: SYNC01 SYNC02
    """

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        for backend in fed_by_host(sched):
            sched.event_synchronize(sched.copied[backend][0])  # E
        sched.set_inputs(values)  # i

    def copied(self, sched: Scheduler, split: Split) -> None:
        sched.event_record(sched.copied[split.backend][0], split.backend)  # r


class CpuOutputNotRotated(EventPipelined):
    """`i g[CPU] a r Ec g r  Ec Ec wa g r`: inputs copied blocking, the CPU split's output not.

    R2: the INPUT tensors are safe, since their copies are done at return, behind the wait for the
    graph that read the slot. The output of the CPU split is copied asynchronously, and the next
    token's CPU split writes it without a wait. It is host memory, but not flagged INPUT: nothing
    rotates it. Today's scheduler with its pipeline copies on a backend that takes such a copy.

    Verdict: RACE04
    Syncs: SYNC01 SYNC02
    """

    rotates_inputs = False
    rotates_host_outputs = False

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        sched.set_inputs(values)  # i

    def copy_from_host(self, sched: Scheduler, split: Split) -> None:
        made = [t for t in split.inputs if sched.is_on_host(t) and not t.is_input]
        for tensor in made:
            sched.copy_async(split, tensor)  # a
        if made:
            sched.event_record(sched.copied[split.backend][sched.cur_copy], split.backend)  # r
        for tensor in split.inputs:
            if tensor.is_input:
                sched.event_synchronize(sched.events[split.backend][sched.cur_copy])  # E
                sched.copy(split, tensor)  # c


class CpuOutputRotated(CpuOutputNotRotated):
    """`E i g[CPU] a r Ec g r  Ec Ec wa g r`: the output has slots, and a wait before each.

    Slots alone give no order. When the CPU split of a token runs, the host has last waited for the
    graph of `n_copies + 1` tokens ago; the slot was read by the copy behind that one.

    Verdict: silent
    Syncs: SYNC01 SYNC02
    """

    rotates_host_outputs = True

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        for backend in fed_by_host(sched, inputs=False):
            sched.event_synchronize(sched.copied[backend][sched.cur_copy])  # E
        sched.set_inputs(values)  # i


class WaitOnOwnEvent(EventPipelined):
    """`E.. i g[CPU] aa r g r  aa r w a g r`: the split's backend waits for its own event.

    The letters are those of `EventPipelined`, where `w` is a wait of the source's backend. For its
    own event a stream that runs in order need not wait: here `w` does nothing. The copy from
    another device is on the source's stream, which nothing holds back: it overwrites the slot while
    the graph of `n_copies` tokens ago may still read it. Timing hides it, the more slots the
    better. ggml's scheduler with CUDA between two GPUs (`event_wait(split_backend,
    events[split_backend][cur_copy])`). The fix is `EventPipelined`.

    Verdict: RACE05
    Syncs: SYNC01
    """

    def copy_from_devices(self, sched: Scheduler, split: Split) -> None:
        for tensor in split.inputs:
            if not sched.is_on_host(tensor):
                sched.event_wait(split.backend, sched.events[split.backend][sched.cur_copy])  # w
                sched.copy_async(split, tensor)  # a


class InputsInPlace(EventPipelined):
    """`i g[CPU] g r  wa g r`: the graphs read the host's inputs where they are, nothing is copied.

    On an integrated GPU host memory is as good as its own. Then a graph in flight is a reader of
    the INPUT tensors and of the CPU split's output, and the next token's are written without a
    wait. llama.cpp #28056.

    Verdict: RACE04 RACE05
    Syncs: silent
    """

    n_copies = 1
    in_place = True

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        sched.set_inputs(values)  # i


class WaitForGraphs(InputsInPlace):
    """`E.. i g[CPU] g r  wa g r`: inputs are set behind the event of each graph that reads them.

    That covers the wait for the slot of a copy from another device as well.

    Verdict: silent
    Syncs: SYNC01
    """

    def set_inputs(self, sched: Scheduler, values: Mapping[str, bytes]) -> None:
        for backend in range(sched.host):
            sched.event_synchronize(sched.events[backend][sched.cur_copy])  # E
        sched.set_inputs(values)  # i


# Each wrong one and its fix.
FIXES: dict[type[OneSlot], type[OneSlot]] = {
    InputsRewritten: SynchronizedBeforeInputs,
    SourceOverwritten: WaitForCopies,
    CpuOutputNotRotated: CpuOutputRotated,
    WaitOnOwnEvent: EventPipelined,
    InputsInPlace: WaitForGraphs,
}
# All there are, a wrong one before its fix.
POLICIES: tuple[type[OneSlot], ...] = tuple(
    dict.fromkeys((*RIGHT, *(policy for pair in FIXES.items() for policy in pair)))
)
