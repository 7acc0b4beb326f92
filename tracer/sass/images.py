"""Where the code of a recorded CUDA program's kernels is: code.txt in its trace.

A line for each loaded image: `gpu SM`, `file OFFSET SIZE PATH` (bytes of a file; size 0: all),
`copied HASH SIZE` (code-HASH.bin in the trace), `source` (PTX, which the driver compiles),
`left SIZE` (not copied). `entry NAME` is a kernel of PTX. A trace may be somebody else's: what is
named is opened only if it is a plain file of a size that can be.
"""

import os
import re
import shutil
import stat
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
MOST_BYTES = 4 << 30  # of all images; PyTorch with all its libraries has less
MOST_SAID = 64 << 20  # of the list of them
CUT_OFF = "a line that was cut off"
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
        told = _read(trace / CODE_FILE, 0, 0, MOST_SAID, os.O_NOFOLLOW)
    except OSError:
        raise SynctraceError(
            f"{trace} does not say where its kernels' code is: record a CUDA program"
        ) from None
    gpu, contents, lost, room = 0, [], [], MOST_BYTES
    sources = set()
    for line in dict.fromkeys(told.decode(errors="replace").splitlines()):
        word, _, rest = line.partition(" ")
        try:
            if word == "gpu":
                gpu = int(rest)
            elif word == "entry":
                sources.add(rest)
            elif word in ("file", "copied"):
                image = _file(rest, room) if word == "file" else _copy(trace, rest, room)
                contents.append(image)
                room -= len(image[1])
            else:
                lost.append(_told(word, rest))
        except ValueError:
            lost.append(CUT_OFF)
        except OSError as error:
            lost.append(f"{error.filename}: {error.strerror}")
    return Images(gpu, tuple(contents), tuple(dict.fromkeys(lost)), frozenset(sources))


def _told(word: str, rest: str) -> str:
    if word == "source":
        return "code that the driver compiled from PTX"
    return f"an image that was not copied ({rest} bytes)" if word == "left" else CUT_OFF


def _file(place: str, most: int) -> tuple[int, bytes]:
    offset, size, path = place.split(" ", 2)
    return 0, _read(Path(path), int(offset), int(size), most)


def _copy(trace: Path, said: str, most: int) -> tuple[int, bytes]:
    name = re.match(r"[0-9a-f]{1,16}(?= )", said)
    if not name:
        raise ValueError
    return int(name[0], 16), _read(trace / code_copy(name[0]), 0, 0, most, os.O_NOFOLLOW)


def _read(path: Path, offset: int, size: int, most: int, flags: int = 0) -> bytes:
    """Bytes of a plain file; size 0: all. Raises OSError, also where they are more than `most`."""
    opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | flags)
    said = os.fstat(opened)
    if not stat.S_ISREG(said.st_mode):
        os.close(opened)
        raise OSError(0, "no regular file", str(path))
    with os.fdopen(opened, "rb") as file:
        wanted = size or said.st_size
        if not 0 <= offset <= offset + wanted <= said.st_size:
            raise OSError(0, "it is another file now: it ends before the code", str(path))
        if wanted > most:
            raise OSError(0, "too large, or the images before it are", str(path))
        file.seek(offset)
        return file.read(wanted)
