"""Memory of a case: what no program could do with it.

Memory that is used behind its free, or freed under a pending copy, or by two threads, is what rules
look for: a case may say it.
"""

from collections.abc import Sequence

from synctrace.tracer.kinds import MemoryKind
from synctrace.tracer.operation import CaseOp, Range, Wrong

_FREES = ("free", "free_host", "free_async", "cache_free")
# The allocations whose memory each of these calls can take.
_TAKES = {
    "free_host": ("alloc_pageable", "alloc_pinned", "alloc_mapped", "alloc_write_combined"),
    "free": ("alloc_device", "alloc_managed", "alloc_async"),
    "free_async": ("alloc_async", "alloc_device", "alloc_managed"),
    "cache_free": ("cache_alloc",),
    "record_stream": ("cache_alloc",),
    "host_register": ("alloc_pageable",),
    "host_unregister": ("alloc_pageable",),
}
# Memory that the source and the target of a copy cannot be, by the end of its name.
_HOST, _DEVICE = (MemoryKind.DEVICE,), (MemoryKind.PAGEABLE,)
_SIDES = {
    "h2d": (_HOST, _DEVICE),
    "d2h": (_DEVICE, _HOST),
    "d2d": (_DEVICE, _DEVICE),
    "peer": (_DEVICE, _DEVICE),
    "h2h": (_HOST, _HOST),
}


def check_memory(ops: Sequence[CaseOp]) -> None:
    """Raises Wrong for the first use of memory that means nothing."""
    buffers = _Buffers(ops)
    for i, op in enumerate(ops):
        if op.op.startswith("memcpy"):
            _check_sizes(i, op)
        if not op.has("failed"):
            buffers.see(i, op)


def _check_sizes(i: int, op: CaseOp) -> None:
    """Both sides of a copy have as many bytes.

    Where only one side has rows, the other is the plain memory that they are packed in, perhaps
    with room to spare.
    """
    read, written = _bytes(op.reads), _bytes(op.writes)
    rows_read, rows_written = (any(r.pitch for r in side) for side in (op.reads, op.writes))
    if read == written or (rows_written and not rows_read and read > written):
        return
    if rows_read and not rows_written and written > read:
        return
    raise Wrong(
        f"ops[{i}].writes: {op.op} reads {read} bytes and writes {written}, "
        "expected as many on both sides"
    )


def _bytes(ranges: Sequence[Range]) -> int:
    return sum(r.width * r.height if r.pitch else r.size for r in ranges)


class _Buffers:
    """Follows a case from its first op to its last. Tables by name of buffer, of op indexes."""

    def __init__(self, ops: Sequence[CaseOp]) -> None:
        self.ops = ops
        self.born: dict[str, int] = {}  # last allocation, also once it is freed
        self.used: dict[str, int] = {}  # first use of memory that nothing has allocated
        self.registered: dict[str, int] = {}
        self.freed: dict[str, int] = {}  # last free, unless it was allocated again
        self.in_graphs: set[str] = set()  # allocated or freed at each launch of a graph

    def see(self, i: int, op: CaseOp) -> None:
        """A call that did not fail."""
        if "captured_in" in op.attrs and op.word.whole:
            self.in_graphs.add(op.writes[0].buffer)
        allocates = op.word.memory is not None
        for field, ranges in (("reads", op.reads), ("writes", op.writes)):
            for k, each in enumerate(ranges):
                at = f"ops[{i}].{field}[{k}]: {each.buffer}"
                if each.buffer in self.in_graphs:
                    continue
                if allocates:
                    self._allocate(i, at, each.buffer)
                else:
                    self._use(i, op, at, each, field == "reads")

    def _allocate(self, i: int, at: str, buffer: str) -> None:
        if buffer in self.born and buffer not in self.freed:
            raise Wrong(
                f"{at} is there since ops[{self.born[buffer]}], "
                "expected another name or a free before"
            )
        if buffer in self.used and buffer not in self.freed:
            raise Wrong(
                f"{at} is used in ops[{self.used[buffer]}], "
                "expected its allocation before its first use"
            )
        self.born[buffer] = i
        for table in (self.freed, self.registered):
            table.pop(buffer, None)

    def _use(self, i: int, op: CaseOp, at: str, each: Range, is_source: bool) -> None:
        buffer = each.buffer
        if buffer in self.born:
            self._check_kind(op, at, buffer, is_source)
            self._check_end(at, each)
        else:
            self.used.setdefault(buffer, i)
        if op.op in _FREES:
            self._free(i, op, at, buffer)
        elif op.op == "host_register":
            if buffer in self.registered:
                raise Wrong(
                    f"{at} is registered since ops[{self.registered[buffer]}], "
                    "expected a host_unregister before"
                )
            self.registered[buffer] = i
        elif op.op == "host_unregister":
            if buffer not in self.registered:
                raise Wrong(f"{at} is not registered, expected a host_register before")
            del self.registered[buffer]

    def _check_kind(self, op: CaseOp, at: str, buffer: str, is_source: bool) -> None:
        """The call can take memory of the kind that it was allocated as."""
        born = self.ops[self.born[buffer]]
        is_what = f"{at} is memory of {born.op} in ops[{self.born[buffer]}]"
        takes = _TAKES.get(op.op)
        if takes and born.op not in takes:
            raise Wrong(f"{is_what}, {op.op} expected memory of {' or '.join(takes)}")
        if op.op.startswith("memcpy") and buffer not in self.registered:
            cannot = _SIDES[op.op.rsplit("_", 1)[1]][0 if is_source else 1]
            if born.word.memory in cannot and "mem" not in born.attrs:
                where = "host" if cannot is _HOST else "device"
                side = "source" if is_source else "target"
                raise Wrong(f"{is_what}, {op.op} expected {where} memory as its {side}")

    def _check_end(self, at: str, each: Range) -> None:
        born = self.ops[self.born[each.buffer]].writes[0]
        if each.end > born.end:
            raise Wrong(
                f"{at} ends at byte {born.end} by ops[{self.born[each.buffer]}], "
                f"expected a range within it, not one to {each.end}"
            )

    def _free(self, i: int, op: CaseOp, at: str, buffer: str) -> None:
        """Frees by two threads are a question of order; by one they are none."""
        before = self.freed.get(buffer)
        if before is not None and self.ops[before].thread == op.thread:
            raise Wrong(f"{at} was freed in ops[{before}], expected an allocation before")
        self.freed[buffer] = i
        self.registered.pop(buffer, None)
