"""Which ops a part of a profile speaks of: kinds, host memory, flags and size."""

from dataclasses import dataclass, fields, replace
from typing import Any, Self

from synctrace.tracer.kinds import Flag, Kind, MemoryKind

MOST_BYTES = (1 << 64) - 1
_NO_FLAGS = Flag(0)


@dataclass(frozen=True, kw_only=True)
class Conditions:
    """Ops of these kinds. Empty memory: any. Bytes are those of its largest access, inclusive."""

    kinds: tuple[Kind, ...]
    memory: tuple[MemoryKind, ...] = ()  # of the host-side range
    with_flags: Flag = _NO_FLAGS
    without_flags: Flag = _NO_FLAGS
    min_bytes: int = 0
    max_bytes: int = MOST_BYTES

    def matches(self, kind: Kind, memory: MemoryKind, flags: Flag, size: int = 0) -> bool:
        """Whether such an op of `size` bytes is meant."""
        return (
            kind in self.kinds
            and (not self.memory or memory in self.memory)
            and flags & self.with_flags == self.with_flags
            and not flags & self.without_flags
            and self.min_bytes <= size <= self.max_bytes
        )

    def meet(self, other: "Conditions") -> "Conditions | None":
        """The ops of both; None if there can be none."""
        kinds = tuple(kind for kind in self.kinds if kind in other.kinds)
        memory = self.memory or other.memory
        if self.memory and other.memory:
            memory = tuple(kind for kind in self.memory if kind in other.memory)
            if not memory:
                return None
        both = Conditions(
            kinds=kinds,
            memory=memory,
            with_flags=self.with_flags | other.with_flags,
            without_flags=self.without_flags | other.without_flags,
            min_bytes=max(self.min_bytes, other.min_bytes),
            max_bytes=min(self.max_bytes, other.max_bytes),
        )
        if not kinds or both.with_flags & both.without_flags or both.min_bytes > both.max_bytes:
            return None
        return both

    def same_ops(self, other: "Conditions") -> bool:
        """Whether the two mean the same ops."""
        return self.as_conditions() == other.as_conditions()

    def as_conditions(self) -> dict[str, Any]:
        """The conditions alone, by name: for making another part of them."""
        return {f.name: getattr(self, f.name) for f in fields(Conditions)}

    def only(self, conditions: "Conditions") -> Self:
        """The same part, of these ops alone."""
        return replace(self, **conditions.as_conditions())
