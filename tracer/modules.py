"""The modules of a recorded process: rows of the trace, and which of them holds an address."""

import struct
from bisect import bisect_right
from collections.abc import Sequence
from pathlib import Path

from synctrace.tracer.columns import Row

_NOTE = struct.Struct("<III")
_GNU_BUILD_ID = 3


def module_rows(found: Sequence[Row]) -> list[Row]:
    """Rows of the `module` table, by load address. `found`: base, size, path, loaded."""
    rows = []
    for number, module in enumerate(sorted(found, key=lambda m: m["base"]), start=1):
        rows.append({"id": number, **module, "build_id": build_id(Path(module["path"]))})
    return rows


def module_at(modules: Sequence[Row], address: int) -> Row | None:
    """The module around an address; `modules` sorted by base."""
    at = bisect_right([m["base"] for m in modules], address) - 1
    if at < 0 or address >= modules[at]["base"] + modules[at]["size"]:
        return None
    return modules[at]


def build_id(path: Path) -> str:
    """GNU build id of an ELF file, hexadecimal; empty if it has none or cannot be read."""
    try:
        with path.open("rb") as file:
            return _build_id(file.read(64 << 10))
    except OSError:
        return ""


def _build_id(head: bytes) -> str:
    """The note lies near the start of every file that common linkers write."""
    if head[:6] != b"\x7fELF\x02\x01":
        return ""
    offset = struct.unpack_from("<Q", head, 32)[0]
    size, count = struct.unpack_from("<HH", head, 54)
    for n in range(count):
        at = offset + n * size
        if at + size > len(head):
            break
        kind, _, start, _, _, length = struct.unpack_from("<IIQQQQ", head, at)
        if kind == 4:
            found = _note(head[start : start + length])
            if found:
                return found
    return ""


def _note(notes: bytes) -> str:
    at = 0
    while at + _NOTE.size <= len(notes):
        name_size, size, kind = _NOTE.unpack_from(notes, at)
        name_at = at + _NOTE.size
        data_at = name_at + (name_size + 3) // 4 * 4
        if kind == _GNU_BUILD_ID and notes[name_at : name_at + 4] == b"GNU\0":
            return notes[data_at : data_at + size].hex()
        at = data_at + (size + 3) // 4 * 4
    return ""
