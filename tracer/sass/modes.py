"""What a kernel does with each 8-byte word of its parameters: proven from its machine code.

Assumed, as compilers have it: a pointer is made by adding, choosing, masking and shifting, never by
multiplying; a parameter that is a pointer is aligned to 8 bytes or lies across two words.
"""

from collections import deque
from dataclasses import dataclass

from synctrace.tracer.kinds import Mode
from synctrace.tracer.sass import opcodes
from synctrace.tracer.sass.control import Ways, ways_of
from synctrace.tracer.sass.cubin import Cubin
from synctrace.tracer.sass.effects import STACK, step
from synctrace.tracer.sass.listing import Instruction, Listing
from synctrace.tracer.sass.memory import READ, WRITTEN, Machine, Memory, Touched
from synctrace.tracer.sass.registers import Registers, registers_of
from synctrace.tracer.sass.taint import Marks

WORD = 8
STEPS_MOST = 3_000_000  # instructions followed, repeats included: about 30 s
WAITS, TRIGGERS = "ACQBULK", "PREEXIT"
MODES = {READ: Mode.READ, WRITTEN: Mode.WRITE, READ | WRITTEN: Mode.READ_WRITE}


@dataclass(frozen=True)
class Word:
    """What the code does with the memory that a parameter word points to."""

    offset: int  # in bytes from the first parameter
    used: bool  # false: the code reaches no memory by it
    mode: Mode  # UNKNOWN where the code may do anything


@dataclass(frozen=True)
class KernelModes:
    """All words of a kernel's parameters."""

    name: str
    words: tuple[Word, ...]
    elsewhere: Mode | None  # by pointers that are no parameters, and variables; None: nothing
    waits: bool  # for the grids before it (griddepcontrol.wait)
    triggers: bool  # lets dependent grids start early
    why: str  # why nothing is known of any word; "" otherwise


def unknown_modes(name: str, why: str) -> KernelModes:
    """A kernel of which nothing is known."""
    return KernelModes(name, (), Mode.UNKNOWN, False, False, why)


def kernel_modes(name: str, listing: Listing, cubin: Cubin) -> KernelModes:
    """What the printed code of this kernel, and of all that it calls, does."""
    layout, start = cubin.layouts.get(name), listing.labels.get(name)
    if start is None:
        start = listing.labels.get(f".text.{name}")
    if layout is None or start is None:
        return unknown_modes(name, "its code or its parameters' places were not found")
    ways = ways_of(listing)
    reached = _reached(start, ways)
    instructions = [listing.instructions[i] for i in sorted(reached)]
    by_address = not reached.isdisjoint(ways.calls)
    why = _why_not(instructions, ways, by_address, cubin)
    if why:
        return unknown_modes(name, why)
    machine = Machine(Marks(layout), Memory(), _is_stack_fixed(instructions))
    touched = _touched(machine, listing, ways, start)
    if touched is None:
        return unknown_modes(name, "too long to be followed")
    if by_address:
        _note_texts(machine, touched)
    words = tuple(_word(i, touched) for i in range((layout.size + WORD - 1) // WORD))
    names = {one.opcode for one in instructions}
    elsewhere = MODES.get(touched.elsewhere)
    return KernelModes(name, words, elsewhere, WAITS in names, TRIGGERS in names, "")


def _reached(start: int, ways: Ways) -> set[int]:
    found, open_ = {start}, [start]
    while open_:
        for after in ways.after[open_.pop()]:
            if after not in found:
                found.add(after)
                open_.append(after)
    return found


def _why_not(instructions: list[Instruction], ways: Ways, by_address: bool, cubin: Cubin) -> str:
    strange = next((one.name for one in instructions if one.opcode not in opcodes.KNOWN), "")
    if strange:
        return f"it has an instruction that is not known: {strange}"
    if ways.missing:
        return f"it calls a function that was not read: {ways.missing}"
    if by_address and not cubin.called_by_address <= opcodes.HARMLESS_CALLS:
        return "it calls a function by address"
    if any(one.name.startswith("CALL.REL") and one.operands for one in instructions):
        return "it calls a function by address"
    return ways.unclear


def _is_stack_fixed(instructions: list[Instruction]) -> bool:
    """Whether nothing moves the stack's pointer but one step before the stack is used."""
    moves = 0
    for one in instructions:
        target = registers_of(one.operands[0])[:1] if one.operands else []
        uses_stack = one.opcode in ("STL", "LDL")
        if uses_stack and not moves:
            moves = 1
        elif not uses_stack and target and target[0][0] == STACK and "[" not in one.operands[0]:
            if one.opcode == "LDC" and not moves:
                continue
            moves += 1
    return moves <= 1


def _touched(machine: Machine, listing: Listing, ways: Ways, start: int) -> Touched | None:
    """Follows all ways until nothing is new; then what is touched. None: that takes too long."""
    blocks = _blocks(start, ways)
    size, left = -1, STEPS_MOST
    known: dict[int, Registers] = {}
    while size != machine.memory.size():
        size = machine.memory.size()
        known = {start: Registers()}
        open_ = deque([start])
        while open_:
            block = open_.popleft()
            now = known[block].copy()
            for at in blocks[block]:
                step(machine, listing.instructions[at], now, None)
            left -= len(blocks[block])
            if left < 0:
                return None
            for after in ways.after[blocks[block][-1]]:
                if after not in known:
                    known[after] = now.copy()
                elif not known[after].join(now):
                    continue
                if after not in open_:
                    open_.append(after)
    touched = Touched()
    for block, before in known.items():
        now = before.copy()
        for at in blocks[block]:
            step(machine, listing.instructions[at], now, touched)
    return touched


def _blocks(start: int, ways: Ways) -> dict[int, tuple[int, ...]]:
    """Runs of instructions that follow each other, by the first."""
    reached = _reached(start, ways)
    firsts = {start}
    for at in reached:
        if ways.after[at] != (at + 1,):
            firsts.update(ways.after[at])
    blocks = {}
    for first in firsts:
        run = [first]
        while ways.after[run[-1]] == (run[-1] + 1,) and run[-1] + 1 not in firsts:
            run.append(run[-1] + 1)
        blocks[first] = tuple(run)
    return blocks


def _note_texts(machine: Machine, touched: Touched) -> None:
    """What printf is given is on the stack, and may be a text."""
    for word in machine.marks.whole(machine.memory.any_stack()):
        touched.modes[word] = touched.modes.get(word, 0) | READ


def _word(number: int, touched: Touched) -> Word:
    """Of an access that may be another word's nothing is claimed but what the word has anyway."""
    sure, perhaps = touched.modes.get(number, 0), touched.perhaps.get(number, 0)
    if number in touched.unclear or perhaps & ~sure:
        return Word(number * WORD, True, Mode.UNKNOWN)
    if not sure:
        return Word(number * WORD, False, Mode.UNKNOWN)
    return Word(number * WORD, True, MODES[sure])
