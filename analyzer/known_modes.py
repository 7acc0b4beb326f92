"""What the code of a trace's kernels says of their accesses, where it was read (kernel_code).

An access by a word of a kernel's parameters is what the code does with that word: a mode that was
not known becomes the code's, and a word by which the code reaches no memory is not used. Where the
code says that a mode is not known, what another source has said of it stays.
"""

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from synctrace.tracer.kinds import Flag, Kind, Mode
from synctrace.tracer.reader import Trace

_HALF, _PART = pa.scalar(1 << 32, pa.uint64()), pa.scalar(7, pa.uint32())
_ZERO = pa.scalar(0, pa.uint32())
_PDL, _PROGRAMMATIC, _DEPENDENT = (
    pa.scalar(int(flag), pa.uint32()) for flag in (Flag.PDL, Flag.PROGRAMMATIC, Flag.DEPENDENT)
)
_EVENT_RECORD = pa.scalar(int(Kind.EVENT_RECORD), pa.uint8())
_UNKNOWN, _MAY, _UNUSED = (
    pa.scalar(int(mode), pa.uint8()) for mode in (Mode.UNKNOWN, Mode.MAY, Mode.UNUSED)
)


def has_modes(trace: Trace) -> bool:
    """Whether kernels' code says something of accesses."""
    return bool(trace.table("kernel_code").num_rows and trace.table("parameter").num_rows)


def accesses(trace: Trace) -> pa.Table:
    """Table access, its modes those that are known by kernels' code."""
    access = trace.table("access")
    if not has_modes(trace):
        return access
    by, said = _said(trace)
    code = said.take(pc.index_in(access["id"], by).combine_chunks())
    own = access["mode"].combine_chunks()
    stays = pc.or_(pc.equal(own, _MAY), pc.and_(_is(code, _UNKNOWN), pc.not_equal(own, _UNKNOWN)))
    mode = pc.if_else(pc.or_(pc.is_null(code), stays), own, code)
    place = access.schema.get_field_index("mode")
    return access.set_column(place, access.schema.field(place), mode)


def _said(trace: Trace) -> tuple[pa.Array, pa.Array]:
    """Accesses by whole words of kernels whose code was read, and the mode that it says of each."""
    code, words, parameter = (trace.table(t) for t in ("kernel_code", "kernel_word", "parameter"))
    read = code.filter(pc.equal(code["why"], ""))["kernel"].combine_chunks()
    is_whole = pc.equal(pc.bit_wise_and(parameter["word"], _PART), _ZERO)
    found = parameter.filter(pc.and_(is_whole, pc.is_in(parameter["kernel"], read)))
    place = pc.index_in(_word(found), _word(words).combine_chunks()).combine_chunks()
    said = pc.fill_null(words["mode"].combine_chunks().take(place), _UNUSED)
    return found["access"].combine_chunks(), said


def _word(table: pa.Table) -> Any:
    """The kernel and the place of the word, in one number."""
    kernel, word = (table[name].cast(pa.uint64()) for name in ("kernel", "word"))
    return pc.add(pc.multiply(kernel, _HALF), word)


def _is(column: Any, value: pa.Scalar) -> Any:
    return pc.fill_null(pc.equal(column, value), False)


@dataclass(frozen=True)
class Early:
    """The code that does not wait for the kernels ahead of it."""

    calls: pa.Array  # call.id of its kernels
    all: bool  # of all kernels it is known that they do not

    @property
    def flags(self) -> Flag:
        """What ops may be that are flagged DEPENDENT."""
        return Flag.PDL | Flag.PROGRAMMATIC if self.all else Flag.PDL


def early(trace: Trace) -> Early | None:
    """None: no kernel's code is known not to wait."""
    code, kernel = trace.table("kernel_code"), trace.table("kernel")
    known = pc.and_(pc.equal(code["why"], ""), pc.equal(code["waits"], pa.scalar(0, pa.uint8())))
    kernels = code.filter(known)["kernel"].combine_chunks()
    if not len(kernels):
        return None
    found = pc.is_in(kernel["id"], kernels)
    return Early(kernel.filter(found)["call"].combine_chunks(), bool(pc.all(found).as_py()))


def with_early(batch: pa.RecordBatch, code: Early) -> pa.RecordBatch:
    """Ops (flags, kind, call) of which dependent launches of this code are PDL, and events of a
    kernel's trigger PROGRAMMATIC where no kernel waits: one behind such an event would be after
    the end."""
    flags = batch["flags"]
    dependent = pc.not_equal(pc.bit_wise_and(flags, _DEPENDENT), _ZERO)
    is_event = pc.equal(batch["kind"], _EVENT_RECORD)
    launch = pc.and_(pc.invert(is_event), pc.is_in(batch["call"], code.calls))
    told = pc.if_else(pc.and_(dependent, launch), pc.bit_wise_or(flags, _PDL), flags)
    if code.all:
        event = pc.and_(dependent, is_event)
        told = pc.if_else(event, pc.bit_wise_or(flags, _PROGRAMMATIC), told)
    columns = [told if name == "flags" else batch[name] for name in batch.schema.names]
    return pa.record_batch(columns, schema=batch.schema)
