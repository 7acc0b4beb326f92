"""What the registers hold at one point of a kernel, as marks, and how operands name them."""

import re
from dataclasses import dataclass, field

from synctrace.tracer.sass.taint import NOTHING, Marks

_REGISTER = re.compile(r"\b(U?R)(\d+)((?:\.\w+)*)")
_PREDICATE = re.compile(r"^!?U?P(?:\d+|T|R)$")
_BANK = re.compile(r"\bc\[0x([0-9a-f]+)\]\[([^\]]*)\]")
_DESCRIPTOR = re.compile(r"g?desc\[[^\]]*\]")
_BRACKETS = re.compile(r"\[([^\]]*)\]")
_NUMBER = re.compile(r"-?0x[0-9a-f]+")
UNIFORM = 256  # number of the first uniform register

State = dict[int, int]


@dataclass
class Registers:
    """Marks of each register; where a register was written under a predicate, of both ways."""

    marks: State = field(default_factory=dict)
    split: dict[int, tuple[str, int, int]] = field(default_factory=dict)

    def copy(self) -> "Registers":
        """One that changes by itself."""
        return Registers(dict(self.marks), dict(self.split))

    def get(self, register: int, guard: str) -> int:
        """What it may hold where this guard holds."""
        if guard and register in self.split:
            predicate, true, false = self.split[register]
            if predicate == guard.lstrip("!"):
                return false if guard.startswith("!") else true
        return self.marks.get(register, NOTHING)

    def put(self, register: int, guard: str, marks: int) -> None:
        """Write it, where the guard holds."""
        if not guard:
            self.split.pop(register, None)
            self.marks[register] = marks
            return
        predicate, before = guard.lstrip("!"), self.marks.get(register, NOTHING)
        true = false = before
        if register in self.split and self.split[register][0] == predicate:
            _, true, false = self.split[register]
        if guard.startswith("!"):
            false = marks
        else:
            true = marks
        self.split[register] = (predicate, true, false)
        self.marks[register] = true | false

    def forget(self, predicate: str) -> None:
        """The predicate is another from here on; PR and UPR: all of them are."""
        every = predicate in ("PR", "UPR")
        for register in [r for r, (p, _, _) in self.split.items() if every or p == predicate]:
            del self.split[register]

    def join(self, other: "Registers") -> bool:
        """Take in what another way here brings; whether that is anything new."""
        changed = False
        for register in [r for r, s in self.split.items() if other.split.get(r) != s]:
            del self.split[register]
            changed = True
        for register, marks in other.marks.items():
            known = self.marks.get(register, NOTHING)
            if marks & ~known:
                self.marks[register] = known | marks
                self.split.pop(register, None)
                changed = True
        return changed


def registers_of(operand: str) -> list[tuple[int, str]]:
    """Number and modifiers of each register that it names."""
    found = _REGISTER.finditer(operand)
    return [(int(m[2]) + (UNIFORM if m[1] == "UR" else 0), m[3]) for m in found]


def is_predicate(operand: str) -> bool:
    """P0, !UPT, PR."""
    return bool(_PREDICATE.match(operand))


def number_of(operand: str) -> int | None:
    """An immediate one; 32 bits, signed."""
    if not _NUMBER.fullmatch(operand):
        return None
    value = int(operand, 16)
    return value - (1 << 32) if value >= 1 << 31 else value


def addresses(operands: tuple[str, ...]) -> list[str]:
    """What stands in the brackets of those that are addresses of memory."""
    found = []
    for operand in operands:
        if not _BANK.search(operand):
            found += _BRACKETS.findall(_DESCRIPTOR.sub("", operand))
    return found


def read(operand: str, registers: Registers, guard: str, marks: Marks, half: int = 0) -> int:
    """Marks of an operand; of its upper half (1) where it is one of 64 bits."""
    if bank := _BANK.search(operand):
        return constant(bank[1], bank[2], marks, half, 1)
    found = NOTHING
    for register, _ in registers_of(operand):
        found |= registers.get(register + half, guard)
    return found


def constant(bank: str, place: str, marks: Marks, half: int, halves: int) -> int:
    """Marks of `halves` half words of a bank, from the `half`-th on."""
    if int(bank, 16) == 4:
        return marks.table
    if int(bank, 16) != 0:
        return marks.loaded  # cudaMemcpyToSymbol may have put it there
    if registers_of(place):
        return marks.chosen() | marks.driver
    offset = int(place, 16) if _NUMBER.fullmatch(place) else 0  # RZ
    return marks.constant(offset + 4 * half, halves)


def bank_of(operand: str) -> tuple[str, str] | None:
    """Bank and place of a constant."""
    found = _BANK.search(operand)
    return (found[1], found[2]) if found else None


def halves_of(address: str, registers: Registers, guard: str) -> tuple[int, int]:
    """Marks of both halves of an address; a register named without a width is one of 64 bits if it
    is uniform or is alone."""
    low = high = NOTHING
    named = registers_of(address)
    for register, modifiers in named:
        low |= registers.get(register, guard)
        wide = ".64" in modifiers or register >= UNIFORM or len(named) == 1
        if wide and ".U32" not in modifiers:
            high |= registers.get(register + 1, guard)
    return low, high
