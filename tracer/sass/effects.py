"""What one instruction does to the registers, and which memory it touches."""

from synctrace.tracer.sass import opcodes
from synctrace.tracer.sass.listing import Instruction
from synctrace.tracer.sass.memory import READ, WRITTEN, Machine, Touched
from synctrace.tracer.sass.registers import (
    Registers,
    addresses,
    bank_of,
    constant,
    halves_of,
    is_predicate,
    number_of,
    read,
    registers_of,
)
from synctrace.tracer.sass.taint import NOTHING, Base, Marks

STACK = 1  # number of the register that points to it
TENSOR_MAP = 128  # bytes


def step(machine: Machine, one: Instruction, now: Registers, touched: Touched | None) -> None:
    """One instruction of a known opcode."""
    _forget_predicates(one, now)
    opcode = one.opcode
    if opcode in opcodes.LOADS | opcodes.STORES | opcodes.ATOMICS:
        _device_memory(machine, one, now, touched)
    elif opcode in opcodes.TENSORS or opcode in opcodes.BULK:
        _bulk(machine, one, now, touched)
    elif opcode == "CCTL" and addresses(one.operands) and ".PF" not in one.name:
        for address in addresses(one.operands):
            _touch(machine, halves_of(address, now, one.guard), READ | WRITTEN, touched)
    elif opcode in opcodes.SHARED_LOADS | opcodes.SHARED_STORES:
        _shared(machine, one, now)
    elif opcode in ("STL", "LDL"):
        _stack(machine, one, now)
    elif opcode in opcodes.CONSTANT_LOADS:
        _constant(machine, one, now)
    elif opcode in opcodes.MAKES_NO_ADDRESS:
        for operand in one.operands[:2]:
            if registers_of(operand) and not operand.startswith("["):
                _put(one, now, operand, [NOTHING])
                break
    else:
        _computed(machine, one, now)


def _forget_predicates(one: Instruction, now: Registers) -> None:
    """Those that it may write stand before its second operand that is none."""
    if not now.split:
        return
    others = 0
    for operand in one.operands:
        others += not is_predicate(operand)
        if others > 1:
            return
        if is_predicate(operand) and not operand.startswith("!"):
            now.forget(operand)


def _width(one: Instruction) -> int:
    """Registers of the data of a load or store."""
    for sign, width in ((".256", 8), (".128", 4), (".64", 2)):
        if sign in one.name:
            return width
    return 1


def _put(one: Instruction, now: Registers, operand: str, values: list[int]) -> None:
    for register, _ in registers_of(operand)[:1]:
        for i, marks in enumerate(values):
            now.put(register + i, one.guard, marks)


def _data(one: Instruction, now: Registers, operands: tuple[str, ...], width: int) -> int:
    """What registers that are stored hold."""
    found = NOTHING
    for operand in operands:
        for register, _ in registers_of(operand):
            for i in range(width):
                found |= now.get(register + i, one.guard)
    return found


def _around_address(one: Instruction) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Operands before the first address, and behind it."""
    for at, operand in enumerate(one.operands):
        if "[" in operand and not bank_of(operand):
            return one.operands[:at], one.operands[at + 1 :]
    return one.operands, ()


def _device_memory(
    machine: Machine, one: Instruction, now: Registers, touched: Touched | None
) -> None:
    memory, marks, opcode = machine.memory, machine.marks, one.opcode
    before, behind = _around_address(one)
    places = addresses(one.operands)
    low, high = halves_of(places[-1], now, one.guard) if places else (NOTHING, NOTHING)
    if opcode in opcodes.LOADS:
        mode = READ
    elif opcode in opcodes.STORES:
        mode = WRITTEN
    else:
        mode = READ | WRITTEN
    base = _touch(machine, (low, high), mode, touched)
    if mode & WRITTEN:
        data = _data(one, now, behind, _width(one))
        memory.escaped |= data
        if opcode in opcodes.GENERIC:
            memory.shared |= data
            memory.stack_anywhere |= data
    if opcode == "LDGSTS":
        memory.shared |= marks.loaded
    elif mode & READ:
        found = marks.loaded
        if opcode in opcodes.GENERIC:
            found |= marks.one_of(memory.shared | memory.any_stack())
        if base.driver and marks.places(low) != ():
            found |= marks.chosen()
        for operand in before:
            if not is_predicate(operand):
                _put(one, now, operand, [found] * min(_width(one), 4))


def _touch(machine: Machine, halves: tuple[int, int], mode: int, touched: Touched | None) -> Base:
    """What was stored in memory may be a pointer that is loaded from there."""
    base = machine.marks.base(*halves)
    if touched:
        touched.note(base, mode)
        if base.loaded:
            for word in machine.marks.whole(machine.memory.escaped):
                touched.perhaps[word] = touched.perhaps.get(word, 0) | mode
    return base


def _bulk(machine: Machine, one: Instruction, now: Registers, touched: Touched | None) -> None:
    places = addresses(one.operands)
    if ".G.S" in one.name and one.opcode == "UBLKCP":
        places, mode = places[:1], WRITTEN
    elif ".S.G" in one.name and one.opcode == "UBLKCP":
        places, mode = places[1:2], READ
    elif one.opcode in opcodes.TENSORS:
        said = opcodes.TENSORS[one.opcode]
        mode = (READ if "r" in said else 0) | (WRITTEN if "w" in said else 0)
        places = places[1:2]
    else:
        mode = READ | WRITTEN
    machine.memory.shared |= machine.marks.loaded
    if not touched:
        return
    for place in places or [""]:
        low, high = halves_of(place, now, one.guard)
        if one.opcode in opcodes.TENSORS:
            _tensor(machine.marks, low, high, mode, touched)
        else:
            touched.note(machine.marks.base(low, high), mode)


def _tensor(marks: Marks, low: int, high: int, mode: int, touched: Touched) -> None:
    """A tensor map among the parameters begins with the address; one in memory is read there."""
    if marks.places(low) is None:
        for word in marks.all_words():
            touched.perhaps[word] = touched.perhaps.get(word, 0) | mode
        return
    for place in marks.places(low) or ():
        _, end = marks.layout.around(place)
        for at in range(place // 8, (min(place + TENSOR_MAP, end) + 7) // 8):
            touched.modes[at] = touched.modes.get(at, 0) | mode
    base = marks.base(low, high)
    if not marks.places(low):
        touched.note(base, READ)
        touched.elsewhere |= mode


def _shared(machine: Machine, one: Instruction, now: Registers) -> None:
    before, behind = _around_address(one)
    if one.opcode in opcodes.SHARED_STORES:
        machine.memory.shared |= _data(one, now, behind, 4 if ".M" in one.name else _width(one))
    if one.opcode in opcodes.SHARED_LOADS:
        width = 4 if one.opcode == "LDSM" else _width(one)
        for operand in before:
            if not is_predicate(operand):
                _put(one, now, operand, [machine.memory.shared] * width)


def _stack(machine: Machine, one: Instruction, now: Registers) -> None:
    before, behind = _around_address(one)
    memory, width = machine.memory, _width(one)
    place = addresses(one.operands)[0] if addresses(one.operands) else ""
    at = _stack_place(place) if machine.fixed_stack else None
    if one.opcode == "STL":
        for i in range(width if behind else 0):
            named = registers_of(behind[0])[:1]
            marks = now.get(named[0][0] + i, one.guard) if named else NOTHING
            if at is None:
                memory.stack_anywhere |= marks
            else:
                key = str(at + 4 * i)
                memory.stack[key] = memory.stack.get(key, NOTHING) | marks
        return
    if at is None:
        values = [machine.marks.one_of(memory.any_stack())] * width
    else:
        known = [memory.stack.get(str(at + 4 * i), NOTHING) for i in range(width)]
        values = [marks | memory.stack_anywhere for marks in known]
    for operand in before[:1]:
        _put(one, now, operand, values)


def _stack_place(address: str) -> int | None:
    """Its distance from where the stack starts, if it is a number that is a multiple of 4."""
    start, _, distance = address.partition("+")
    if start.partition(".")[0] != f"R{STACK}":
        return None
    number = number_of(distance) if distance else 0
    return number if number is not None and number % 4 == 0 else None


def _constant(machine: Machine, one: Instruction, now: Registers) -> None:
    """A run-time index chooses any word of a parameter; other banks are like memory."""
    if len(one.operands) < 2:
        return
    bank = bank_of(one.operands[-1])
    values = []
    for i in range(_width(one)):
        if bank is None:
            values.append(machine.marks.loaded)
        else:
            values.append(constant(*bank, machine.marks, i, 1))
    _put(one, now, one.operands[0], values)


def _computed(machine: Machine, one: Instruction, now: Registers) -> None:
    sources = [o for o in one.operands[1:] if not is_predicate(o)]
    target = one.operands[0] if one.operands else ""
    if is_predicate(target) and sources:
        target, sources = sources[0], sources[1:]
    sizes = (".64", ".WIDE") if "SHF" in one.opcode else (".64", ".WIDE", ".S64", ".U64")
    wide = any(size in one.name for size in sizes)
    if one.opcode in opcodes.MULTIPLIES and len(sources) >= 3:
        sources = _not_multiplied(sources)
    elif one.opcode in opcodes.SCALED_SUMS and len(sources) >= 3:
        sources = _not_scaled(sources)
    values = []
    for half in range(2 if wide else 1):
        marks = NOTHING
        for source in sources:
            marks |= read(source, now, one.guard, machine.marks, half)
            if not wide and ".64" in source:
                marks |= read(source, now, one.guard, machine.marks, 1)
        values.append(marks)
    values[0] = _moved(machine.marks, one, sources, values[0])
    _put(one, now, target, values)


def _moved(marks: Marks, one: Instruction, sources: list[str], value: int) -> int:
    """An address within the parameters and a number is another such address."""
    if not value >> marks.first_place or one.name.endswith(".X"):
        return value
    if len([s for s in sources if s not in ("RZ", "URZ")]) == 1:
        return value if one.opcode in opcodes.PASSES | opcodes.MULTIPLIES else marks.anywhere(value)
    numbers = [number_of(source) for source in sources]
    others = [s for s in sources if number_of(s) is None and s not in ("RZ", "URZ")]
    if one.opcode in opcodes.SUMS and len(others) == 1 and not others[0].startswith("-"):
        return marks.moved(value, sum(n for n in numbers if n is not None))
    return marks.anywhere(value)


def _not_multiplied(sources: list[str]) -> list[str]:
    """A product is no address, unless by one."""
    first, second, *rest = sources
    if second in ("0x1", "-0x1"):
        return [first, *rest]
    return [second, *rest] if first in ("0x1", "-0x1") else rest


def _not_scaled(sources: list[str]) -> list[str]:
    """What is shifted left before the sum is an index."""
    shift = number_of(sources[-1])
    if shift is None or not 0 < shift < 32:
        return sources
    return [sources[1]]
