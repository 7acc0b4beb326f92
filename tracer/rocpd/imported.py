"""`synctrace import FILE.db`: each process of a rocprofv3 database as a trace."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from synctrace.tracer.kinds import Level, StreamFlag
from synctrace.tracer.machine.facts import Device
from synctrace.tracer.rocpd import calls as ops_of
from synctrace.tracer.rocpd import loss
from synctrace.tracer.rocpd.database import Calls, Process, opened, read, sources
from synctrace.tracer.rocpd.functions import STREAM_CREATIONS, STREAM_NONBLOCKING
from synctrace.tracer.rocpd.handles import Events, Graphs, Streams
from synctrace.tracer.rocpd.memory import Memories
from synctrace.tracer.rocpd.program import Program
from synctrace.tracer.rocpd.rows import Rows
from synctrace.tracer.rocpd.tickets import Tickets
from synctrace.tracer.writer import TraceWriter, check_replaceable

VIA = "rocprofv3"
PROFILE = "hip-doc"
_COMMAND, _WORDS = 1 << 20, 10_000  # of a command line: meta.json has to stay small


@dataclass(frozen=True)
class Imported:
    """One trace. `lost` and `told`: what is missing, and what is assumed, a sentence each."""

    path: Path
    calls: int
    lost: tuple[str, ...]
    told: tuple[str, ...]


def import_database(file: Path, out: Path, overwrite: bool = False) -> list[Imported]:
    """Write the process of the database to the trace folder `out`; of several each to `out`/PID.

    Raises SynctraceError for a file that is no database of rocprofv3 or a damaged one, one without
    a call of HIP, and folders that exist.
    """
    with opened(file) as connection:
        found = sources(connection, file)
        paths = _paths(out, [source.pid for source in found])
        for path in paths:
            check_replaceable(path, overwrite)
        return [
            _write(process, calls, path, file, overwrite)
            for path, (process, calls) in zip(paths, read(connection, found), strict=True)
        ]


def _paths(out: Path, pids: Sequence[int]) -> list[Path]:
    if len(pids) == 1:
        return [out]
    seen: Counter[int] = Counter()
    paths = []
    for pid in pids:  # those of several machines can be the same
        seen[pid] += 1
        paths.append(out / (str(pid) if seen[pid] == 1 else f"{pid}-{seen[pid]}"))
    return paths


def _write(process: Process, calls: Calls, path: Path, file: Path, overwrite: bool) -> Imported:
    words = process.command[:_COMMAND].split()[:_WORDS]
    program_name = Path(words[0]).name if words else file.stem
    meta: dict[str, object] = {
        "profile": PROFILE,
        "level": [Level.API.name.lower()],
        "source": "import",
        "via": VIA,
        "command": words,
        "program": program_name,
        "pid": process.pid,
        "started": "",
        "host": process.host,
        "versions": {"rocpd": process.schema} if process.schema else {},
        "devices": _devices(process),
    }
    with TraceWriter(path, meta, overwrite=overwrite) as writer:
        rows = Rows(writer)
        program, unsure = _program(rows, process, calls)
        threads: dict[int, int] = {}
        for call in calls:
            thread = threads.get(call.thread)
            if thread is None:
                name = process.threads.get(call.thread, program_name)
                ticket = program.tickets.next
                thread = threads[call.thread] = rows.thread(name, call.thread, ticket)
            ops_of.take(program, call, thread)
        program.tickets.finish()
        rows.flush()
        coverage = loss.counted(program, process, calls, unsure)
        lost = loss.lost(coverage)
        writer.close(lost=lost, coverage=coverage)
    return Imported(path, process.calls, tuple(lost), (*process.told, *loss.assumed(coverage)))


def _program(rows: Rows, process: Process, calls: Calls) -> tuple[Program, bool]:
    """The program before its first call, and whether the kind of its streams is assumed."""
    kinds = {(flags or 0) & STREAM_NONBLOCKING for flags in calls.created_with(*STREAM_CREATIONS)}
    flags = StreamFlag.NONBLOCKING if kinds == {STREAM_NONBLOCKING} else StreamFlag.BLOCKING
    ordinals = {row: ordinal for ordinal, row in enumerate(process.gpus)}
    devices = {
        handle: ordinals[agent]
        for handle, agent in calls.stream_agents().items()
        if agent in ordinals
    }
    program = Program(
        rows=rows,
        tickets=Tickets(rows),
        calls=calls,
        memories=Memories(rows, calls.tells_host_memory()),
        streams=Streams(rows, flags, devices),
        events=Events(rows),
        graphs=Graphs(rows),
        ordinals=ordinals,
    )
    return program, len(kinds) != 1


def _devices(process: Process) -> list[dict[str, object]]:
    return [
        asdict(Device("amd", ordinal, ordinal, VIA, name))
        for ordinal, name in enumerate(process.gpu_names)
    ]
