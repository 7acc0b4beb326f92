"""Copies and fills: from their arguments to ops."""

from synctrace.tracer.kinds import Flag, Kind, Mode
from synctrace.tracer.rocpd.arguments import (
    BYTES,
    SOURCE,
    TARGET,
    Arguments,
    Direction,
    direction,
    direction_by_name,
    number,
)
from synctrace.tracer.rocpd.database import Call
from synctrace.tracer.rocpd.functions import Copy, Fill, Shape
from synctrace.tracer.rocpd.handles import Stream
from synctrace.tracer.rocpd.memory import Bytes, Memory, in_rows
from synctrace.tracer.rocpd.program import Program
from synctrace.tracer.rocpd.rows import Op

_KINDS = {
    (Direction.H2D, True): Kind.MEMCPY_ASYNC_H2D,
    (Direction.D2H, True): Kind.MEMCPY_ASYNC_D2H,
    (Direction.D2D, True): Kind.MEMCPY_ASYNC_D2D,
    (Direction.H2H, True): Kind.MEMCPY_H2H,  # there is no asynchronous one
    (Direction.H2D, False): Kind.MEMCPY_H2D,
    (Direction.D2H, False): Kind.MEMCPY_D2H,
    (Direction.D2D, False): Kind.MEMCPY_D2D,
    (Direction.H2H, False): Kind.MEMCPY_H2H,
}


def copy(program: Program, call: Call, what: Copy, stream: Stream) -> Op:
    """The op of a copy on this stream."""
    source, target = _ends(call.arguments, what.shape)
    memories = tuple(_memory(program, end) for end in (source, target))
    found = _direction(program, call, what, memories)
    # A copy of which not even that is known is taken for the one that gives most order.
    towards = found or Direction.D2H
    kind = _KINDS[towards, what.is_async]
    if what.peer:
        kind = Kind.MEMCPY_ASYNC_PEER if what.is_async else Kind.MEMCPY_PEER
    op = Op(kind, stream.actor, device=stream.device)
    if any(end is not None and not end.size for end in (source, target)):
        op.flags |= Flag.NOOP
        return op
    devices = _devices(program, call, what, towards, memories)
    _between(program, op, stream, devices)
    if found is None:
        source = target = None
    of_devices = towards.ends
    modes = (Mode.READ, Mode.WRITE)
    for end, mode, on_device in zip((source, target), modes, of_devices, strict=True):
        op.accesses.append(_access(program, end, mode, on_device))
    op.accesses = list(dict.fromkeys(op.accesses))
    program.coverage["copies_without_ranges"] += program.rows.unknown() in op.accesses
    return op


def fill(program: Program, call: Call, what: Fill, stream: Stream) -> Op:
    """The op of a fill on this stream."""
    kind = Kind.MEMSET_ASYNC if what.is_async else Kind.MEMSET
    op = Op(kind, stream.actor, device=stream.device)
    target = _filled(call.arguments, what)
    if target is not None and not target.size:
        op.flags |= Flag.NOOP
        return op
    memory = _memory(program, target)
    if memory and target and target.address > memory.base and kind is Kind.MEMSET:
        op.flags |= Flag.OFFSET
    op.accesses.append(_access(program, target, Mode.WRITE, True))
    program.coverage["fills_without_ranges"] += program.rows.unknown() in op.accesses
    return op


def _access(program: Program, end: Bytes | None, mode: Mode, is_device: bool) -> int:
    if end is None:
        return program.rows.unknown()
    return program.memories.access(end, mode, is_device, program.tickets.next)


def _memory(program: Program, end: Bytes | None) -> Memory | None:
    return program.memories.at(end.address, end.size) if end and end.size else None


def _ends(arguments: Arguments, shape: Shape) -> tuple[Bytes | None, Bytes | None]:
    """What is read and what is written; None: not known."""
    source, target = number(arguments, *SOURCE), number(arguments, *TARGET)
    if shape is Shape.UNKNOWN:
        return None, None
    if shape is Shape.ROWS:
        width, height = number(arguments, "width"), number(arguments, "height")
        return (
            _rows(source, number(arguments, "spitch"), width, height),
            _rows(target, number(arguments, "dpitch"), width, height),
        )
    size = number(arguments, *BYTES)
    return (
        None if shape is Shape.FROM_UNKNOWN else _linear(source, size),
        None if shape is Shape.TO_UNKNOWN else _linear(target, size),
    )


def _filled(arguments: Arguments, what: Fill) -> Bytes | None:
    target = number(arguments, *TARGET)
    if what.shape is Shape.ROWS:
        width, height = number(arguments, "width"), number(arguments, "height")
        width = None if width is None else width * what.unit
        return _rows(target, number(arguments, "pitch", "dstPitch"), width, height)
    if what.shape is Shape.UNKNOWN:
        return None
    size = number(arguments, *BYTES)
    return _linear(target, None if size is None else size * what.unit)


def _linear(address: int | None, size: int | None) -> Bytes | None:
    return None if not address or size is None else Bytes(address, size)


def _rows(
    address: int | None, pitch: int | None, width: int | None, height: int | None
) -> Bytes | None:
    if not address or pitch is None or width is None or height is None:
        return None
    return in_rows(address, pitch, width, height)


def _direction(
    program: Program, call: Call, what: Copy, memories: tuple[Memory | None, ...]
) -> Direction | None:
    """By the memory of both ends as far as it is known, then by the call, then by its record."""
    told = what.direction or direction(call.arguments)
    if told is None and call.work:
        told = direction_by_name(call.work.direction)
    ends: list[bool | None] = list(told.ends) if told else [None, None]
    for place, memory in enumerate(memories):
        known = memory.is_device if memory else None
        ends[place] = ends[place] if known is None else known
    first, second = ends
    return None if first is None or second is None else Direction.between(first, second)


def _devices(
    program: Program,
    call: Call,
    what: Copy,
    towards: Direction,
    memories: tuple[Memory | None, ...],
) -> list[int | None]:
    """Device of the source and the target; None: host memory, or not known."""
    found: list[int | None] = []
    named = (("srcDeviceId", "srcDevice"), ("dstDeviceId", "dstDevice"))
    ran = (call.work.source_agent, call.work.target_agent) if call.work else (None, None)
    for memory, names, agent, on_device in zip(memories, named, ran, towards.ends, strict=True):
        if not on_device:
            found.append(None)
        elif what.peer and number(call.arguments, *names) is not None:
            found.append(number(call.arguments, *names))
        else:
            found.append(memory.device if memory else program.ordinal(agent))
    return found


def _between(program: Program, op: Op, stream: Stream, devices: list[int | None]) -> None:
    """Which devices the copy concerns besides its stream's."""
    known = [device for device in devices if device is not None and device < 256]
    if len(set(known)) > 1 or op.kind is Kind.MEMCPY_PEER:
        op.flags |= Flag.ACROSS
    other = next((device for device in known if device != stream.device), None)
    if other is not None:
        op.peer = program.streams.legacy(other, program.tickets.next).actor
    if op.kind is Kind.MEMCPY_PEER and devices[1] is not None:
        op.device = devices[1]
