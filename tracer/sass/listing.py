"""The text that nvdisasm prints of a cubin, as instructions."""

import re
from dataclasses import dataclass

_INSTRUCTION = re.compile(r"^\s+/\*[0-9a-f]+\*/\s+(?:@(!?U?P\w+)\s+)?(\S+?)(?:\s+(.*?))?\s*;")
_LABEL = re.compile(r"^\s*([^\s/\"]+):\s*$")
_TARGET = re.compile(r"`\(([^)]+)\)")
_TARGETS = re.compile(r"BRANCH_TARGETS\s+([^\"*]+)")


@dataclass(frozen=True)
class Instruction:
    """One instruction: `@guard name operands`; targets are the labels that it names."""

    guard: str  # predicate under which it runs, "!" before one that must be false; "" for always
    name: str  # with its modifiers: LDG.E.64
    operands: tuple[str, ...]
    targets: tuple[str, ...]

    @property
    def opcode(self) -> str:
        """The name without its modifiers."""
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Listing:
    """All instructions that were printed, and what number each label stands before."""

    instructions: tuple[Instruction, ...]
    labels: dict[str, int]


def parse(text: str) -> Listing:
    """Lines that are neither labels nor instructions are passed over."""
    instructions: list[Instruction] = []
    labels: dict[str, int] = {}
    for line in text.splitlines():
        if found := _INSTRUCTION.match(line):
            guard, name, rest = found[1] or "", found[2], found[3] or ""
            targets = _TARGET.findall(rest)
            if several := _TARGETS.search(line):
                targets += re.split(r"[,\s]+", several[1].strip())
            operands = _operands(_TARGET.sub("", rest))
            instructions.append(Instruction(guard, name, operands, tuple(targets)))
        elif found := _LABEL.match(line):
            labels.setdefault(found[1], len(instructions))
    return Listing(tuple(instructions), labels)


def _operands(rest: str) -> tuple[str, ...]:
    """Split at commas outside of brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(rest):
        depth += (letter in "[{(") - (letter in "]})")
        if letter == "," and depth == 0:
            parts.append(rest[start:at])
            start = at + 1
    return tuple(part.strip() for part in (*parts, rest[start:]) if part.strip())
