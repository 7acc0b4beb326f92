"""What the examples compute with: memory full of one 64-bit word, and a kernel that adds one."""

from collections.abc import Sequence

from synctrace.tracer.scheduler.device import Kernel

SIZE = 512  # bytes of every buffer here


def words(value: int) -> bytes:
    """SIZE bytes, all words of which are `value`."""
    return value.to_bytes(8, "little") * (SIZE // 8)


def _add_one(reads: Sequence[memoryview], writes: Sequence[memoryview]) -> None:
    out = writes[0].cast("Q")
    for i, word in enumerate(reads[0].cast("Q")):
        out[i] = (word + 1) & (2**64 - 1)


ADD_ONE = Kernel("add_one", _add_one, "writes0[i] = reads0[i] + 1;")
