"""Findings are data: ids, accesses, ranges, the missing edge. Their wording is in report/."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from synctrace.analyzer import fingerprint

CHAIN_FRAMES = 4  # innermost frames that tell two places apart and are shown


@dataclass(frozen=True)
class Frame:
    """One frame of a call stack; line 0: unknown."""

    function: str
    file: str
    line: int


@dataclass(frozen=True)
class Place:
    """Where a call was made: frames innermost first, or a label."""

    label: str
    ordinal: int
    frames: tuple[Frame, ...]
    key: str = ""  # the place in any run of the same files, for --skip-sync; empty: no stack
    through: str = ""  # function of CUDA's runtime that the innermost frame called; else empty

    @property
    def chain(self) -> str:
        """The place without lines, addresses and folders: equal from run to run."""
        if self.label:
            return self.label
        shown = [fingerprint.frame(f.function, f.file) for f in self.frames[:CHAIN_FRAMES]]
        return " < ".join([self.through, *shown] if self.through else shown)


NOWHERE = Place("", 0, ())


@dataclass(frozen=True)
class OpInfo:
    """An op in words. Times are ns since the trace began; None: unknown."""

    id: int
    kind: str
    call: str  # function called, or the kind
    thread: str
    stream: str  # stream or backend it acts on; empty: none
    event: str
    graph: str
    level: str
    place: Place
    scopes: tuple[str, ...]  # outermost first
    entered_ns: int
    returned_ns: int
    started_ns: int | None
    ended_ns: int | None
    batched: bool = False  # element of a batch


@dataclass(frozen=True)
class Touch:
    """One side of a conflict: an op, how it touches the bytes and on which timeline."""

    op: OpInfo
    mode: str
    extent: str
    buffer: str  # the user's name; empty: unnamed
    timeline: str  # HOST, HOST NAME or the stream's name
    on_host: bool


@dataclass(frozen=True)
class Memory:
    """The bytes in question, [lo, hi) within a storage of `size` bytes; device -1: host."""

    name: str
    storage: int
    storage_name: str
    device: int
    size: int
    lo: int
    hi: int


@dataclass(frozen=True)
class MissingEdge:
    """What the second timeline knows of the first, and the syncs that are there and do not help."""

    knower: str
    of: str
    needs: int
    known: int | None
    present: OpInfo | None  # gave that knowledge
    useless: OpInfo | None  # last wait between the two ops that does not order them
    hidden_by: str | None  # what orders it after all: no contract, or nothing visible
    in_batch: bool = False  # both are elements of one batch


@dataclass(frozen=True)
class Proposal:
    """What could stand in the place of a sync, or the read that it serves; at the first of its ops.

    `how`: stream-wait, event, later (what to do instead) or tiny-read (nothing but a redesign).
    """

    how: str
    event: str = ""  # waited for; empty: one to be recorded where the sync is
    record: OpInfo | None = None  # recorded that event
    before: OpInfo | None = None  # later: the host waits just before it
    streams: tuple[str, ...] = ()  # stream-wait: these wait
    recorded_on: tuple[str, ...] = ()  # streams on which to record the new event
    write: OpInfo | None = None  # tiny-read: the device's write
    read: OpInfo | None = None  # tiny-read: the host's read of it, or the sync itself
    bytes: int | None = None  # tiny-read: most that is read after one wait


@dataclass(frozen=True)
class Instance:
    """One instance of a finding: its pair of ops, and the bytes that both touch."""

    ops: tuple[int, ...]
    verdict: str
    lo: int
    hi: int


@dataclass(frozen=True)
class Spender:
    """A place that spends of a budget: how much in all iterations that were judged."""

    place: Place
    amount: float


@dataclass(frozen=True)
class Measured:
    """What the iterations of a trace spend of one measure, beside its limit `most`.

    `why`: the trace cannot answer, in words, and `whole` is what all of it spends; else empty.
    """

    measure: str
    most: float
    judge: str  # median or worst: what is compared
    iterations: int = 0
    name: str = ""  # of these iterations
    median: float = 0.0
    worst: float = 0.0
    worst_at: str = ""  # that iteration, in words
    exceeded: int = 0  # iterations above the limit
    over: bool = False
    whole: float = 0.0
    why: str = ""
    spenders: tuple[Spender, ...] = ()  # most first


@dataclass(frozen=True)
class Finding:
    """One finding, all its instances counted; the shown one is the first of the surest verdict."""

    id: str
    rule: str
    name: str
    family: str
    verdict: str
    why: str
    severity: str
    profile: str
    level: str
    ops: tuple[int, ...]
    count: int
    message: str
    touches: tuple[Touch, ...] = ()
    memory: Memory | None = None
    edge: MissingEdge | None = None
    first: Instance | None = None  # race, life: of all instances
    worst: Instance | None = None  # race, life: surest verdict, then most bytes
    verdicts: Mapping[str, int] = field(default_factory=dict)  # race, life: instances by verdict
    buffers: int = 1  # race, life: how many are touched so; names that differ by a number
    sync: OpInfo | None = None  # of sync and copy: the first op
    ordinals: tuple[int, ...] = ()  # sync: which of the calls from that place in a scope
    site_ids: tuple[int, ...] = ()  # sync: site.id of these places
    site_keys: tuple[str, ...] = ()  # sync: site.key of these places
    cost_ns: int | None = None
    size_bytes: int | None = None  # copy: bytes moved by all of its ops
    cost_share: float | None = None  # of the run's wall time, 0 to 1
    proposal: Proposal | None = None  # over-broad and avoidable syncs
    asked: tuple[str, ...] = ()  # options that it takes to be found; none: the trace's profile
    budget: Measured | None = None  # over budget
    status: str = ""  # by the baseline: new or known; empty: there is none, or not its matter
    was: str = ""  # of a new one that the baseline has too: what it was there

    @property
    def places(self) -> tuple[Place, ...]:
        """Call sites: of both accesses, or of the sync."""
        return tuple(t.op.place for t in self.touches) or ((self.sync.place,) if self.sync else ())


@dataclass(frozen=True)
class Signature:
    """The most common iteration as letters; `like` of `of` iterations have it."""

    what: str
    letters: str
    like: int
    of: int


@dataclass(frozen=True)
class Census:
    """What was recorded: ops by class and by level, timelines, wall time in ns."""

    ops: int
    syncs: int
    copies: int
    launches: int
    wall_ns: int
    actors: tuple[str, ...]
    captured_graphs: tuple[int, ...]
    start_ns: int
    levels: Mapping[int, int] = field(default_factory=dict)
    failed: int = 0  # ops that returned an error: without effect
    goes_on_after_frees: bool = False  # memory is touched after some was given back


@dataclass(frozen=True)
class SyncPlaces:
    """Places of judged syncs, by whether conflicts of known accesses need them.

    `unproven`: not needed by any pair of accesses that was seen, but perhaps by what was not.
    Of the needed ones: those a narrower wait could replace, those that serve a tiny read alone, and
    those not examined, since that takes too many passes or too much races.
    """

    needless: int
    needed: int
    unproven: int
    over_broad: int = 0
    avoidable: int = 0
    too_long: int = 0
    too_racy: int = 0


@dataclass(frozen=True)
class Suppressed:
    """A finding that the settings suppress, and why."""

    finding: Finding
    reason: str


@dataclass(frozen=True)
class Share:
    """Of the accesses of all ops: how many are known. Below 1 of 1: something is not."""

    known: int
    accesses: int

    @property
    def percent(self) -> float:
        """0 to 100; 0 where there is no access."""
        return 100 * self.known / self.accesses if self.accesses else 0.0


@dataclass(frozen=True)
class Checked:
    """One trace, checked. `host_orders` holds one a profile, `rules` the ids asked for."""

    trace: str
    complete: bool
    lost: tuple[str, ...]
    dropped: int
    coverage: Mapping[str, int]
    profiles: tuple[str, ...]
    passes: tuple[str, ...]
    host_orders: tuple[str, ...]
    rules: tuple[str, ...]
    census: Census
    findings: tuple[Finding, ...]
    signature: Signature | None
    seconds: float
    syncs: SyncPlaces | None = None
    faults: str = ""  # put into the recorded program, in words
    suppressed: tuple[Suppressed, ...] = ()  # found, but not among the findings
    share: Share | None = None  # None: not asked for
    budgets: tuple[Measured, ...] = ()  # one a limit that was asked for
    used_allowances: tuple[str, ...] = ()  # globs of places whose waits were not counted
    asked: tuple[str, ...] = ()  # options by which another command orders it alike
