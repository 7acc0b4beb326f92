"""Decisions drawn from the bytes of an input: the same bytes, the same decisions."""

from collections.abc import Sequence
from typing import Any, TypeVar

T = TypeVar("T")

# Numbers at the edges of what columns can hold, and small ones that name rows.
EDGES = (
    *(0, 1, 2, 3, 4, 7, 8, 16, 64, 255, 256, 65_535, 65_536, 1 << 20, 1 << 24),
    *(2**31 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**32, 2**40, 2**53, 2**60 - 1, 2**60, 2**62),
    *(2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1, -1, -2, -128, -(2**31), -(2**60), -(2**63)),
)
TEXTS = (
    *(b"", b"a", b"\xff\xfe", b"\xed\xa0\x80", b"two\nlines", b"\x1b[31m", b"x" * 10_000),
    *(b"'; DROP TABLE op; --", b"$(touch owned)", b"../../../etc/passwd", b"\x00", b"{0} %s"),
    *("\u202e\u2028".encode(), "größe <T>".encode(), b"::error::x", b"]]>", b"```"),
)


class Drawn:
    """Reads an input from its start; at its end every decision is the first choice."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def __bool__(self) -> bool:
        return self.at < len(self.data)

    def number(self, below: int) -> int:
        """A number from 0 up to `below`, of as many bytes as that needs."""
        size = max(1, ((below - 1).bit_length() + 7) // 8)
        part = self.data[self.at : self.at + size]
        self.at += size
        return int.from_bytes(part, "little") % max(1, below)

    def one(self, choices: Sequence[T]) -> T:
        """One of these."""
        return choices[self.number(len(choices))]

    def edge(self) -> int:
        """A number at some edge, or a small one."""
        return self.one(EDGES) if self.number(4) else self.number(256)

    def json(self) -> Any:
        """A value that JSON has, or nearly has."""
        deep: Any = 0
        for _ in range(200):
            deep = [deep]
        return self.one(
            (
                *(None, True, False, "", "a", "a" * 300, [], {}, [[]], {"a": {}}, deep),
                *(self.edge(), self.edge(), 0.5, float("nan"), 1e308, 10**400),
                *(["a", 0, 8], ["b", 0, 2, 3, 4], "\n", "\u202e", "\udc80"),
            )
        )
