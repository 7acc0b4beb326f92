"""Names return addresses: function by ELF symbol tables, file and line by debug info."""

import mmap
import re
import shutil
import struct
import subprocess
import time
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from synctrace.tracer.columns import Row
from synctrace.tracer.modules import module_at

LINES_SECONDS = 20.0  # for all modules together: afterwards frames stay without lines

_SECTION = struct.Struct("<IIQQQQIIQQ")
_SYMBOL = struct.Struct("<IBBHQQ")
_SYMTAB, _DYNSYM, _FUNCTION, _GNU_IFUNC = 2, 11, 2, 10
_LINE = re.compile(r"^(?P<file>.+):(?P<line>\d+)(?: \(discriminator \d+\))?$")


@dataclass(frozen=True)
class Symbols:
    """Functions of one ELF file, by start; and whether addr2line could say more."""

    starts: tuple[int, ...]
    ends: tuple[int, ...]
    names: tuple[str, ...]
    has_lines: bool

    def name_at(self, offset: int) -> str:
        """`function+0x12` for an offset from the load address; empty if no function holds it."""
        at = bisect_right(self.starts, offset) - 1
        if at < 0 or (self.ends[at] > self.starts[at] and offset >= self.ends[at]):
            return ""
        return self.names[at]


NO_SYMBOLS = Symbols((), (), (), False)


def frame_rows(addresses: Sequence[int], modules: Sequence[Row]) -> list[Row]:
    """Rows of the `frame` table. `modules` are rows of the `module` table, sorted by base."""
    rows = [_row(address, module_at(modules, address)) for address in addresses]
    deadline = time.monotonic() + LINES_SECONDS
    for module in modules:
        own = [row for row in rows if row["module"] == module["id"]]
        if own:
            _name(own, module, deadline)
    _demangle(rows)
    return rows


def _row(address: int, module: Row | None) -> Row:
    number = module["id"] if module else 0
    return {"address": address, "module": number, "function": "", "file": "", "line": 0}


def _name(rows: Sequence[Row], module: Row, deadline: float) -> None:
    """A return address lies after its call: the call is what is looked up."""
    path = Path(module["path"])
    symbols = read_symbols(path)
    offsets = [row["address"] - module["base"] - 1 for row in rows]
    for row, offset in zip(rows, offsets, strict=True):
        row["function"] = symbols.name_at(offset)
    if symbols.has_lines and time.monotonic() < deadline:
        lines = _lines(path, offsets, deadline - time.monotonic())
        for row, offset in zip(rows, offsets, strict=True):
            row["file"], row["line"] = lines.get(offset, ("", 0))


def read_symbols(path: Path) -> Symbols:
    """Functions of an ELF file; none if it cannot be read or is of another kind."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _read(data)
    except (OSError, ValueError, struct.error):
        return NO_SYMBOLS


def _read(data: mmap.mmap) -> Symbols:
    if data[:6] != b"\x7fELF\x02\x01":
        return NO_SYMBOLS
    table = struct.unpack_from("<Q", data, 40)[0]
    size, count, names_at = struct.unpack_from("<HHH", data, 58)
    sections = [_SECTION.unpack_from(data, table + n * size) for n in range(count)]
    names = sections[names_at][4] if names_at < count else 0
    has_lines = any(_string(data, names + s[0]) == ".debug_line" for s in sections)
    found: dict[int, tuple[int, str]] = {}
    for section in sections:
        if section[1] in (_SYMTAB, _DYNSYM):
            strings = sections[section[6]][4]
            _functions(data, section[4], section[5], strings, found)
    starts = tuple(sorted(found))
    ends = tuple(start + found[start][0] for start in starts)
    return Symbols(starts, ends, tuple(found[start][1] for start in starts), has_lines)


def _functions(
    data: mmap.mmap, at: int, size: int, strings: int, found: dict[int, tuple[int, str]]
) -> None:
    for name, info, _, section, value, length in _SYMBOL.iter_unpack(data[at : at + size]):
        if section and info & 15 in (_FUNCTION, _GNU_IFUNC) and value not in found:
            found[value] = (length, _string(data, strings + name))


def _string(data: mmap.mmap, at: int) -> str:
    return data[at : data.find(b"\0", at)].decode("utf-8", "replace")


def _lines(path: Path, offsets: Sequence[int], seconds: float) -> Mapping[int, tuple[str, int]]:
    """File and line of each offset that addr2line knows."""
    answer = _run(["addr2line", "-e", str(path)], (f"{o:#x}" for o in offsets), seconds)
    lines = {}
    for offset, text in zip(offsets, answer, strict=False):
        match = _LINE.match(text)
        if match and match["file"] != "??" and match["line"] != "0":
            lines[offset] = (match["file"], int(match["line"]))
    return lines


def _demangle(rows: Sequence[Row]) -> None:
    mangled = [row for row in rows if row["function"].startswith("_Z")]
    answer = _run(["c++filt"], (row["function"] for row in mangled), LINES_SECONDS)
    for row, name in zip(mangled, answer, strict=False):
        row["function"] = name


def _run(command: Sequence[str], lines: Any, seconds: float) -> list[str]:
    """Output lines of a tool fed with lines; none if it is not here, fails or takes too long."""
    text = "".join(f"{line}\n" for line in lines)
    if not text or not shutil.which(command[0]):
        return []
    try:
        done = subprocess.run(
            command, input=text, capture_output=True, text=True, timeout=seconds, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return []
    return done.stdout.splitlines()
