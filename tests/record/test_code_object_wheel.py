"""The kernels of a real library, llama.cpp's for ROCm: what the recorder reads is what another
reader (msgpack, and the little of ELF and of bundles that is needed) finds in its file.

It proves the reading of what compilers make, for all kernels of three architectures. Not proven:
that the GPU is handed its arguments as the metadata say; the runtime reads the same metadata.
"""

from collections.abc import Iterator
from pathlib import Path
from struct import unpack_from
from typing import Any

import msgpack
import pytest
from hip.code_objects import MAGIC, NOTE_METADATA
from hip.wheels import wheel

from record.code_object_driver import Driver, compiled
from record.mangled import pointers_to_const

MODES = {"read_only": 0, "write_only": 1, "read_write": 2, None: 5}  # of tracer/kinds.py


def images(content: bytes) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Where each bundle begins, and its images by architecture."""
    at = -1
    while (at := content.find(MAGIC, at + 1)) >= 0:
        entry, found = at + 32, {}
        for _ in range(unpack_from("<Q", content, at + 24)[0]):
            offset, size, length = unpack_from("<QQQ", content, entry)
            name = content[entry + 24 : entry + 24 + length].decode()
            if "amdgcn" in name:
                found[name.rsplit("-", 1)[-1]] = content[at + offset : at + offset + size]
            entry += 24 + length
        yield at, found


def kernels(elf: bytes) -> list[dict[str, Any]]:
    """The metadata of an image's kernels."""
    table, count = unpack_from("<Q", elf, 32)[0], unpack_from("<H", elf, 56)[0]
    for segment in range(table, table + 56 * count, 56):
        kind, at, size = unpack_from("<I4xQ16xQ", elf, segment)
        end = at + size
        while kind == 4 and at < end:
            name, content, note = unpack_from("<III", elf, at)
            start = at + 12 + (name + 3) // 4 * 4
            if note == NOTE_METADATA:
                found: list[dict[str, Any]] = msgpack.unpackb(elf[start : start + content])[
                    "amdhsa.kernels"
                ]
                return found
            at = start + (content + 3) // 4 * 4
    raise AssertionError("no metadata")


def is_explicit(argument: dict[str, Any]) -> bool:
    return not argument[".value_kind"].startswith("hidden_")


def described(kernel: dict[str, Any], const: str) -> tuple[str, str]:
    """A kernel's arguments and pointers, in the driver's words; a "c" in `const`: only read."""
    explicit = [argument for argument in kernel[".args"] if is_explicit(argument)]
    pointers = []
    for i, argument in enumerate(explicit):
        if argument[".value_kind"] == "global_buffer":
            said = argument.get(".actual_access") or {"c": "read_only"}.get(const[i : i + 1])
            pointers.append(f"{i}+0:{MODES[said]}")
        elif argument[".value_kind"] == "by_value" and argument[".offset"] % 8 == 0:
            pointers += [f"{i}+{word}:5?" for word in range(0, argument[".size"] - 7, 8)]
    return " ".join(f"{a['.offset']}:{a['.size']}" for a in explicit), " ".join(pointers)


def joined(kernels: list[dict[str, Any]]) -> dict[str, Any]:
    """One kernel of several architectures: equal, but for what its code does with an argument."""
    first, *others = ([dict(a) for a in kernel[".args"] if is_explicit(a)] for kernel in kernels)
    for other in others:
        for argument, same in zip(first, other, strict=True):
            mode = {argument.pop(".actual_access", None), same.pop(".actual_access", None)}
            assert argument == same
            if None not in mode:
                argument[".actual_access"] = mode.pop() if len(mode) == 1 else "read_write"
    return {**kernels[0], ".args": first}


@pytest.fixture(scope="module")
def library() -> Path:
    [found] = wheel("cyllama").glob("cyllama_rocm.libs/libggml-hip-*.so")
    return found


@pytest.fixture(scope="module")
def bundles(library: Path) -> list[tuple[int, dict[str, list[dict[str, Any]]]]]:
    """Where each bundle of the library begins, and its kernels by architecture."""
    found = images(library.read_bytes())
    return [(at, {name: kernels(elf) for name, elf in of.items()}) for at, of in found]


@pytest.fixture(scope="module")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Driver:
    return compiled(tmp_path_factory.mktemp("driver"), "-O2")


ARCHITECTURES = ["gfx1100", "gfx90a", "gfx942"]


@pytest.mark.parametrize("used", [*([name] for name in ARCHITECTURES), ARCHITECTURES[1:], []])
def test_every_kernel_of_llama_cpp(
    used: list[str],
    library: Path,
    bundles: list[tuple[int, dict[str, list[dict[str, Any]]]]],
    driver: Driver,
) -> None:
    const = pointers_to_const(k[".name"] for _, of in bundles for k in of[ARCHITECTURES[0]])
    commands = [f"architecture 0 {name}:xnack-" for name in used] + [f"open 0 {library}"]
    expected, buffers, accesses = [], {}, 0
    for n, (at, of) in enumerate(bundles):
        commands.append(f"image {n} {at}")
        for same in zip(*(of[name] for name in used or ARCHITECTURES), strict=True):
            kernel = joined(list(same))
            commands.append(f"kernel {n} {kernel['.name']}")
            name = kernel[".name"]
            expected.append((name, "read", *described(kernel, const[name])))
            kinds = [argument[".value_kind"] for argument in kernel[".args"]]
            buffers[kernel[".name"]] = kinds.count("global_buffer")
            accesses += sum(".actual_access" in argument for argument in kernel[".args"])
    # Some are in several images. Each architecture says of as many pointers what is done with them.
    assert (n + 1, len(expected), accesses) == (130, 6605, 81705 // 3)
    assert (len(buffers), sum(buffers.values())) == (5991, 28920)
    told = driver.layouts(*commands)
    assert [(one.name, one.state, one.arguments, one.pointers) for one in told] == expected
    # No two kernels are taken for each other, wherever they come from.
    assert len({one.hash for one in told}) >= len(buffers)
    assert len({(one.name, one.hash) for one in told}) == len({one.hash for one in told})
