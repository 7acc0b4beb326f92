"""Hand-made code: what each rule of the analysis is for, and random code against a run of it."""

import random

import pytest

from synctrace.tracer.kinds import Mode
from synctrace.tracer.sass.cubin import Cubin, Layout, Parameter
from synctrace.tracer.sass.listing import parse
from synctrace.tracer.sass.modes import KernelModes, kernel_modes

BASE = 0x210
MAKES = ("constant", "move", "sum", "number", "fill", "get")
KINDS = (*MAKES, "spill", "put", "load", "store", "atomic", "new")
R, W, RW, UNKNOWN = Mode.READ, Mode.WRITE, Mode.READ_WRITE, Mode.UNKNOWN


def read(code: str, size: int = 32, called: frozenset[str] = frozenset()) -> KernelModes:
    """Of code of one instruction or label a line; its parameters are words of 8 bytes."""
    lines = ["k:"]
    for line in code.strip().splitlines():
        text = line.strip()
        lines.append(text if text.endswith(":") else f"  /*0000*/ {text} ;")
    parameters = tuple(Parameter(at, 8) for at in range(0, size, 8))
    layout = Layout(BASE, size, parameters)
    return kernel_modes("k", parse("\n".join(lines)), Cubin({}, {"k": layout}, called))


def used(code: str, size: int = 32) -> dict[int, Mode]:
    """Mode of each word that is an address."""
    modes = read(code, size)
    assert not modes.why
    return {word.offset: word.mode for word in modes.words if word.used}


A, B = "c[0x0][0x210]", "c[0x0][0x218]"


def test_a_register_that_is_written_anew_is_another() -> None:
    code = f"""
        LDC.64 R2, {A}
        LDC.64 R2, {B}
        STG.E desc[UR4][R2.64], R0
        EXIT
    """
    assert used(code) == {8: W}


def test_one_half_is_no_address() -> None:
    """An index of 32 bits is extended by its sign; the base is another's."""
    code = f"""
        LDC R4, {A}
        SHF.R.S32.HI R5, RZ, 0x1f, R4
        LDC.64 R2, {B}
        IADD3 R6, P0, R4, R2, RZ
        IADD3.X R7, R5, R3, RZ, P0, !PT
        LDG.E R0, desc[UR4][R6.64]
        EXIT
    """
    assert used(code) == {8: R}


def test_halves_alone_make_the_word_unknown() -> None:
    code = f"""
        LDC R2, {A}
        MOV R3, RZ
        STG.E desc[UR4][R2.64], R0
        EXIT
    """
    modes = read(code)
    assert [(w.used, w.mode) for w in modes.words[:2]] == [(True, UNKNOWN), (False, UNKNOWN)]
    assert modes.elsewhere == W


def test_predicates_tell_two_ways_apart() -> None:
    code = f"""
        @P0 LDC.64 R2, {A}
        @!P0 LDC.64 R2, {B}
        @P0 STG.E desc[UR4][R2.64], R0
        @!P0 LDG.E R0, desc[UR4][R2.64]
        EXIT
    """
    assert used(code) == {0: W, 8: R}


def test_a_predicate_that_changes_tells_nothing_more() -> None:
    code = f"""
        @P0 LDC.64 R2, {A}
        @!P0 LDC.64 R2, {B}
        ISETP.GT.AND P0, PT, R9, RZ, PT
        @P0 STG.E desc[UR4][R2.64], R0
        EXIT
    """
    assert used(code) == {0: UNKNOWN, 8: UNKNOWN}


def test_ways_that_join() -> None:
    code = f"""
        LDC.64 R2, {A}
        @P1 BRA `(.L_1)
        LDC.64 R2, {B}
        .L_1:
        STG.E desc[UR4][R2.64], R0
        EXIT
    """
    assert used(code) == {0: UNKNOWN, 8: UNKNOWN}


def test_what_is_behind_an_exit_or_in_a_loop() -> None:
    code = f"""
        LDC.64 R2, {A}
        .L_1:
        LDG.E R0, desc[UR4][R2.64]
        LDC.64 R2, {B}
        @P1 BRA `(.L_1)
        EXIT
        STG.E desc[UR4][R2.64], R0
    """
    assert used(code) == {0: UNKNOWN, 8: UNKNOWN}  # one of them, each time around


def test_products_and_scaled_indices_are_no_addresses() -> None:
    code = f"""
        LDC.64 R4, {A}
        LDC.64 R2, {B}
        IMAD R6, R4, R9, R2
        IMAD R7, R5, R9, R3
        LEA R8, P0, R4, R6, 0x2
        LEA.HI.X R9, R4, R7, R5, 0x2, P0
        STG.E desc[UR4][R8.64], R0
        EXIT
    """
    assert used(code) == {8: W}


def test_an_index_at_run_time_may_be_any_parameter() -> None:
    code = f"""
        LDC.64 R2, c[0x0][R9+0x210]
        STG.E desc[UR4][R2.64], R0
        LDC.64 R6, {B}
        LDG.E R0, desc[UR4][R6.64]
        EXIT
    """
    assert used(code, size=16) == {0: UNKNOWN, 8: UNKNOWN}
    assert used(code.replace("STG.E desc[UR4][R2.64], R0", "LDG.E R1, desc[UR4][R2.64]")) == {
        0: UNKNOWN, 8: R, 16: UNKNOWN, 24: UNKNOWN,
    }  # fmt: skip


def test_a_pointer_that_was_stored_and_loaded_again() -> None:
    """Who stores an address to memory may load it, by whatever way."""
    code = f"""
        LDC.64 R2, {A}
        LDC.64 R6, {B}
        STG.E.64 desc[UR4][R2.64], R6
        LDG.E.64 R8, desc[UR4][R2.64]
        STG.E desc[UR4][R8.64], R0
        EXIT
    """
    assert used(code) == {0: RW, 8: UNKNOWN}


@pytest.mark.parametrize(
    ("code", "why"),
    [
        ("FROBNICATE R2, R4\nEXIT", "it has an instruction that is not known: FROBNICATE"),
        ("CALL.REL.NOINC `(other)\nEXIT", "it calls a function that was not read: other"),
        ("BRX R4 -0x10\nEXIT", "BRX to places that are not told"),
        ("LDC.64 R2, c[0x4][0x8]\nCALL.ABS.NOINC R2\nEXIT", "it calls a function by address"),
    ],
)
def test_what_is_not_understood_leaves_nothing_known(code: str, why: str) -> None:
    modes = read(code, called=frozenset({"strange"}))
    assert (modes.words, modes.why, modes.elsewhere) == ((), why, UNKNOWN)


def test_a_function_that_is_called_uses_what_it_is_given() -> None:
    code = f"""
        LDC.64 R4, {A}
        CALL.REL.NOINC `(helper)
        LDG.E R0, desc[UR4][R4.64]
        EXIT
        helper:
        STG.E desc[UR4][R4.64], R0
        RET.REL.NODEC R20 `(k)
    """
    assert used(code) == {0: RW}


class Run:
    """Random straight code, and what one run of it touches: each pair of registers holds one
    pointer of one word, or a number (-1)."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._holds = dict.fromkeys(range(2, 20, 2), -1)
        self._stack: dict[int, int] = {}
        self._shared = -1
        self._truth = {"P0": self._random.random() < 0.5, "P1": self._random.random() < 0.5}
        self.touched: dict[int, int] = {}
        self.lines = ["IADD3 R1, R1, -0x40, RZ"]
        for _ in range(self._random.randint(5, 40)):
            self._step()
        self.lines.append("EXIT")

    def _step(self) -> None:
        """One operation, perhaps under a predicate that does not hold in this run."""
        choose = self._random.choice
        to, first, second = (choose(list(self._holds)) for _ in range(3))
        guard = choose(["", "", "@P0 ", "@!P0 ", "@P1 ", "@!P1 "])
        runs = not guard or self._truth[guard.strip(" @!")] != ("!" in guard)
        place, word = 8 * self._random.randrange(4), self._random.randrange(4)
        value: int | None = None
        kind = choose(
            [
                "constant",
                "move",
                "sum",
                "number",
                "spill",
                "fill",
                "put",
                "get",
                "load",
                "store",
                "atomic",
                "new",
            ]
        )
        if kind == "constant":
            self._say(guard, f"LDC.64 R{to}, c[0x0][{BASE + 8 * word:#x}]")
            value = word
        elif kind == "move":
            self._say(
                guard, f"MOV R{to}, R{first}", f"IMAD.MOV.U32 R{to + 1}, RZ, RZ, R{first + 1}"
            )
            value = self._holds[first]
        elif kind == "sum" and self._holds[second] < 0 <= self._holds[first] and to != first:
            self._say(
                guard,
                f"IADD3 R{to}, P3, R{first}, R{second}, RZ",
                f"IADD3.X R{to + 1}, R{first + 1}, RZ, RZ, P3, !PT",
            )
            value = self._holds[first]
        elif kind == "number":
            self._say(guard, f"S2R R{to}, SR_TID.X", f"MOV R{to + 1}, RZ")
            value = -1
        elif kind == "spill":
            self._say(guard, f"STL.64 [R1+{place:#x}], R{first}")
            self._stack[place] = self._holds[first] if runs else self._stack.get(place, -1)
        elif kind == "fill":
            self._say(guard, f"LDL.64 R{to}, [R1+{place:#x}]")
            value = self._stack.get(place, -1)
        elif kind == "put":
            self._say(guard, f"STS.64 [UR4], R{first}")
            self._shared = self._holds[first] if runs else self._shared
        elif kind == "get":
            self._say(guard, f"LDS.64 R{to}, [UR4]")
            value = self._shared
        elif kind == "new":
            self._say("", "ISETP.GT.AND P1, PT, R30, RZ, PT")
            self._truth["P1"] = self._random.random() < 0.5
        elif kind in ("load", "store", "atomic") and self._holds[first] >= 0:
            self._say(guard, *_access(kind, first))
            if runs:
                mode = {"load": 1, "store": 2, "atomic": 3}[kind]
                held = self._holds[first]
                self.touched[held] = self.touched.get(held, 0) | mode
        if value is not None and runs:
            self._holds[to] = value

    def _say(self, guard: str, *lines: str) -> None:
        self.lines += [guard + line for line in lines]


def _access(kind: str, pair: int) -> tuple[str, ...]:
    place = f"desc[UR4][R{pair}.64]"
    if kind == "load":
        return (f"LDG.E R40, {place}",)
    return (f"STG.E {place}, R40",) if kind == "store" else (f"REDG.E.ADD {place}, R40",)


@pytest.mark.parametrize("first", range(0, 600, 100))
def test_no_access_of_random_code_is_denied(first: int) -> None:
    """Whatever a run touches, the analysis says of that word, or says that it knows nothing."""
    covers = {R: 1, W: 2, RW: 3, UNKNOWN: 3}
    for seed in range(first, first + 100):
        run = Run(seed)
        said = used("\n".join(run.lines))
        for word, mode in run.touched.items():
            assert mode & ~covers[said[8 * word]] == 0, (seed, word)
