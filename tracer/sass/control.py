"""Where control can go from each instruction of a kernel."""

from dataclasses import dataclass

from synctrace.tracer.sass.listing import Instruction, Listing

ENDS = frozenset({"EXIT", "KILL"})
JUMPS = frozenset({"BRA", "JMP"})
JUMPS_BY_TABLE = frozenset({"BRX", "BRXU", "JMX"})


@dataclass(frozen=True)
class Ways:
    """Numbers of the instructions that can follow each one, and what could not be told of it."""

    after: tuple[tuple[int, ...], ...]
    calls: frozenset[int]  # calls by address
    missing: str  # a function that is called and was not printed; "" if there is none
    unclear: str  # why the ways are not all known; "" if they are


def ways_of(listing: Listing) -> Ways:
    """A return goes behind any call: who called is not kept."""
    after: list[tuple[int, ...]] = []
    calls: set[int] = set()
    returns: list[int] = []
    behind: list[int] = []
    missing = unclear = ""
    for at, one in enumerate(listing.instructions):
        further = (at + 1,) if at + 1 < len(listing.instructions) else ()
        known = tuple(listing.labels[t] for t in one.targets if t in listing.labels)
        lost = [t for t in one.targets if t not in listing.labels]
        if one.opcode == "CALL":
            behind += further
            by_address = bool(one.operands)
            if by_address:
                calls.add(at)
            elif lost or not known:
                missing = lost[0] if lost else "nothing"
            after.append(further if by_address else known + further)
        elif one.opcode == "RET":
            returns.append(at)
            after.append(further if one.guard else ())
        elif one.opcode in ENDS:
            after.append(further if one.guard else ())
        elif one.opcode in JUMPS_BY_TABLE:
            if lost or not known:
                unclear = f"{one.name} to places that are not told"
            after.append(known + (further if one.guard else ()))
        elif one.opcode in JUMPS:
            if lost or not known:
                unclear = f"{one.name} to a place that is not told"
            after.append(known + (further if _may_go_on(one) else ()))
        else:
            after.append(known + further)
    for at in returns:
        after[at] += tuple(behind)
    return Ways(tuple(after), frozenset(calls), missing, unclear)


def _may_go_on(jump: Instruction) -> bool:
    return bool(jump.guard or jump.operands or "." in jump.name)
