"""Kernels' argument layouts, read from code objects of every form that the makers know.

The code objects are made here (hip.code_objects), so this proves the reading against the formats'
descriptions; test_code_object_wheel.py proves it against what compilers really make.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from hip.code_objects import (
    HIDDEN_V3,
    HIDDEN_V5,
    METHODS,
    Fields,
    buffer,
    bundle,
    compressed,
    elf,
    kernel,
    metadata,
    of_kind,
    value,
)

from record.code_object_driver import Driver, Layout, compiled

# Some arguments of each sort, and what is to be told of them.
SAXPY = kernel(
    "saxpy", value(4), buffer("read_only"), buffer("write_only"), buffer(), value(24), *HIDDEN_V5
)
ARGUMENTS = "0:4 8:8 16:8 24:8 32:24"
POINTERS = "1+0:0 2+0:1 3+0:5 4+0:5? 4+8:5? 4+16:5?"
ELF = elf(metadata(kernel("other", value(4)), SAXPY))
BUNDLE = bundle({"gfx90a": ELF})
COMPRESSED = {
    f"compressed {version} {method}": compressed(BUNDLE, version, method)
    for version in (1, 2, 3)
    for method in METHODS
}
FORMS = {"elf": ELF, "bundle": BUNDLE, **COMPRESSED}
# How the runtime is handed an image.
LOADED = ("module 0 {}", "unsized 0 {}", "file 0 {}")
REGISTERED = ("open 0 {}", "image 0 0")


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    """With a sanitizer's eye on every byte read and every number made."""
    flags = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    return compiled(tmp_path_factory.mktemp("driver"), *flags)


Told = Callable[..., Layout]


@pytest.fixture
def told(driver: Driver, tmp_path: Path) -> Told:
    """The layout of a kernel of this image, registered as a library's."""

    def ask(image: bytes, name: str = "saxpy", *before: str, **environment: str) -> Layout:
        file = tmp_path / "image"
        file.write_bytes(image)
        commands = [*before, *(line.format(file) for line in REGISTERED), f"kernel 0 {name}"]
        [layout] = driver.layouts(*commands, **environment)
        return layout

    return ask


def of(*arguments: Fields, version: int = 5) -> bytes:
    """An image with one kernel of these arguments."""
    return elf(metadata(kernel("saxpy", *arguments), version=version), version=version)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_tells_the_same(form: str, driver: Driver, tmp_path: Path) -> None:
    file = tmp_path / "image"
    file.write_bytes(FORMS[form])
    for way in LOADED:
        told = driver.layouts(way.format(file), "function 0 saxpy", "function 0 none")
        saxpy, none = told
        assert (saxpy.state, saxpy.arguments, saxpy.pointers) == ("read", ARGUMENTS, POINTERS)
        assert (none.name, none.state, none.arguments) == ("none", "without", "")
    [registered] = driver.layouts(*(c.format(file) for c in REGISTERED), "kernel 0 saxpy")
    assert registered == saxpy


@pytest.mark.parametrize(
    ("argument", "pointers"),
    [
        (buffer(), "1+0:5"),
        (buffer("read_only"), "1+0:0"),
        (buffer("write_only"), "1+0:1"),
        (buffer("read_write"), "1+0:2"),
        (buffer("new_word"), "1+0:5"),
        (buffer(space="generic"), "1+0:5"),
        (buffer(space="constant"), "1+0:5"),
        (buffer(space="local"), ""),
        (of_kind("dynamic_shared_pointer", 4), ""),
        (of_kind("image"), ""),
        (of_kind("sampler"), ""),
        (of_kind("pipe"), ""),
        (of_kind("queue"), ""),
        (value(4), ""),
        (value(8), "1+0:5?"),
        (value(8, align=4), ""),  # behind 4 bytes, so it is at 12
        (value(12, align=8), "1+0:5?"),
        (value(32), "1+0:5? 1+8:5? 1+16:5? 1+24:5?"),
    ],
)
def test_pointers_by_kind_of_argument(argument: Fields, pointers: str, told: Told) -> None:
    # The first one shifts it, so that what is told is its own place.
    image = of(of_kind("image"), argument)
    if argument.get("align") == 4:
        image = of(value(4), value(8, align=4))
    layout = told(image)
    assert (layout.state, layout.pointers) == ("read", pointers)
    assert len(layout.arguments.split()) == 2


@pytest.mark.parametrize(("version", "hidden"), [(3, HIDDEN_V3), (4, HIDDEN_V3), (5, HIDDEN_V5)])
def test_hidden_arguments_are_left_out(version: int, hidden: list[Fields], told: Told) -> None:
    layout = told(of(buffer(), value(4), *hidden, version=version))
    assert (layout.state, layout.arguments, layout.pointers) == ("read", "0:8 8:4", "0+0:5")


def test_a_kernel_without_arguments(told: Told) -> None:
    bare = {".name": "saxpy", ".symbol": "saxpy.kd"}  # not even an empty list of them
    for image in (of(), of(*HIDDEN_V5), elf(metadata(bare))):
        layout = told(image)
        assert (layout.state, layout.arguments, layout.pointers) == ("read", "", "")


TARGETS = bundle(
    {
        "hip-spirv64-amd-amdhsa--amdgcnspirv": b"\3\2#\7",
        "gfx906": of(buffer("read_only")),
        "gfx90a:sramecc+:xnack-": of(buffer("write_only")),
        "gfx9-4-generic": of(buffer("read_write")),
        "hip-amdgcn-amd-amdhsa-gfx90c": of(buffer()),
    }
)
READ, WRITE, BOTH, UNKNOWN = (f"0+0:{mode}" for mode in (0, 1, 2, 5))  # of tracer/kinds.py


@pytest.mark.parametrize(
    ("used", "pointers"),
    [
        (["gfx906"], READ),
        (["gfx90a"], WRITE),
        (["gfx90a:sramecc+:xnack+"], WRITE),
        (["gfx9-4-generic"], BOTH),
        (["gfx90c"], UNKNOWN),
        (["gfx906", "gfx906:xnack-"], READ),
        (["gfx906", "gfx90a"], BOTH),
        (["gfx906", "gfx90c"], UNKNOWN),
        ([], UNKNOWN),
        (["gfx9"], UNKNOWN),
        (["gfx906", "gfx1100"], UNKNOWN),  # what runs on the second is not known
        (["gfx906", "gfx90"], UNKNOWN),
        (["gfx906", "gfx9-4"], UNKNOWN),
        (["gfx906" * 9], UNKNOWN),
        ([f"gfx{i}" for i in range(20)], UNKNOWN),
    ],
)
def test_modes_are_of_the_architectures_in_use(used: list[str], pointers: str, told: Told) -> None:
    layout = told(TARGETS, "saxpy", *(f"architecture 0 {name}" for name in used))
    assert (layout.state, layout.arguments, layout.pointers) == ("read", "0:8", pointers)


def test_modes_cover_every_architecture(told: Told, driver: Driver, tmp_path: Path) -> None:
    # Where a kernel is left out, its arguments are as if they were only read.
    left_out = of(buffer("read_only"), buffer("read_only"), buffer("read_only"))
    code = of(buffer("read_only"), buffer("write_only"), buffer())
    image = bundle({"gfx1100": left_out, "gfx906": elf(metadata()), "gfx90a": code})
    expected = "0+0:0 1+0:2 2+0:5"
    for form in (image, compressed(image, 3, "zstd")):
        assert told(form).pointers == expected
        (tmp_path / "image").write_bytes(form)
        [module] = driver.layouts(f"unsized 0 {tmp_path / 'image'}", "function 0 saxpy")
        assert module.pointers == expected


def test_more_architectures_than_there_are(told: Told) -> None:
    layout = told(bundle({f"gfx{i}": of(buffer("read_only")) for i in range(80)}))
    assert (layout.state, layout.pointers) == ("read", READ)


@pytest.mark.parametrize(
    "other",
    [of(value(8)), of(buffer(), buffer()), of(buffer(), value(4)), of(), of(of_kind("image"))],
)
def test_architectures_that_disagree(other: bytes, told: Told) -> None:
    layout = told(bundle({"gfx906": of(buffer()), "gfx90a": other}))
    assert (layout.state, layout.arguments, layout.pointers) == ("damaged", "", "")


@pytest.mark.parametrize(
    ("number", "state"),
    [
        ("10", "read"),
        ("cc 10", "read"),
        ("cd 0010", "read"),
        ("ce 00000010", "read"),
        ("cf 0000000000000010", "read"),
        ("d0 10", "read"),
        ("d1 0010", "read"),
        ("d2 00000010", "read"),
        ("d3 0000000000000010", "read"),
        ("f0", "damaged"),
        ("d0 f0", "damaged"),
        ("d1 fff0", "damaged"),
        ("d2 fffffff0", "damaged"),
        ("d3 fffffffffffffff0", "damaged"),
    ],
)
def test_numbers_of_every_length(number: str, state: str, told: Told) -> None:
    # Written as a string first, to be replaced by the bytes of a number.
    content = metadata({**kernel("saxpy"), ".args": [{".offset": 0, **value(1), ".size": "!"}]})
    layout = told(elf(content.replace(b"\xa1!", bytes.fromhex(number))))
    assert (layout.state, layout.arguments) == (state, "0:16" if state == "read" else "")


def test_the_first_of_two_kernels_of_one_name(told: Told) -> None:
    assert told(elf(metadata(kernel("k", value(4)), kernel("k", value(8)))), "k").arguments == "0:4"


def test_the_hash_is_the_kernels_own(told: Told) -> None:
    alone, beside = told(of(buffer())), told(bundle({"gfx90a": of(buffer())}))
    assert alone.hash == beside.hash
    others = [told(of(buffer("read_only"))).hash, told(of(buffer(), value(4))).hash]
    others.append(told(elf(metadata(kernel("k", buffer()))), "k").hash)
    assert len({alone.hash, *others}) == 4


def test_many_kernels(driver: Driver, tmp_path: Path) -> None:
    sizes = {f"kernel{i}": 1 + i % 2000 for i in range(20000)}
    kernels = [kernel(name, value(size, align=1)) for name, size in sizes.items()]
    (tmp_path / "image").write_bytes(elf(metadata(*kernels)))
    commands = [command.format(tmp_path / "image") for command in REGISTERED]
    told = driver.layouts(*commands, *(f"kernel 0 {name}" for name in sizes))
    assert {one.name: one.arguments for one in told} == {n: f"0:{s}" for n, s in sizes.items()}


def test_an_image_that_goes_takes_its_kernels(driver: Driver, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(of(value(1)))
    two.write_bytes(of(value(2)))
    # The same handles again: a module, then a library. What went has no layout.
    told = driver.layouts(
        *(f"module 0 {one}", "function 0 saxpy", "unload 0 -", f"module 0 {two}"),
        *("function 0 saxpy", f"module 0 {one}", "function 0 saxpy"),
        *(f"open 0 {one}", "image 1 0", "kernel 1 saxpy", "gone 1 -"),
        *(f"open 0 {two}", "image 1 0", "kernel 1 saxpy", "same 4 -"),
    )
    assert [(layout.state, layout.arguments) for layout in told] == [
        ("unknown", ""),
        ("unknown", ""),
        ("read", "0:1"),
        ("unknown", ""),
        ("read", "0:2"),
        ("read", "0:2"),
    ]


def test_addresses_are_used_again(driver: Driver, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.write_bytes(elf(metadata(kernel("a", value(1)), kernel("b", value(2)))))
    two.write_bytes(elf(metadata(kernel("a", value(3)), kernel("b", value(4)))))
    function = ("module 0 {}", "function 0 a")
    stub = ("open 0 {}", "image 0 0", "kernel 0 a")
    for before, then, size in (
        (function, ("refunction 0 a",), 1),
        (function, ("refunction 0 b",), 2),
        (function, ("unload 0 -", f"module 1 {two}", "refunction 1 a"), 3),
        (function, (f"module 1 {two}", "refunction 1 b"), 4),
        (stub, ("rekernel 0 b",), 1),  # of two kernels of one stub the first
        (stub, ("gone 0 -", f"open 0 {two}", "image 1 0", "rekernel 1 b"), 4),
    ):
        [layout] = driver.layouts(*(line.format(one) for line in before), *then)
        assert layout.arguments == f"0:{size}", then
    told = driver.layouts(*(line.format(one) for line in function), "unload 0 -", "find 0 -")
    assert [(layout.name, layout.state) for layout in told] == [("", "unknown")]


@pytest.mark.parametrize("method", METHODS)
def test_without_a_decompressor_it_says_so(method: str, told: Told, tmp_path: Path) -> None:
    for library in ("libz.so.1", "libzstd.so.1"):
        (tmp_path / library).touch()  # the loader finds it, and cannot use it
    image = compressed(BUNDLE, 3, method)
    layout = told(image, LD_LIBRARY_PATH=str(tmp_path))
    assert (layout.name, layout.state, layout.arguments) == ("saxpy", "no_decompressor", "")


def test_a_module_that_went_is_not_read_again(driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "libzstd.so.1").touch()
    for method in METHODS:
        (tmp_path / method).write_bytes(compressed(BUNDLE, 3, method))
    commands = [f"module 0 {tmp_path / 'zstd'}", f"module 1 {tmp_path / 'zlib'}"]
    told = driver.layouts(
        *commands, "function 0 saxpy", "function 1 saxpy", LD_LIBRARY_PATH=str(tmp_path)
    )
    assert [layout.state for layout in told] == ["no_decompressor", "read"]


@pytest.mark.parametrize("method", METHODS)
def test_the_loader_is_waited_for_by_nobody(method: str, driver: Driver, tmp_path: Path) -> None:
    (tmp_path / "image").write_bytes(compressed(BUNDLE, 3, method))
    driver.run("loader", str(tmp_path / "image"), "saxpy")


def test_threads_forks_and_signals(driver: Driver, tmp_path: Path) -> None:
    watched = compiled(tmp_path, "-O1", "-fsanitize=thread")
    for form in ("elf", "compressed 3 zstd", "compressed 2 zlib"):
        (tmp_path / "image").write_bytes(FORMS[form])
        for program in (driver, watched):
            program.run("race", str(tmp_path / "image"), "saxpy", "other")
