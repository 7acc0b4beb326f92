"""What a kernel's code stores and touches: memory as the analysis sees it."""

from dataclasses import dataclass, field

from synctrace.tracer.sass.taint import NOTHING, Base, Marks

READ, WRITTEN = 1, 2


@dataclass
class Memory:
    """What was stored where other instructions find it, whatever the order."""

    stack: dict[str, int] = field(default_factory=dict)  # by place, where that is a number
    stack_anywhere: int = NOTHING
    shared: int = NOTHING
    escaped: int = NOTHING  # to memory of the device

    def size(self) -> int:
        """Grows while something new is stored."""
        stored = (self.stack_anywhere, self.shared, self.escaped, *self.stack.values())
        return sum(marks.bit_count() for marks in stored)

    def any_stack(self) -> int:
        """What a load from an unknown place of the stack may find."""
        found = self.stack_anywhere
        for marks in self.stack.values():
            found |= marks
        return found


@dataclass
class Touched:
    """What the instructions touched: modes by word; `elsewhere`: by no parameter."""

    modes: dict[int, int] = field(default_factory=dict)
    perhaps: dict[int, int] = field(default_factory=dict)  # of words chosen at run time
    unclear: set[int] = field(default_factory=set)
    elsewhere: int = 0

    def note(self, base: Base, mode: int) -> None:
        """An access of memory of the device at an address that is based on this."""
        for word in base.words:
            self.modes[word] = self.modes.get(word, 0) | mode
        for word in base.perhaps:
            self.perhaps[word] = self.perhaps.get(word, 0) | mode
        self.unclear |= base.unclear
        if base.loaded or base.unclear or not (base.words or base.perhaps or base.driver):
            self.elsewhere |= mode


@dataclass(frozen=True)
class Machine:
    """What is the same for all instructions of a kernel. `touched` is null until all is settled."""

    marks: Marks
    memory: Memory
    fixed_stack: bool  # places of the stack are numbers: nothing moves it but the start
