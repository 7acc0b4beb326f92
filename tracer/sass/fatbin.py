"""Fat binaries: containers of cubins and PTX, in files of programs and libraries or in memory."""

import ctypes
import ctypes.util
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.sass.cubin import ELF

MAGIC = 0xBA55ED50
CONTAINER, ENTRY = "<IHHQ", "<HHIQI4xHHIIIQQQ"
PTX, CUBIN = 1, 2
LZ4, ZSTD = 0x2000, 0x8000
ELF_HEADER = 64  # bytes
LARGEST = 1 << 30  # bytes of one cubin, unpacked


@dataclass(frozen=True)
class Entry:
    """One image of a container."""

    kind: int  # PTX or CUBIN; others are left alone
    architecture: int  # 90 for sm_90
    flags: int
    content: bytes
    unpacked_size: int  # 0: not compressed


def containers(data: bytes, start: int = 0) -> Iterator[tuple[int, int]]:
    """First byte and end of each container in a file or a piece of memory."""
    at = data.find(struct.pack("<I", MAGIC), start)
    while at >= 0:
        if at + 16 <= len(data):
            _, _, head, size = struct.unpack_from(CONTAINER, data, at)
            if head == 16 and at + head + size <= len(data):
                yield at, at + head + size
                at += head + size - 4
        at = data.find(struct.pack("<I", MAGIC), at + 4)


def entries(container: bytes) -> Iterator[Entry]:
    """Raises SynctraceError if it is damaged."""
    try:
        magic, _, at, size = struct.unpack_from(CONTAINER, container)
        if magic != MAGIC:
            raise SynctraceError("not a fat binary")
        end = at + size
        while at + struct.calcsize(ENTRY) <= end:
            kind, _, head, size, packed, _, _, architecture, _, _, flags, _, unpacked = (
                struct.unpack_from(ENTRY, container, at)
            )
            if head < struct.calcsize(ENTRY) or at + head + size > end:
                raise SynctraceError("a damaged fat binary: an entry is longer than it")
            compressed = bool(flags & (LZ4 | ZSTD))
            content = container[at + head : at + head + (packed if compressed else size)]
            yield Entry(kind, architecture, flags, content, unpacked if compressed else 0)
            at += head + size
    except struct.error as error:
        raise SynctraceError(f"a damaged fat binary: {error}") from None


def unpacked(entry: Entry) -> bytes:
    """What the entry holds. Raises SynctraceError if it cannot be unpacked."""
    if not entry.unpacked_size:
        return entry.content
    if entry.unpacked_size > LARGEST:
        raise SynctraceError("a damaged fat binary: a size that cannot be")
    if entry.flags & ZSTD:
        return _zstd(entry.content, entry.unpacked_size)
    return _lz4(entry.content, entry.unpacked_size)


def cubins(image: bytes) -> Iterator[tuple[int, bytes]]:
    """Architecture and content of each cubin in an image: a cubin itself, or containers.

    Raises SynctraceError if it is damaged.
    """
    if image[:4] == ELF and len(image) < ELF_HEADER:
        raise SynctraceError("a damaged cubin: it ends within its head")
    if image[:4] == ELF and struct.unpack_from("<H", image, 18)[0] == 190:
        flags = struct.unpack_from("<I", image, 48)[0]
        yield flags & 0xFF if image[8] < 8 else flags >> 8 & 0xFF, image
        return
    for start, end in containers(image):
        for entry in entries(image[start:end]):
            if entry.kind == CUBIN:
                yield entry.architecture, unpacked(entry)


def _zstd(content: bytes, size: int) -> bytes:
    name = ctypes.util.find_library("zstd") or "libzstd.so.1"
    try:
        library = ctypes.CDLL(name)
    except OSError:
        raise SynctraceError(
            "code of kernels is compressed: to read it, apt-get install libzstd1"
        ) from None
    library.ZSTD_decompress.restype = ctypes.c_size_t
    into = ctypes.create_string_buffer(size)
    done = library.ZSTD_decompress(
        into, ctypes.c_size_t(size), content, ctypes.c_size_t(len(content))
    )
    if done != size:
        raise SynctraceError("a damaged fat binary: it cannot be unpacked")
    return into.raw


def _lz4(content: bytes, size: int) -> bytes:
    """A block of LZ4: runs of bytes, and of repeated ones."""
    out, at = bytearray(), 0
    try:
        while at < len(content):
            token = content[at]
            length, at = _length(content, at + 1, token >> 4)
            out += content[at : at + length]
            at += length
            if at >= len(content):
                break
            back = content[at] | content[at + 1] << 8
            length, at = _length(content, at + 2, token & 15)
            length += 4
            if not 0 < back <= len(out) or len(out) + length > size:
                raise SynctraceError("a damaged fat binary: it cannot be unpacked")
            piece = out[-back:][:length]
            out += (piece * (length // len(piece) + 1))[:length]
    except IndexError:
        raise SynctraceError("a damaged fat binary: it cannot be unpacked") from None
    if len(out) != size:
        raise SynctraceError("a damaged fat binary: it cannot be unpacked")
    return bytes(out)


def _length(content: bytes, at: int, four_bits: int) -> tuple[int, int]:
    """A length that goes on in further bytes while these are full; where it ends."""
    length = four_bits
    while four_bits == 15:
        more = content[at]
        length, at = length + more, at + 1
        if more != 255:
            break
    return length, at
