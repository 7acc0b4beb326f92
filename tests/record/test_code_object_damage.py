"""Code objects that are cut, changed or made to lie: no layout, and nothing is read beyond them."""

import struct
from pathlib import Path

import msgpack
import pytest
from hip.code_objects import METHODS, buffer, bundle, compressed, elf, kernel, metadata, value

from record.code_object_driver import Driver, compiled

SAXPY = kernel("k", buffer(), value(24), buffer("read_only"))
GOOD = metadata(SAXPY, kernel("l", value(4)))
ELF = elf(GOOD)
BUNDLE = bundle({"gfx906": ELF, "gfx90a": elf(GOOD, version=3)})


def patched(image: bytes, at: int, layout: str, *values: int) -> bytes:
    """The image with these values at this place."""
    changed = bytearray(image)
    struct.pack_into(f"<{layout}", changed, at, *values)
    return bytes(changed)


def of(arguments: object) -> bytes:
    """An image whose kernel has this in the place of its arguments."""
    return elf(bytes(msgpack.packb({"amdhsa.kernels": [{".args": arguments, ".name": "k"}]})))


def with_kernels(packed: bytes) -> bytes:
    """An image whose list of kernels are these bytes."""
    return elf(b"\x81" + bytes(msgpack.packb("amdhsa.kernels")) + packed)


ARGUMENT = {".offset": 0, ".size": 8, ".value_kind": "global_buffer"}
DEEP = 200_000
MOST = 2**64 - 1
ENTRY = len(b"__CLANG_OFFLOAD_BUNDLE__") + 8  # the host's; then 24 bytes and its name
SECOND = ENTRY + 24 + len("host-x86_64-unknown-linux--")
LIES = {
    "nothing known": (b"text that is no code object" * 9, "unknown"),
    "an ELF for the host": (elf(GOOD, machine=62), "unknown"),
    "an ELF of 32 bits": (patched(ELF, 4, "B", 1), "unknown"),
    "a note of another kind": (elf(None), "without"),
    "an empty note": (elf(b""), "damaged"),
    "segments beyond the end": (patched(ELF, 32, "Q", len(ELF) - 50), "damaged"),
    "segments at the end of all": (patched(ELF, 32, "Q", MOST), "damaged"),
    "segments of another size": (patched(ELF, 54, "H", 55), "damaged"),
    "more segments than there are": (patched(elf(None), 56, "H", 0xFFFF), "damaged"),
    "notes beyond the end": (patched(ELF, 64 + 56 + 32, "Q", len(ELF)), "damaged"),
    "notes at the end of all": (patched(ELF, 64 + 56 + 8, "Q", MOST), "damaged"),
    "notes without end": (patched(ELF, 64 + 56 + 32, "Q", MOST), "damaged"),
    "a note's name without end": (patched(ELF, 176, "I", 2**32 - 1), "damaged"),
    "a note's content without end": (patched(ELF, 176 + 4, "I", 2**32 - 1), "damaged"),
    "no list of kernels": (elf(bytes(msgpack.packb({"amdhsa.version": [1, 2]}))), "damaged"),
    "kernels that are no list": (with_kernels(b"\xa1k"), "damaged"),
    "more kernels than there are": (with_kernels(b"\xdd\xff\xff\xff\xff"), "damaged"),
    "a kernel that is no map": (with_kernels(b"\x91\x01"), "damaged"),
    "a kernel of more fields": (with_kernels(b"\x91\xdf\xff\xff\xff\xff"), "damaged"),
    "a kernel without a name": (with_kernels(b"\x91\x80"), "damaged"),
    "a name that is a number": (with_kernels(b"\x91\x81\xa5.name\x07"), "damaged"),
    "a name without end": (with_kernels(b"\x91\x81\xa5.name\xdb\xff\xff\xff\xff"), "damaged"),
    "a byte that begins nothing": (with_kernels(b"\x91\x81\xa1x\xc1"), "damaged"),
    "arguments that are no list": (of("none"), "damaged"),
    "an argument that is no map": (of([1]), "damaged"),
    "an argument of no kind": (of([{".offset": 0, ".size": 8}]), "damaged"),
    "an argument of no place": (of([{".value_kind": "by_value", ".size": 8}]), "damaged"),
    "a negative place": (of([{**ARGUMENT, ".offset": -8}]), "damaged"),
    "a place of 64 bits": (of([{**ARGUMENT, ".offset": MOST}]), "damaged"),
    "a size of 64 bits": (of([{**ARGUMENT, ".size": MOST, ".value_kind": "by_value"}]), "damaged"),
    "a place beyond 64 KiB": (of([{**ARGUMENT, ".offset": 65529}]), "damaged"),
    "more arguments than any kernel has": (of([ARGUMENT] * 70_000), "damaged"),
    "more numbers than any kernel has": (
        of([{".offset": 0, ".size": 4, ".value_kind": "by_value"}] * 70_000),
        "damaged",
    ),
    "more pointers than any kernel has": (
        of([{**ARGUMENT, ".size": 65528, ".value_kind": "by_value"}] * 9),
        "damaged",
    ),
    "a bundle cut in its head": (BUNDLE[:28], "damaged"),
    "a bundle of more entries": (patched(BUNDLE, ENTRY - 8, "Q", MOST), "damaged"),
    "an entry beyond the end": (patched(BUNDLE, SECOND, "Q", len(BUNDLE)), "damaged"),
    "an entry at the end of all": (patched(BUNDLE, SECOND, "Q", MOST - 8), "damaged"),
    "an entry without end": (patched(BUNDLE, SECOND + 8, "Q", MOST), "damaged"),
    "an id without end": (patched(BUNDLE, SECOND + 16, "Q", MOST), "damaged"),
    "a bundle for the host alone": (bundle({}), "unknown"),
    "no version 4 yet": (patched(compressed(BUNDLE, 3, "zstd"), 4, "H", 4), "unknown"),
    "a third method": (patched(compressed(BUNDLE, 3, "zstd"), 6, "H", 2), "unknown"),
    "a file longer than it is": (patched(compressed(BUNDLE, 3, "zstd"), 8, "Q", MOST), "damaged"),
    "a file shorter than its head": (patched(compressed(BUNDLE, 2, "zlib"), 8, "I", 8), "damaged"),
    **{
        f"{name}, {method}": (image, state)
        for method in METHODS
        for name, image, state in (
            ("content that is none", patched(compressed(BUNDLE, 3, method), 32, "I", 0), "damaged"),
            ("content cut", compressed(BUNDLE, 1, method)[:-9], "damaged"),
            ("content of nothing", compressed(b"", 3, method), "damaged"),
            ("content that is no bundle", compressed(ELF, 2, method), "unknown"),
            ("a size too small", compressed(BUNDLE, 3, method, len(BUNDLE) - 1), "damaged"),
            ("a size too large", compressed(BUNDLE, 3, method, len(BUNDLE) + 1), "damaged"),
            ("a size of 64 bits", compressed(BUNDLE, 3, method, MOST), "no_memory"),
            ("a size of 3 GiB", compressed(BUNDLE, 2, method, 3 << 30), "damaged"),
        )
    },
}


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    flags = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    return compiled(tmp_path_factory.mktemp("driver"), *flags)


@pytest.mark.parametrize("lie", LIES)
def test_lies_are_found(lie: str, driver: Driver, tmp_path: Path) -> None:
    image, state = LIES[lie]
    file = tmp_path / "image"
    file.write_bytes(image)
    loaded = (f"module 0 {file}", "function 0 k")
    registered = (f"open 0 {file}", "image 1 0", "kernel 1 k")
    for layout in driver.layouts(*loaded, *registered):
        assert (layout.state, layout.arguments, layout.pointers) == (state, "", "")


def ending(content: bytes) -> bytes:
    """An image whose last byte is the last one of the metadata."""
    image = elf(content)
    end = len(image) - -len(content) % 4
    return patched(image[:end], 64 + 56 + 32, "Q", end - 64 - 2 * 56)


def every_type() -> bytes:
    """A kernel with fields of every type that msgpack has, in every length of their heads."""
    heads = ["c0", "c2", "c3", "ca 00000001", "cb 0000000000000001", "07", "e0", "80", "90", "a0"]
    heads += ["cc 01", "cd 0001", "ce 00000001", "cf 0000000000000001"]
    heads += ["d0 81", "d1 8001", "d2 80000001", "d3 8000000000000001"]
    heads += [f"{0xD4 + i:x} 05 {'00' * 2**i}" for i in range(5)]
    lengths = ["01", "0001", "00000001"]
    heads += [f"{0xC4 + i:x} {length} 00" for i, length in enumerate(lengths)]
    heads += [f"{0xC7 + i:x} {length} 05 00" for i, length in enumerate(lengths)]
    heads += [f"{0xD9 + i:x} {length} 78" for i, length in enumerate(lengths)]
    heads += ["91 c0", "dc 0001 c0", "dd 00000001 c0"]
    heads += ["81 a0 c0", "de 0001 a0 c0", "df 00000001 a0 c0"]
    fields = b"".join(b"\xa1x" + bytes.fromhex(head) for head in heads)
    return b"\x91\xde" + struct.pack(">H", len(heads) + 1) + fields + b"\xa5.name\xa1k"


@pytest.mark.parametrize("kernels", [every_type(), b"\x91" + bytes(msgpack.packb(SAXPY))])
def test_metadata_cut_at_every_byte(kernels: bytes, driver: Driver, tmp_path: Path) -> None:
    whole = b"\x81" + bytes(msgpack.packb("amdhsa.kernels")) + kernels
    commands = []
    for size in range(1, len(whole) + 1):
        file = tmp_path / str(size)
        file.write_bytes(ending(whole[:size]))
        # In place: the byte behind the last one cannot be read.
        commands += [f"open 0 {file}", f"image {size} 0", f"kernel {size} k"]
    *cut, last = driver.layouts(*commands)
    assert {layout.state for layout in cut} == {"damaged"}
    assert last.state == "read"


def test_depth_costs_no_stack(driver: Driver, tmp_path: Path) -> None:
    field = bytes(msgpack.packb({".name": "k", "deep": 0}))[:-1] + b"\x91" * DEEP + b"\x00"
    (tmp_path / "image").write_bytes(with_kernels(b"\x91" + field))
    [layout] = driver.layouts(f"module 0 {tmp_path / 'image'}", "function 0 k")
    assert layout.state == "read"


def test_memory_that_went_is_not_read(driver: Driver, tmp_path: Path) -> None:
    large = tmp_path / "image"
    content = {"before": "x" * 300_000, "amdhsa.kernels": [SAXPY]}
    large.write_bytes(elf(bytes(msgpack.packb(content))))
    told = driver.layouts(
        *(f"open 0 {large}", "image 1 0", "kernel 1 k", "ask 0 -"),
        *("gone 1 -", "cut 0 100", "image 1 0", "kernel 1 k"),
    )
    assert [layout.state for layout in told] == ["read", "damaged"]


def test_nothing_there(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    told = driver.layouts(
        *(f"file 0 {tmp_path / 'empty'}", "function 0 k"),
        *(f"file 0 {tmp_path / 'none'}", "function 0 k", f"file 0 {tmp_path}", "function 0 k"),
        *("function 1 k", "kernel 1 k"),
        *("image 0 0", "kernel 0 k"),  # an address that is no memory
    )
    assert {(layout.name, layout.state) for layout in told} == {("k", "unknown")}


@pytest.mark.parametrize(
    "image",
    [ELF, BUNDLE, compressed(BUNDLE, 3, "zstd"), compressed(BUNDLE, 2, "zlib")],
    ids=["elf", "bundle", "zstd", "zlib"],
)
def test_no_byte_beyond_is_read(image: bytes, driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(image)
    driver.run("fuzz", str(tmp_path / "image"), "20000", "k", "l")
