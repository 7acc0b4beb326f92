"""Cubins: ELF files with the code of kernels, and where each kernel's parameters lie."""

import struct
from dataclasses import dataclass

from synctrace.tracer.errors import SynctraceError

ELF, SECTION, SYMBOL, RELOCATION = b"\x7fELF", "<IIQQQQIIQQ", "<IBBHQQ", "<QQq"
FORM_SIZED = 4  # an attribute whose value is as long as it says
PARAMETERS, PARAMETER = 0x0A, 0x17  # where all lie in bank 0 of the constants; one of them
FUNCTION, UNDEFINED = 2, 0  # a symbol's type; its section


@dataclass(frozen=True)
class Parameter:
    """One parameter, in bytes from the first one's start."""

    offset: int
    size: int


@dataclass(frozen=True)
class Layout:
    """Where a kernel's parameters lie: from byte `base` of bank 0, `size` bytes in all."""

    base: int
    size: int
    parameters: tuple[Parameter, ...]

    def around(self, offset: int) -> tuple[int, int]:
        """First byte and end of the parameter that this byte is of; of all where it is of none."""
        for each in self.parameters:
            if each.offset <= offset < each.offset + each.size:
                return each.offset, each.offset + each.size
        return 0, self.size


@dataclass(frozen=True)
class Cubin:
    """What a cubin says: its functions by symbol number, layouts, and whom its code may call."""

    functions: dict[str, int]
    layouts: dict[str, Layout]
    called_by_address: frozenset[str]  # functions whose addresses are in its table of addresses


def read_cubin(data: bytes) -> Cubin:
    """Raises SynctraceError if this is no cubin."""
    try:
        return _read(data)
    except (struct.error, IndexError, ValueError, OverflowError) as error:
        raise SynctraceError(f"not a cubin, or a damaged one: {error}") from None


def _read(data: bytes) -> Cubin:
    if data[:4] != ELF or data[4] != 2:
        raise ValueError("no 64-bit ELF file")
    (sections_at,) = struct.unpack_from("<Q", data, 40)
    entry, count, names_at = struct.unpack_from("<HHH", data, 58)
    heads = [struct.unpack_from(SECTION, data, sections_at + entry * i) for i in range(count)]
    name_bytes = _content(data, heads[names_at])
    sections = {_text(name_bytes, head[0]): head for head in heads}
    symbols = _symbols(data, heads, sections)
    functions = {name: i for i, (name, kind, at) in enumerate(symbols) if kind == FUNCTION and at}
    layouts = {}
    for name, head in sections.items():
        if name.startswith(".nv.info."):
            layout = _layout(_content(data, head))
            if layout:
                layouts[name.removeprefix(".nv.info.")] = layout
    table = next((sections[n] for n in sections if n.startswith(".rela.nv.constant4")), None)
    return Cubin(functions, layouts, _called(_content(data, table) if table else b"", symbols))


def _content(data: bytes, head: tuple[int, ...]) -> bytes:
    return data[head[4] : head[4] + head[5]]


def _text(strings: bytes, at: int) -> str:
    return strings[at : strings.index(b"\0", at)].decode("utf-8", "replace")


def _symbols(
    data: bytes, heads: list[tuple[int, ...]], sections: dict[str, tuple[int, ...]]
) -> list[tuple[str, int, int]]:
    """Name, type and section of each."""
    if ".symtab" not in sections:
        return []
    head = sections[".symtab"]
    strings, table = _content(data, heads[head[6]]), _content(data, head)
    found = struct.iter_unpack(SYMBOL, table)
    return [(_text(strings, name), info & 15, section) for name, info, _, section, _, _ in found]


def _layout(attributes: bytes) -> Layout | None:
    at, base, size, parameters = 0, -1, 0, []
    while at + 4 <= len(attributes):
        form, attribute, value = struct.unpack_from("<BBH", attributes, at)
        at += 4
        if form != FORM_SIZED:
            continue
        if attribute == PARAMETERS:
            base, size = struct.unpack_from("<HH", attributes, at + 4)
        elif attribute == PARAMETER:
            _, _, offset, bits = struct.unpack_from("<IHHI", attributes, at)
            parameters.append(Parameter(offset, bits >> 18 & 0x3FFF))
        at += value
    if base < 0:
        return None
    return Layout(base, size, tuple(sorted(parameters, key=lambda each: each.offset)))


def _called(table: bytes, symbols: list[tuple[str, int, int]]) -> frozenset[str]:
    """Functions, and what is defined elsewhere and so may be one."""
    used = [symbols[info >> 32] for _, info, _ in struct.iter_unpack(RELOCATION, table)]
    return frozenset(name for name, kind, at in used if kind == FUNCTION or at == UNDEFINED)
