"""Allocations and frees: from their arguments and records to ops, and to memory that lives."""

from synctrace.tracer.kinds import Flag, Kind, MemoryKind, Mode
from synctrace.tracer.rocpd.arguments import BYTES, POINTER, host_memory_kind, number
from synctrace.tracer.rocpd.database import Allocated, Call
from synctrace.tracer.rocpd.functions import Allocation, Release
from synctrace.tracer.rocpd.handles import Stream
from synctrace.tracer.rocpd.memory import Bytes
from synctrace.tracer.rocpd.program import Program
from synctrace.tracer.rocpd.rows import Op

_OF_HOST = {
    MemoryKind.PINNED: Kind.ALLOC_PINNED,
    MemoryKind.MAPPED: Kind.ALLOC_MAPPED,
    MemoryKind.WRITE_COMBINED: Kind.ALLOC_WRITE_COMBINED,
}
_MEMORY = {
    Kind.ALLOC_DEVICE: MemoryKind.DEVICE,
    Kind.ALLOC_ASYNC: MemoryKind.DEVICE,
    Kind.ALLOC_MANAGED: MemoryKind.MANAGED,
}


def allocate(
    program: Program, call: Call, what: Allocation, thread: int, stream: Stream | None
) -> Op:
    """The op of an allocation; `stream`: of a stream-ordered one."""
    kind, op_kind = _MEMORY.get(what.kind), what.kind
    if kind is None:
        kind = host_memory_kind(number(call.arguments, "flags") or 0)
        op_kind = _OF_HOST[kind]
    device = stream.device if stream else program.device(thread)
    op = Op(op_kind, stream.actor if stream else 0, device=device)
    wanted = number(call.arguments, *BYTES)
    found = _of_this_call(program, call, wanted, kind)
    memory = None
    if found:
        lies_on = program.ordinal(found.agent)
        device = device if lies_on is None else lies_on
        size = min(wanted or found.size, found.size)
        is_pool = what.kind is Kind.ALLOC_ASYNC
        ticket = program.tickets.next
        memory = program.memories.allocate(found.address, size, kind, device, ticket, is_pool)
        op.device = op.device if stream else device
    if memory and stream:
        op.accesses.append(program.memories.whole(memory))
    program.coverage["allocations_without_address"] += memory is None
    return op


def _of_this_call(
    program: Program, call: Call, wanted: int | None, kind: MemoryKind
) -> Allocated | None:
    """What was made for the program: the runtime may have made more, for itself, before."""
    found = program.calls.allocated(call.number)
    found = [each for each in found if each.size >= (wanted or 1)]
    if kind is MemoryKind.DEVICE:
        on_gpu = [each for each in found if program.ordinal(each.agent) is not None]
        found = on_gpu or found
    return min(reversed(found), key=lambda each: each.size, default=None)


def release(program: Program, call: Call, what: Release, stream: Stream | None) -> Op | None:
    """The op of a free; None: of what is not in the database."""
    address = number(call.arguments, *POINTER)
    if address is None:
        return None
    op = Op(what.kind, stream.actor if stream else 0, device=stream.device if stream else -1)
    if not address:
        op.flags |= Flag.NOOP
        return op
    if what.kind is Kind.HOST_UNREGISTER:
        _unregister(program, op, address)
        return op
    memory = program.memories.free(address)
    program.coverage["frees_of_unknown_memory"] += memory is None
    if memory:
        op.accesses.append(program.memories.whole(memory))
        op.device = stream.device if stream else memory.device
        if not stream:  # whichever function frees it
            op.kind = Kind.FREE_HOST if memory.is_host else Kind.FREE
    if op.kind is Kind.FREE:
        op.flags |= Flag.POOL if memory and memory.pool else Flag.IMPLICIT_SYNC
    return op


def register(program: Program, call: Call, thread: int) -> Op:
    """The op of hipHostRegister."""
    address, size = number(call.arguments, "hostPtr"), number(call.arguments, *BYTES)
    if address and size:
        program.registered[address] = size, program.device(thread)
        program.memories.register(address, size, program.tickets.next + 1)
    return Op(Kind.HOST_REGISTER, device=program.device(thread))


def _unregister(program: Program, op: Op, address: int) -> None:
    if address not in program.registered:
        return
    size, op.device = program.registered.pop(address)
    ticket = program.tickets.next
    op.accesses.append(program.memories.access(Bytes(address, size), Mode.WRITE, False, ticket))
    program.memories.unregister(address, size, ticket + 1)
