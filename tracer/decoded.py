"""What a table takes once it is decompressed, told from the file's metadata before anything is.

Arrow allocates what a buffer says it expands to and reads a batch as often as a footer names it.
So the sizes are added up first, and a footer may name every byte of the file once.
"""

import mmap
import struct
from dataclasses import dataclass
from pathlib import Path

MOST_BATCH_BYTES = 512 << 20  # one batch, decompressed; the writer keeps to 64 MiB
MOST_BUFFERS = 256  # of a batch; the widest table has 53
MAGIC = b"ARROW1"
STREAM_START = 8  # the magic, padded: a stream of messages begins here

# Numbers of Arrow's Message.fbs, Schema.fbs and File.fbs: places of fields, kinds of messages.
_HEADER_TYPE, _HEADER, _BODY_LENGTH = 1, 2, 3
_ROWS, _BUFFERS, _COMPRESSION = 0, 2, 3
_CODEC, _LZ4 = 0, 0
_DICTIONARIES, _BATCHES = 2, 3
_SCHEMA, _DICTIONARY, _RECORD_BATCH = 1, 2, 3
_PREFIX = struct.Struct("<Ii")  # a mark and the length of the metadata
_MARK = 0xFFFFFFFF
_BLOCK = struct.Struct("<qi4xq")  # offset, length of the metadata, length of the body
_BUFFER = struct.Struct("<qq")  # offset in the body, length
_STORED = -1  # said in place of an expanded size: these bytes are not compressed


@dataclass(frozen=True)
class Decoded:
    """Number of whole batches, their rows and their bytes once decompressed."""

    batches: int = 0
    rows: int = 0
    bytes: int = 0


NOTHING = Decoded()


class Refused(ValueError):
    """No tear can look like this: the file asks for what no trace needs."""


def decoded(file: Path, closed: bool) -> Decoded:
    """Add up the batches of an Arrow file: those of its footer, or those up to the tear.

    Raises ValueError or struct.error for a closed file whose metadata does not fit it, Refused for
    a batch beyond MOST_BATCH_BYTES, another compression than LZ4, and dictionaries.
    """
    with file.open("rb") as opened:
        if not opened.seek(0, 2):
            return NOTHING
        with mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _by_footer(data) if closed else _up_to_tear(data)


def _by_footer(data: mmap.mmap) -> Decoded:
    end = len(data) - len(MAGIC) - 4
    footer = _root(data, end - struct.unpack_from("<i", data, end)[0])
    if _vector(data, footer, _DICTIONARIES)[1]:
        raise Refused("it has dictionaries")
    first, count = _vector(data, footer, _BATCHES)
    reached, rows, size = STREAM_START, 0, 0
    for n in range(count):
        at, metadata, body = _BLOCK.unpack_from(data, first + n * _BLOCK.size)
        if at < reached or metadata < _PREFIX.size or body < 0:
            raise ValueError("its footer names the same bytes twice")
        reached = at + metadata + body
        kind, more, wide, length = _message(data, at + _PREFIX.size, at + metadata)
        if kind != _RECORD_BATCH or length > body:
            raise ValueError("its footer names what is no batch")
        rows, size = rows + more, size + wide
    return Decoded(count, rows, size)


def _up_to_tear(data: mmap.mmap) -> Decoded:
    at, batches, rows, size = STREAM_START, 0, 0, 0
    while at + _PREFIX.size <= len(data):
        mark, metadata = _PREFIX.unpack_from(data, at)
        if mark != _MARK or metadata <= 0:
            break
        at += _PREFIX.size
        try:
            kind, more, wide, body = _message(data, at, at + metadata)
        except Refused:
            raise
        except (ValueError, struct.error):
            break
        if kind == _RECORD_BATCH:
            batches, rows, size = batches + 1, rows + more, size + wide
        elif kind == _DICTIONARY:
            raise Refused("it has dictionaries")
        elif kind != _SCHEMA or batches:
            break
        at += metadata + body
    return Decoded(batches, rows, size)


def _message(data: mmap.mmap, at: int, body: int) -> tuple[int, int, int, int]:
    """Of a message: its kind, rows, bytes once decompressed, bytes of its body in the file."""
    message = _root(data, at)
    kind = _number(data, message, _HEADER_TYPE, "<B")
    length = _number(data, message, _BODY_LENGTH, "<q")
    if not 0 <= length <= len(data) - body:
        raise ValueError("a batch ends behind the file")
    if kind != _RECORD_BATCH:
        return kind, 0, 0, length
    batch = _field(data, message, _HEADER)
    batch += struct.unpack_from("<I", data, batch)[0]
    rows = _number(data, batch, _ROWS, "<q")
    compression = _field(data, batch, _COMPRESSION)
    if compression:
        compression += struct.unpack_from("<I", data, compression)[0]
        if _number(data, compression, _CODEC, "<b") != _LZ4:
            raise Refused("it is compressed by another method than LZ4")
    first, count = _vector(data, batch, _BUFFERS)
    if count > MOST_BUFFERS:
        raise Refused(f"a batch of {count} buffers")
    size = 0
    for n in range(count):
        offset, stored = _BUFFER.unpack_from(data, first + n * _BUFFER.size)
        if offset < 0 or stored < 0 or offset + stored > length:
            raise ValueError("a buffer ends behind its batch")
        size += _expanded(data, body + offset, stored) if compression else stored
    if not 0 <= rows <= size:
        raise ValueError("a batch of more rows than bytes")
    if size > MOST_BATCH_BYTES:
        raise Refused(f"a batch of {size} bytes; at most {MOST_BATCH_BYTES} can be read")
    return kind, rows, size, length


def _expanded(data: mmap.mmap, at: int, stored: int) -> int:
    """Bytes of a compressed buffer: they stand before it."""
    if stored < 8:
        return 0
    told: int = struct.unpack_from("<q", data, at)[0]
    if told < _STORED:
        raise ValueError("a buffer of a negative size")
    return stored - 8 if told == _STORED else told


# FlatBuffers: a table knows, by a list of offsets at the start of which it points back, where each
# of its fields lies; a field that is left out has its default.


def _root(data: mmap.mmap, at: int) -> int:
    if at < 0:
        raise ValueError("metadata outside of the file")
    return at + int(struct.unpack_from("<I", data, at)[0])


def _field(data: mmap.mmap, table: int, n: int) -> int:
    """Where the n-th field of a table lies; 0: left out."""
    fields = table - struct.unpack_from("<i", data, table)[0]
    if fields < 0:
        raise ValueError("metadata outside of the file")
    (size,) = struct.unpack_from("<H", data, fields)
    place = 4 + 2 * n
    offset = struct.unpack_from("<H", data, fields + place)[0] if place + 2 <= size else 0
    return table + int(offset) if offset else 0


def _number(data: mmap.mmap, table: int, n: int, form: str) -> int:
    at = _field(data, table, n)
    return int(struct.unpack_from(form, data, at)[0]) if at else 0


def _vector(data: mmap.mmap, table: int, n: int) -> tuple[int, int]:
    """Where the first element of a list lies, and how many there are."""
    at = _field(data, table, n)
    if not at:
        return 0, 0
    at += struct.unpack_from("<I", data, at)[0]
    return at + 4, int(struct.unpack_from("<I", data, at)[0])
