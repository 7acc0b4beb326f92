"""Needed host waits that a narrower wait could replace, and those that serve a tiny read alone.

A narrower wait is told only if the trace, ordered again with it at every call of the place, has no
pair without order that it does not have as it is: by documented edges alone, strict host order, all
that was not seen assumed, under every memory model asked for.
"""

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from synctrace.analyzer import skeleton
from synctrace.analyzer.narrow import HOST_WAITS, Candidate, NeededPair, candidates
from synctrace.analyzer.profile import Profile
from synctrace.analyzer.replay import Edit, Pair, Replay, TooMuch
from synctrace.analyzer.skeleton import Skeleton, Wait
from synctrace.analyzer.stream import World
from synctrace.tracer.kinds import ActorKind

MOST_WORK = 2_000_000  # ops x passes over them that a check makes unasked
LEAST_PASSES = 3  # for one place: two of the trace as it is, one with an edit
TINY_BYTES = 4096  # read by the host after one wait: a result small enough to do without
MOST_PAIRS = 20_000  # looked at for one place
_READ = "read-after-write"


@dataclass(frozen=True)
class TinyRead:
    """What the host reads behind the waits of a place: most bytes of one, and the first of them."""

    replaced: tuple[int, ...]  # op.id of the waits behind which it reads
    bytes: int
    write: int  # op.id of the device's write
    read: int  # op.id of the host's read


@dataclass(frozen=True)
class Examined:
    """What holds of the places looked at; those left out: too many passes, or too many races."""

    narrower: Mapping[int, Candidate] = field(default_factory=dict)  # by site
    tiny: Mapping[int, TinyRead] = field(default_factory=dict)  # by site
    too_long: int = 0
    too_racy: int = 0


def examine(
    world: World,
    models: Sequence[Profile],
    needed: Mapping[int, Sequence[NeededPair]],
    *,
    most_work: int | None = MOST_WORK,
    ops: int = 0,
) -> Examined:
    """Try what could replace the syncs of these places, given with pairs that need them.

    `needed`: by site, the dearest first; `ops`: of the trace. `most_work`: None, or the most ops x
    passes. Nothing is found where records are missing: what was lost may need the wait.
    """
    if not needed or world.gaps or not world.trace.complete:
        return Examined()
    places = {pair.second_site for pairs in needed.values() for pair in pairs}
    bones = skeleton.read(world.trace, needed, places)
    return _Examiner(world, models, bones, most_work, ops).run(needed)


class _TooLong(Exception):
    """The next pass takes more work than is left."""


class _Missing(Exception):
    """Ops name accesses or actors that the trace does not have."""


class _Examiner:
    def __init__(
        self,
        world: World,
        models: Sequence[Profile],
        bones: Skeleton,
        most_work: int | None,
        ops: int,
    ) -> None:
        self.world, self.models, self.bones = world, models, bones
        self.left = most_work
        self.ops = ops
        self.replays: list[Replay] = []
        self.host = [kind == ActorKind.THREAD for kind in world.actors["kind"].to_pylist()]

    def run(self, needed: Mapping[int, Sequence[NeededPair]]) -> Examined:
        narrower: dict[int, Candidate] = {}
        tiny: dict[int, TinyRead] = {}
        too_long = 0
        for number, (site, pairs) in enumerate(needed.items()):
            try:
                if found := self.narrower(site, pairs):
                    narrower[site] = found
                elif read := self.tiny(site, pairs):
                    tiny[site] = read
            except _TooLong:
                too_long += 1
            except _Missing:
                return Examined()
            except TooMuch:
                return Examined(narrower, tiny, too_long, len(needed) - number)
        return Examined(narrower, tiny, too_long)

    def on_host(self, actor: int) -> bool:
        return actor < len(self.host) and self.host[actor]

    def narrower(self, site: int, pairs: Sequence[NeededPair]) -> Candidate | None:
        """The first candidate that leaves everything in order, and waits for less."""
        for one in candidates(self.bones, site, pairs, self.on_host):
            if not any(self.breaks(one.edit)) and self.waits_for_less(site, one):
                return one
        return None

    def waits_for_less(self, site: int, one: Candidate) -> bool:
        """Whether some sync, made behind the narrower wait, still tells the host anything."""
        if one.probe is None:
            return True
        for replay in self.spend():
            instances, idle = replay.idle(one.probe).get(site, (0, 0))
            if idle < instances:
                return True
        return False

    def tiny(self, site: int, pairs: Sequence[NeededPair]) -> TinyRead | None:
        """What the host reads, if that alone needs the waits, is little, and work comes after."""
        waits = self.bones.waits.get(site, [])
        if not waits or waits[0].kind not in HOST_WAITS or not all(map(self.is_read, pairs)):
            return None
        if not self.work_follows(waits):
            return None
        found = None
        without = Edit(tuple(wait.id for wait in waits))
        for replay in self.spend():
            broken = replay.new_pairs(without, MOST_PAIRS)
            read = self.reads(waits, broken)
            if broken and read is None:
                return None
            found = found or read
        return found

    def is_read(self, pair: NeededPair | Pair) -> bool:
        """Whether the host reads what a device wrote."""
        hosts = self.on_host(pair.first_actor), self.on_host(pair.second_actor)
        return pair.hazard == _READ and hosts == (False, True)

    def work_follows(self, waits: Sequence[Wait]) -> bool:
        """Whether at least half of the waits stand between launches and launches of the thread."""
        ends = [wait.id for wait in waits[1:]] + [1 << 63]
        following = [
            bool(self.bones.launches(wait.thread, wait.id, end))
            for wait, end in zip(waits, ends, strict=True)
        ]
        return 2 * sum(following) >= len(waits)

    def reads(self, waits: Sequence[Wait], broken: Sequence[Pair]) -> TinyRead | None:
        """What is read behind each wait; None: something else needs one, or it is not little."""
        ids = [wait.id for wait in waits]
        sizes: dict[int, dict[tuple[int, int], int]] = {}
        for pair in broken:
            if not self.is_read(pair):
                return None
            behind = ids[max(0, bisect_right(ids, pair.second_op) - 1)]
            touched = self.size(pair.second_access)
            sizes.setdefault(behind, {})[pair.second_op, pair.second_access] = touched
        most = max((sum(reads.values()) for reads in sizes.values()), default=0)
        if not 0 < most <= TINY_BYTES:
            return None
        return TinyRead(tuple(sorted(sizes)), most, broken[0].first_op, broken[0].second_op)

    def size(self, access: int) -> int:
        """Bytes that the access may touch; unknown memory: more than any limit."""
        row = self.world.extents.access.slice(access, 1).to_pylist()[0]
        return int(row["upper_hi"] - row["upper_lo"]) if row["storage"] else 1 << 63

    def breaks(self, edit: Edit) -> Iterator[bool]:
        """Whether some pair is without order under each model; goes on as far as it is asked."""
        for replay in self.spend():
            yield replay.breaks(edit)

    def spend(self) -> list[Replay]:
        """The models' replays, if one more edit of each takes no more work than is left."""
        passes = sum(map(len, self.replays)) or LEAST_PASSES * len(self.models)
        if self.left is not None:
            if self.ops * passes > self.left:
                raise _TooLong
            self.left -= self.ops * passes
        if not self.replays:
            self.replays = [Replay(self.world, model) for model in self.models]
            if any(replay.missing for replay in self.replays):
                raise _Missing
        return self.replays
