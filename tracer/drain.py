"""Drains the rings of one recorded process into its trace, while it runs and after its death."""

import platform
import struct
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass
from os import cpu_count
from pathlib import Path
from typing import cast

from synctrace.tracer.cupti import Outcome, Status, told
from synctrace.tracer.faults import Faults
from synctrace.tracer.kinds import Level
from synctrace.tracer.losses import losses
from synctrace.tracer.modules import module_rows
from synctrace.tracer.rings import Control, ControlState, Ring
from synctrace.tracer.rows import Rows
from synctrace.tracer.sass.images import keep_images
from synctrace.tracer.symbols import frame_rows
from synctrace.tracer.writer import TraceWriter

LAYOUT_BY_SLOTS = 8  # a bit of native/record.h: enum layout_bit
FULL_ENOUGH = 1 / 8

# The memory models that a trace is judged by where nothing else was asked for: of its ops of level
# ggml one, of those nearer to the device another, by the runtime that the program named or called.
MODEL_OF_LEVEL = {Level.APP: "catalogue", Level.GGML: "ggml-contract"}
MODEL_OF_RUNTIME = {"CUDA": "cuda-doc", "HIP": "hip-doc"}


@dataclass(frozen=True)
class Recorded:
    """A finished trace: where it is, how many ops it holds, how many records were dropped, what it
    lost in words, the way in.

    Of the faults asked for: syncs left out, the sites met (bit i: the i-th), pipeline copies made.
    Of the watch asked for: ranges of host memory that were not tracked or protected. Not unpacked:
    launches of kernels whose code no library could decompress. `device_times`: how it went with
    them, if they were asked for.
    """

    path: Path
    ops: int
    dropped: int
    lost: tuple[str, ...]
    via: str
    skipped: int
    sites_met: int
    copies: int
    not_tracked: int
    not_protected: int
    not_unpacked: int
    device_times: str = ""


def start_meta(command: Sequence[str], state: ControlState) -> dict[str, object]:
    """What meta.json says from the start; what the ops say of it comes at the end."""
    machine = platform.uname()
    levels = {Level.GGML}
    if not MODEL_OF_RUNTIME.keys().isdisjoint(state.versions):
        levels.add(Level.API)
    return {
        "source": "record",
        "profile": models(levels, state.versions),
        "level": [level.name.lower() for level in sorted(levels)],
        "command": list(command),
        "program": Path(state.program).name,
        "pid": state.pid,
        "host": f"{machine.system} {machine.release} {machine.machine}, {cpu_count()} cores",
        "versions": state.versions,
    }


def models(levels: Set[Level], versions: Mapping[str, str]) -> str:
    """Names of the profiles by which ops of these levels are judged, the surest first."""
    named = (model for runtime, model in MODEL_OF_RUNTIME.items() if runtime in versions)
    vendor = next(named, MODEL_OF_LEVEL[Level.APP])
    found = [vendor] if Level.API in levels or levels == {Level.APP} else []
    if Level.GGML in levels or not found:
        found.append(MODEL_OF_LEVEL[Level.GGML])
    return ",".join(found)


class ProcessDrain:
    """One process: its control page, its rings, its trace."""

    def __init__(
        self,
        folder: Path,
        control: Control,
        writer: TraceWriter,
        faults: Faults,
        via: str = "",
        profile: str | None = None,
        device_times: bool = False,
    ) -> None:
        """`via`: the way in, if it is known; `profile`: the memory model, if it was asked for.

        `device_times`: they were asked for.
        """
        self.folder = folder
        self._faults = faults
        self._via, self._profile = via, profile
        self._wants_times = device_times
        self.pid = control.state().pid
        self._control = control
        self._writer = writer
        self._rows = Rows(writer)
        self._rings: dict[str, Ring] = {}
        self._ended: set[str] = set()
        self._dropped = 0
        self._taken_to = 0  # ticket below which all was taken in
        self._damaged = 0  # parts of rings that held something else than records

    def poll(self) -> bool:
        """Take in what is there; true if a ring fills so fast that it must be looked at again soon.

        The ticket is read first and the heads last: every op of a ticket below all of `open` and
        the counter is then in what was read (native/op.c stores `open` before it takes a ticket).
        """
        watermark = self._control.ticket()
        self._find_rings()
        opens = [ring.writer().open for ring in self._rings.values()]
        watermark = min([watermark, *(ticket for ticket in opens if ticket)])
        urgent = self._take_all()
        self._rows.release(watermark)
        self._taken_to = watermark
        return urgent

    def fills(self) -> bool:
        """Whether a ring fills so fast that it should be drained now."""
        self._find_rings()
        return any(ring.held() > FULL_ENOUGH for ring in self._rings.values())

    @property
    def trace(self) -> Path:
        """Where its trace is written."""
        return self._writer.path

    def ops(self) -> int:
        """Number of ops taken in so far."""
        return self._rows.ops.taken()

    def dropped(self) -> int:
        """Number of records dropped so far."""
        open_rings = sum(ring.writer().dropped for ring in self._rings.values())
        return self._dropped + open_rings + self._control.state().lost

    def flush(self) -> None:
        """Write what was taken in: it survives the death of this process."""
        self._rows.flush()

    def sample(self, rows: Mapping[str, Sequence[object]]) -> None:
        """Take in readings of counters: columns of table `sample`."""
        self._writer.append("sample", rows)

    def finish(
        self, exit_status: int | None, note: str | None, machine: Mapping[str, object]
    ) -> Recorded:
        """Drain the rest and close the trace; `note` says why the process is not at its end.

        `machine`: keys of meta.json that say what it ran on.
        """
        self._find_rings()
        unfinished = sum(1 for ring in self._rings.values() if ring.writer().open)
        self._take_all()
        self._tell_last_gaps()
        self._rows.finish()
        state = self._control.state()
        self._write_modules()
        dropped = self._dropped + state.lost
        lost = losses(state, dropped, self._damaged, unfinished, note) + self._unread_rings()
        outcome = self._outcome(state)
        times = told(outcome) if self._wants_times else ""
        if times and outcome.status != Status.TAKEN:
            unread = cast(Sequence[str], machine.get("unread", ()))
            machine = {**machine, "unread": [*unread, times]}
        via = self._via or ("plugin" if state.layout & LAYOUT_BY_SLOTS else "preload")
        levels = self._rows.ops.levels
        for table, names in self._rows.objects.names.items():
            self._writer.rename(table, names)
        self._writer.close(
            complete=not lost,
            lost=lost,
            versions=state.versions,
            via=via,
            profile=self._profile or models(levels, state.versions),
            level=[level.name.lower() for level in sorted(levels)],
            dropped=dropped,
            coverage=self._coverage(state),
            skipped=self._skipped(state),
            forced_copies=state.copies,
            exit=exit_status,
            **machine,
        )
        for ring in self._rings.values():
            ring.close(remove=False)
        self._control.close()
        return Recorded(
            self.trace,
            self.ops(),
            dropped,
            tuple(lost),
            via,
            skipped=state.skipped,
            sites_met=state.faults_hit,
            copies=state.copies,
            not_tracked=state.coverage["ranges_not_tracked"],
            not_protected=state.coverage["ranges_not_protected"],
            not_unpacked=state.coverage["kernels_not_unpacked"],
            device_times=times,
        )

    def _outcome(self, state: ControlState) -> Outcome:
        status = Status(state.device_times)
        ops, timed = self._rows.ops.timed, self._rows.device_times.matched
        return Outcome(status, state.cupti, state.cuda_needed, state.cupti_answer, ops, timed)

    def _without_times(self) -> dict[str, int]:
        """Losses of device times, which are none of calls."""
        ops, times = self._rows.ops, self._rows.device_times
        counts = {
            "ops_without_device_times": max(ops.timed - times.matched, 0),
            "device_work_of_no_op": times.of_no_op(),
        }
        return {name: count for name, count in counts.items() if count}

    def _find_rings(self) -> None:
        for path in self.folder.glob("ring-*"):
            if path.name in self._rings or path.name in self._ended:
                continue
            with suppress(OSError, ValueError):  # not whole yet: next time
                self._rings[path.name] = Ring(path)

    def _take_all(self) -> bool:
        urgent = False
        for name, ring in list(self._rings.items()):
            closed = ring.closed()
            parts = ring.take()
            urgent |= sum(map(len, parts)) > ring.size // 4
            for part in parts:
                self._add(ring, part)
            if closed:
                self._tell_last_gap(ring)
                ring.close(remove=True)
                del self._rings[name]
                self._ended.add(name)
        return urgent

    def _add(self, ring: Ring, part: bytes) -> None:
        """Rows of a part; what makes no sense is a loss, not an end."""
        try:
            self._rows.add(ring.actor, part)
        except (ValueError, LookupError, struct.error):
            self._damaged += 1
            self._rows.gap(self._taken_to, self._control.ticket(), ring.actor, 1)

    def _tell_last_gaps(self) -> None:
        for ring in self._rings.values():
            self._tell_last_gap(ring)

    def _tell_last_gap(self, ring: Ring) -> None:
        """Losses after which the thread wrote nothing more."""
        state = ring.writer()
        self._dropped += state.dropped
        if state.dropped > state.reported:
            lost = state.dropped - state.reported
            self._rows.gap(state.first, self._control.ticket(), ring.actor, lost)

    def _write_modules(self) -> None:
        modules = module_rows(list(self._rows.objects.modules.values()))
        keep_images(self.folder, modules, self.trace)
        frames = frame_rows(sorted(self._rows.objects.addresses), modules)
        for table, rows in (("module", modules), ("frame", frames)):
            if rows:
                self._writer.append(table, {name: [row[name] for row in rows] for name in rows[0]})

    def _skipped(self, state: ControlState) -> list[str]:
        """Sites whose syncs were left out; the program may have asked for others by itself."""
        met = [site for i, site in enumerate(self._faults.skips) if state.faults_hit >> i & 1]
        return met or (["not named to record"] if state.skipped else [])

    def _unread_rings(self) -> list[str]:
        """Threads whose records could not be looked at (too few file descriptors, say)."""
        names = {path.name for path in self.folder.glob("ring-*")}
        unread = len(names - set(self._rings) - self._ended)
        return [f"threads whose records could not be read: {unread}"] if unread else []

    def _coverage(self, state: ControlState) -> dict[str, object]:
        return {
            "unwatched_host_bytes": state.unwatched,
            "unread_tensors": state.unread,
            "launches_without_ranges": self._rows.ops.launches_without_ranges,
            "launches_without_host_stores": state.blind,
            "buffers_without_free": state.unfreed,
            **{name: count for name, count in state.coverage.items() if count},
            **self._without_times(),
        }
