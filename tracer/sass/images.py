"""Where the code of a recorded CUDA program's kernels is: code.txt in its trace.

A line for each loaded image: `gpu SM`, `file OFFSET SIZE PATH` (bytes of a file; size 0: all),
`copied HASH SIZE` (code-HASH.bin in the trace), `source` (PTX, which the driver compiles),
`left SIZE` (not copied). `entry NAME` is a kernel of PTX.
"""

import re
import shutil
import struct
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from synctrace.tracer.columns import Row
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.modules import module_at
from synctrace.tracer.schema import CODE_FILE, code_copy

LOADED_SEGMENT = 1
ENTRY = re.compile(rb"\.entry\s+([\w$]+)")


@dataclass(frozen=True)
class Images:
    """What was loaded: the GPU (90 for sm_90; 0: not known), images, and those not to be had."""

    gpu: int
    contents: tuple[tuple[int, bytes], ...]  # with kernel.code of its kernels; 0: not known
    lost: tuple[str, ...]  # in words
    sources: frozenset[str] = frozenset()  # kernels that the driver compiled from PTX


def keep_images(folder: Path, modules: Sequence[Row], trace: Path) -> None:
    """Put what the recorder left of one process into its trace. What fails is told in it."""
    try:
        lines = (folder / "code").read_text(errors="replace").splitlines()
    except OSError:
        return
    kept = []
    for line in dict.fromkeys(lines):
        try:
            kept += _kept(folder, modules, trace, line)
        except ValueError:  # cut off: the disk was full
            kept.append("left 0")
    with suppress(OSError):
        (trace / CODE_FILE).write_text("".join(f"{line}\n" for line in dict.fromkeys(kept)))


def _entries(text: Path) -> list[str]:
    """A line for each kernel of a PTX text; none if it is not there."""
    with suppress(OSError):
        return [f"entry {name.decode()}" for name in ENTRY.findall(text.read_bytes())]
    return []


def _kept(folder: Path, modules: Sequence[Row], trace: Path, line: str) -> list[str]:
    """Lines of code.txt for one of the recorder's. Raises ValueError if it is none of those."""
    word, _, rest = line.partition(" ")
    if word == "mapped":
        address, size = map(int, rest.split())
        return [_in_file(modules, address, size)]
    if word == "file":
        return [f"file 0 0 {rest}"]
    if word == "copied":
        name, length = rest.split()
        try:
            shutil.copyfile(folder / f"code-{name}", trace / code_copy(name))
        except OSError:
            (trace / code_copy(name)).unlink(missing_ok=True)
            return [f"left {length}"]
        return [line]
    if word == "source":
        return ["source", *_entries(folder / f"code-{rest.partition(' ')[0]}")]
    if word not in ("gpu", "left"):
        raise ValueError(line)
    return [f"{word} {int(rest)}"]


def _in_file(modules: Sequence[Row], address: int, size: int) -> str:
    """The bytes of a module's file that were mapped there."""
    module = module_at(modules, address)
    if module:
        with suppress(OSError, struct.error), Path(module["path"]).open("rb") as file:
            offset = _offset(file.read(4096), address - module["base"])
            if offset is not None:
                return f"file {offset} {size} {module['path']}"
    return f"left {size}"


def _offset(head: bytes, address: int) -> int | None:
    """Place in an ELF file of what is mapped so far from its base."""
    (at,) = struct.unpack_from("<Q", head, 32)
    size, count = struct.unpack_from("<HH", head, 54)
    segments = [struct.unpack_from("<IIQQQQ", head, at + size * i) for i in range(count)]
    loaded = [segment for segment in segments if segment[0] == LOADED_SEGMENT]
    first = min((segment[3] for segment in loaded), default=0) & ~0xFFF
    for _, _, offset, start, _, length in loaded:
        if start <= address + first < start + length:
            return int(offset + address + first - start)
    return None


def images_of(trace: Path) -> Images:
    """Raises SynctraceError if the trace says nothing of code."""
    try:
        lines = (trace / CODE_FILE).read_text(errors="replace").splitlines()
    except OSError:
        raise SynctraceError(
            f"{trace} does not say where its kernels' code is: record a CUDA program"
        ) from None
    gpu, contents, lost, sources = 0, [], [], set()
    for line in lines:
        word, _, rest = line.partition(" ")
        try:
            if word == "gpu":
                gpu = int(rest)
            elif word == "file":
                contents.append((0, _read(rest)))
            elif word == "copied":
                name = rest.split()[0]
                contents.append((int(name, 16), (trace / code_copy(name)).read_bytes()))
            elif word == "entry":
                sources.add(rest)
            elif word == "source":
                lost.append("code that the driver compiled from PTX")
            else:
                lost.append(f"an image that was not copied ({rest} bytes)")
        except (OSError, ValueError) as error:
            lost.append(str(error))
    return Images(gpu, tuple(contents), tuple(dict.fromkeys(lost)), frozenset(sources))


def _read(place: str) -> bytes:
    offset, size, path = place.split(" ", 2)
    with Path(path).open("rb") as file:
        file.seek(int(offset))
        return file.read(int(size) or -1)
