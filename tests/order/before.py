"""What work is before what work: by brute force, by the engine's clocks, by closing its edges."""

from typing import Any

from everything import WITHOUT_EFFECT, Plan
from judge import PROFILE, judging
from oracle import Player
from oracle_state import Touch
from oracle_streams import AFTER
from random_traces import Op, Program

from synctrace.analyzer import abi
from synctrace.analyzer.history import INSTANTS, clocks_of, edges_of, parts_of
from synctrace.analyzer.profile import load

# By which an op is something that its stream does, whether or not it touches anything there.
ON_STREAM = AFTER | {
    *("launch", "actor-waits", "peer-waits", "devices-wait", "actor-waits-event"),
    *("records", "records-start"),
}
Pairs = set[tuple[int, int]]  # op ids: the first's work is complete before the second's begins


class _Marked(Player):
    """Each part of an op's work leaves a touch of no memory."""

    def __init__(self, program: Program, strict: bool, habits: bool, issue: int) -> None:
        super().__init__(
            program, strict, habits, True, issue, lambda _: False, lambda _: False, False, None
        )
        self.marks_of: dict[int, list[int]] = {}
        self.lost: set[int] = set()

    def mark(self, touch: Touch) -> int:
        self.met(touch)
        number = len(self.run.touches) - 1
        self.marks_of.setdefault(touch.op, []).append(number)
        if self.in_gap:
            self.lost.add(touch.op)
        return 1 << number

    def on_device(self, op: Op, does: Plan) -> bool:
        places = {does.reads, does.writes} & {"stream", "queue", "loose"}
        return bool(op.actor and (places or does.edges & ON_STREAM))

    def on_host(self, i: int, op: Op, behind: int = 0) -> None:
        known = self.host[op.thread] | behind
        self.host[op.thread] |= self.mark(Touch(i, 0, False, False, op.thread, known))

    def read_given(self, i: int, op: Op, returns: bool) -> None:
        """Where calls that touch nothing have done what they do."""
        super().read_given(i, op, returns)
        does = self.plans[i]
        idle = not does.on_host and not self.on_device(op, does)
        if idle and returns == does.waits and not op.flags & WITHOUT_EFFECT:
            self.on_host(i, op)

    def touch_on_host(self, i: int, op: Op, does: Plan, behind: int = 0) -> None:
        if does.on_host:
            self.on_host(i, op, behind)
        super().touch_on_host(i, op, does, behind)

    def touch_device(
        self, i: int, op: Op, does: Plan, timeline: object, known: int, thread: int
    ) -> int:
        done = super().touch_device(i, op, does, timeline, known, thread)
        if not self.on_device(op, does):
            return done
        places = {does.reads, does.writes}
        if "loose" in places:
            done |= self.mark(Touch(i, 0, False, False, timeline, thread))
        if "loose" not in places or places & {"stream", "queue"}:
            done |= self.mark(Touch(i, 0, False, False, timeline, known))
        return done


def by_oracle(made: Program, *, strict: bool, habits: bool, issue: int) -> tuple[Pairs, set[int]]:
    """All pairs, and the ops that are in no pair as the second: records were being lost."""
    player = _Marked(made, strict, habits, issue)
    run = player.play()
    found = set()
    for a, ends in player.marks_of.items():
        mask = sum(1 << end for end in ends)
        for b, starts in player.marks_of.items():
            if all(run.touches[start].before & mask == mask for start in starts):
                found.add((made.ops[a].id, made.ops[b].id))
    return found, {made.ops[i].id for i in player.lost}


def by_engine(
    made: Program, *, strict: bool, habits: bool, issue: int
) -> tuple[Pairs, Pairs, list[dict[str, Any]]]:
    """All pairs by the clocks, the same by closing the edges, and the edges."""
    given = {"strict": strict, "habits": habits, "issue": issue}
    with judging(made, keys=abi.EVERY_EDGE, batch=7, **given) as run:
        model = load(PROFILE)
        edges = edges_of(model, run).to_pylist()
        parts = parts_of(model, run, 0).to_pylist()
        instants = [INSTANTS[i] for i in run.history("part_instant").to_pylist()]
        clocks = clocks_of(run, 0)["_positions"].to_pylist()
    by_op: dict[int, list[tuple[dict[str, Any], str]]] = {}
    for part, instant in zip(parts, instants, strict=True):
        by_op.setdefault(part["_op"], []).append((part, instant))
    reached = _closed(edges)
    knows, closed = set(), set()
    for a, ends in by_op.items():
        for b, starts in by_op.items():
            both = [(x, y) for x in ends for y in starts]
            if all(_knows(clocks[y["_clock"]], x, y) for (x, _), (y, _) in both):
                knows.add((a, b))
            if all(
                (a, "E" if one == "S" else one) in reached.get((b, other), ())
                for (_, one), (_, other) in both
            ):
                closed.add((a, b))
    return knows, closed, edges


def _knows(clock: list[int], x: dict[str, Any], y: dict[str, Any]) -> bool:
    at = x["_timeline"]
    if at == y["_own"]:
        return bool(x["_position"] < y["_position"])
    return at < len(clock) and clock[at] >= x["_position"]


def _closed(edges: list[dict[str, Any]]) -> dict[tuple[int, str], set[tuple[int, str]]]:
    """Of each instant all before it. Raises RecursionError where instants go round."""
    before: dict[tuple[int, str], set[tuple[int, str]]] = {}
    for edge in edges:
        to = (edge["to_op"], edge["to_instant"])
        before.setdefault(to, set()).add((edge["from_op"], edge["from_instant"]))
    found: dict[tuple[int, str], set[tuple[int, str]]] = {}

    def all_before(instant: tuple[int, str]) -> set[tuple[int, str]]:
        if instant not in found:
            own = before.get(instant, set())
            found[instant] = own.union(*map(all_before, own))
        return found[instant]

    for instant in list(before):
        all_before(instant)
    return found
