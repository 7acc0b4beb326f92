"""Makes AMDGPU code objects and bundles of them, as clang and lld lay them out, without code.

    fat = bundle({"gfx90a": elf(metadata(kernel("k", buffer(), value(4))))})

Argument names and fields are those of the code object metadata (LLVM's AMDGPU usage guide).
"""

import struct
import zlib
from typing import Any

import msgpack
import pyarrow as pa

MAGIC = b"__CLANG_OFFLOAD_BUNDLE__"
NOTE_METADATA = 32
METHODS = ("zlib", "zstd")
Fields = dict[str, Any]


def buffer(access: str | None = None, space: str = "global") -> Fields:
    """A pointer argument; access as in `.actual_access`."""
    known = {} if access is None else {".actual_access": access}
    return {".value_kind": "global_buffer", ".size": 8, ".address_space": space, **known}


def value(size: int, align: int = 0) -> Fields:
    """An argument passed by value; `align` 0: as a number of its size is aligned."""
    return {".value_kind": "by_value", ".size": size, "align": align or min(size, 8)}


def of_kind(kind: str, size: int = 8) -> Fields:
    """Any other argument, a hidden one too."""
    return {".value_kind": kind, ".size": size}


# What compilers add behind the explicit arguments.
HIDDEN_V3 = [of_kind("hidden_global_offset_x"), of_kind("hidden_none"), of_kind("hidden_none")]
HIDDEN_V5 = [of_kind("hidden_block_count_x", 4), of_kind("hidden_group_size_x", 2)]


def kernel(name: str, *arguments: Fields) -> Fields:
    """The metadata of one kernel, its arguments laid out one after the other."""
    offset, placed = 0, []
    for argument in arguments:
        align = argument.get("align", argument[".size"])
        offset = (offset + align - 1) // align * align
        fields = {key: item for key, item in argument.items() if key.startswith(".")}
        placed.append(dict(sorted({".offset": offset, **fields}.items())))
        offset += argument[".size"]
    facts = {".kernarg_segment_align": 8, ".kernarg_segment_size": offset, ".language": "HIP"}
    return {".args": placed, **facts, ".name": name, ".symbol": f"{name}.kd", ".vgpr_count": 8}


def metadata(*kernels: Fields, version: int = 5) -> bytes:
    """The content of the note, for code object version 3, 4 or 5."""
    content = {"amdhsa.kernels": list(kernels), "amdhsa.target": "amdgcn-amd-amdhsa--gfx90a"}
    return bytes(msgpack.packb({**content, "amdhsa.version": [1, version - 3]}))


def note(kind: int, name: bytes, content: bytes) -> bytes:
    """One ELF note, padded."""
    pad = [bytes(-len(part) % 4) for part in (name, content)]
    head = struct.pack("<III", len(name), len(content), kind)
    return head + name + pad[0] + content + pad[1]


def elf(content: bytes | None, version: int = 5, machine: int = 224) -> bytes:
    """An ELF image that holds this metadata, or none, behind a note of another kind."""
    notes = note(3, b"GNU\0", b"build id 0123456789")
    if content is not None:
        notes += note(NOTE_METADATA, b"AMDGPU\0", content)
    ident = b"\x7fELF" + bytes([2, 1, 1, 64, version - 2]) + bytes(7)
    header = struct.pack("<HHIQQQIHHHHHH", 3, machine, 1, 0, 64, 0, 0x54C, 64, 56, 2, 64, 0, 0)
    start = 64 + 2 * 56
    load = struct.pack("<IIQQQQQQ", 1, 4, 0, 0, 0, start, start, 4096)
    segment = struct.pack("<IIQQQQQQ", 4, 4, start, start, start, len(notes), len(notes), 4)
    return ident + header + load + segment + notes


def bundle(images: dict[str, bytes], align: int = 64) -> bytes:
    """An offload bundle with an empty entry for the host; a name in short is a processor's."""
    entries = {"host-x86_64-unknown-linux--": b""}
    for name, image in images.items():
        entries[name if "amdhsa" in name else f"hipv4-amdgcn-amd-amdhsa--{name}"] = image
    at = len(MAGIC) + 8 + sum(24 + len(name) for name in entries)
    head, body = MAGIC + struct.pack("<Q", len(entries)), b""
    for name, image in entries.items():
        body += bytes(-(at + len(body)) % align)
        head += struct.pack("<QQQ", at + len(body), len(image), len(name)) + name.encode()
        body += image
    return head + body


def compressed(content: bytes, version: int, method: str, size: int | None = None) -> bytes:
    """A compressed bundle; `size` is what its header says of the content, if not the truth."""
    packed = (
        zlib.compress(content)
        if method == "zlib"
        else pa.compress(content, codec="zstd", asbytes=True)
    )
    width = "Q" if version == 3 else "I"
    sizes = [len(content) if size is None else size]
    if version > 1:
        sizes.insert(0, 4 + 4 + struct.calcsize(f"<2{width}Q") + len(packed))
    head = struct.pack("<HH", version, METHODS.index(method))
    return b"CCOB" + head + struct.pack(f"<{len(sizes)}{width}Q", *sizes, 0) + packed
