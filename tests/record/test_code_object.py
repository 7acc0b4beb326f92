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
    flags = ("-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover")
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


def test_the_architecture_asked_for_is_read(told: Told) -> None:
    images = bundle(
        {
            "hip-spirv64-amd-amdhsa--amdgcnspirv": b"\3\2#\7",
            "gfx906": of(value(1)),
            "gfx90a:sramecc+:xnack-": of(value(2)),
            "gfx9-4-generic": of(value(4)),
            "hip-amdgcn-amd-amdhsa-gfx90c": of(value(8)),
        }
    )
    for asked, size in {
        "gfx906": 1,
        "gfx90a": 2,
        "gfx90a:sramecc+:xnack+": 2,
        "gfx9-4-generic": 4,
        "gfx90c": 8,
        "gfx9": 1,
        "gfx1100": 1,
    }.items():
        assert told(images, "saxpy", f"architecture 0 {asked}").arguments == f"0:{size}", asked
    assert told(images).arguments == "0:1"


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


@pytest.mark.parametrize("method", METHODS)
def test_without_a_decompressor_it_says_so(method: str, told: Told, tmp_path: Path) -> None:
    for library in ("libz.so.1", "libzstd.so.1"):
        (tmp_path / library).touch()  # the loader finds it, and cannot use it
    image = compressed(BUNDLE, 3, method)
    layout = told(image, LD_LIBRARY_PATH=str(tmp_path))
    assert (layout.name, layout.state, layout.arguments) == ("saxpy", "no_decompressor", "")


def test_threads_forks_and_signals(driver: Driver, tmp_path: Path) -> None:
    watched = compiled(tmp_path, "-O1", "-fsanitize=thread")
    for form in ("elf", "compressed 3 zstd", "compressed 2 zlib"):
        (tmp_path / "image").write_bytes(FORMS[form])
        for program in (driver, watched):
            program.run("race", str(tmp_path / "image"), "saxpy", "other")
