"""Of which parameters a register's value may be made: sets of marks, as the bits of an int.

A parameter word of 8 bytes has two marks, one for each half, in the order of the bytes. An address
can be based on a word only if the lower half of the address has the mark of the word's lower half,
and the upper that of its upper half: so numbers of 32 bits are never bases. A second mark of the
same kind says that the word may be another: one is chosen by an index at run time.
"""

from dataclasses import dataclass

from synctrace.tracer.sass.cubin import Layout

NOTHING = 0
# Where the driver keeps the address of the first parameter, in bytes before it; by `base`.
SPACE_BEFORE = {0x210: 0x78, 0x380: 0x38}


@dataclass(frozen=True)
class Base:
    """What an address can be based on: numbers of parameter words, sets of marks."""

    words: frozenset[int]  # this one, or none
    perhaps: frozenset[int]  # one of these, or what was loaded
    loaded: bool  # a pointer that was loaded from memory
    driver: bool  # a word of the driver: the stack, the parameters' own place
    unclear: frozenset[int]  # words of which one half alone is in it, and no base is


@dataclass(frozen=True)
class Marks:
    """The marks of one kernel's parameters."""

    layout: Layout

    @property
    def halves(self) -> int:
        """Half words, whole pairs of them."""
        return (self.layout.size + 7) // 8 * 2

    @property
    def loaded(self) -> int:
        """Loaded from memory that anyone may have written."""
        return 1 << 2 * self.halves

    @property
    def table(self) -> int:
        """Of the table of addresses that the linker makes (bank 4)."""
        return 1 << 2 * self.halves + 1

    @property
    def driver(self) -> int:
        """A word that the driver puts before the parameters."""
        return 1 << 2 * self.halves + 2

    @property
    def somewhere(self) -> int:
        """An address within the parameters, not known which."""
        return 1 << 2 * self.halves + 3

    @property
    def first_place(self) -> int:
        """Number of the mark of the address of the first byte; the next is 4 bytes further."""
        return 2 * self.halves + 4

    def constant(self, offset: int, halves: int) -> int:
        """The half words from this byte of bank 0 on, one mark each, joined."""
        marks = NOTHING
        for at in range(offset, offset + 4 * halves, 4):
            if at < self.layout.base:
                marks |= self.driver
                space = self.layout.base - SPACE_BEFORE.get(self.layout.base, 0)
                if at == space:
                    marks |= 1 << self.first_place
                elif self.layout.base not in SPACE_BEFORE:
                    marks |= self.somewhere
            elif at < self.layout.base + self.layout.size:
                marks |= 1 << (at - self.layout.base) // 4
                if (at - self.layout.base) % 4:
                    marks |= 1 << min((at - self.layout.base) // 4 + 1, self.halves - 1)
        return marks

    def chosen(self) -> int:
        """Any word: compilers choose between parameters by an index, too."""
        return ((1 << self.halves) - 1) << self.halves

    def one_of(self, marks: int) -> int:
        """One of several values that have these marks."""
        exact = marks & (1 << self.halves) - 1
        return marks & ~exact | exact << self.halves

    def moved(self, marks: int, by: int) -> int:
        """What was an address within the parameters is one `by` bytes further."""
        places, rest = marks >> self.first_place, marks & (1 << self.first_place) - 1
        if not places:
            return marks
        if by % 4 or by < 0 or by > self.layout.size:
            return rest | self.somewhere
        return rest | places << self.first_place + by // 4

    def anywhere(self, marks: int) -> int:
        """What was an address within the parameters is one of any of them."""
        if not marks >> self.first_place:
            return marks
        return marks & (1 << self.first_place) - 1 | self.somewhere

    def places(self, marks: int) -> tuple[int, ...] | None:
        """Bytes of the parameters that this may be the address of; None: any."""
        if marks & self.somewhere:
            return None
        found = marks >> self.first_place
        return tuple(4 * i for i in range(found.bit_length()) if found >> i & 1)

    def all_words(self) -> frozenset[int]:
        """Every word."""
        return frozenset(range(self.halves // 2))

    def whole(self, marks: int) -> frozenset[int]:
        """Words of which both halves are in it, chosen ones too."""
        base = self.base(marks, marks)
        return base.words | base.perhaps

    def base(self, low: int, high: int) -> Base:
        """What an address of these halves can be based on."""
        words = self._words(low, high)
        perhaps = self._words(low >> self.halves, high >> self.halves)
        both = low & high
        loaded = bool(both & (self.loaded | self.table))
        if len(words) + len(perhaps - words) + loaded > 1:
            words, perhaps = frozenset(), words | perhaps
        driver = bool(both & self.driver)
        unclear: frozenset[int] = frozenset()
        if not (words or perhaps or loaded or driver):
            some = (low | high) & (1 << 2 * self.halves) - 1
            some = some | some >> self.halves
            unclear = frozenset(i // 2 for i in range(self.halves) if some >> i & 1)
        return Base(words, perhaps, loaded, driver, unclear)

    def _words(self, low: int, high: int) -> frozenset[int]:
        """An address that lies across two words is of both."""
        pairs = low & high >> 1 & (1 << self.halves) - 1
        found: set[int] = set()
        while pairs:
            lowest = (pairs & -pairs).bit_length() - 1
            pairs &= pairs - 1
            found.update((lowest // 2, (lowest + 1) // 2))
        return frozenset(found)
