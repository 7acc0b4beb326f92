"""Programs of HIP as rocprofv3 would have recorded them: calls by name, with its arguments."""

from functools import cached_property
from pathlib import Path
from typing import Any

from rocpd_builder import CPU, GPU, GPU1, Database, Process, Ran

from synctrace.analyzer.check import check
from synctrace.analyzer.finding import Checked
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.rocpd.imported import Imported, import_database

SIZE = 4096
VARIABLE = 0x7FFC_0000_1000  # address of the program's own variable, on its stack
A, B, C = 0x7F00_0000_0000, 0x7F00_0010_0000, 0x7F00_0020_0000  # memory of device 0
D1 = 0x7F10_0000_0000  # memory of device 1
HOST, HOST2 = 0x7E00_0000_0000, 0x7E00_0010_0000
S1, S2, S3 = 0x5550_0010, 0x5550_0020, 0x5550_0030
E1, E2 = 0x6660_0010, 0x6660_0020
MAIN, OTHER = 4711, 4712  # threads

_AGENTS = {A: GPU, B: GPU, C: GPU, D1: GPU1, HOST: CPU, HOST2: CPU}
_BETWEEN = {
    "HostToDevice": (CPU, GPU),
    "DeviceToHost": (GPU, CPU),
    "DeviceToDevice": (GPU, GPU),
    "Default": (CPU, GPU),
}


class Hip:
    """The calls of one process of a database."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.call = process.call

    def streams(self, *flags: int) -> None:
        """hipStreamCreateWithFlags, each with these."""
        for each in flags:
            self.call("hipStreamCreateWithFlags", stream=VARIABLE, flags=each)

    def malloc(self, *addresses: int, size: int = SIZE) -> None:
        """Memory of devices and pinned memory, with the records of its addresses."""
        for address in addresses:
            agent = _AGENTS[address]
            name = "hipHostMalloc" if agent == CPU else "hipMalloc"
            more = {"flags": 0} if agent == CPU else {}
            self.call(name, ptr=VARIABLE, size=size, **more, allocated=[(address, size, agent)])

    def copy(
        self, target: int, source: int, kind: str, stream: int, size: int = SIZE, **more: Any
    ) -> int:
        """hipMemcpyAsync, and that it ran right after."""
        ends = _BETWEEN[kind]
        arguments = {"dst": target, "src": source, "sizeBytes": size, "kind": kind}
        ran = Ran(source=ends[0], target=ends[1])
        return self.call("hipMemcpyAsync", ran, **arguments, stream=stream, **more)

    def memcpy(self, target: int, source: int, kind: str, size: int = SIZE, **more: Any) -> int:
        """hipMemcpy."""
        ends = _BETWEEN[kind]
        arguments = {"dst": target, "src": source, "sizeBytes": size, "kind": kind}
        return self.call("hipMemcpy", Ran(source=ends[0], target=ends[1]), **arguments, **more)

    def kernel(self, stream: int, name: str = "gemm", **more: Any) -> int:
        """hipLaunchKernel."""
        dim = "{z=1, y=1, x=64}"
        arguments = {"function_address": 0x40_1000, "numBlocks": dim, "dimBlocks": dim}
        rest = {"args": VARIABLE, "sharedMemBytes": 0}
        ran = Ran(name, agent=more.pop("agent", GPU))
        return self.call("hipLaunchKernel", ran, **arguments, **rest, stream=stream, **more)

    def record(self, event: int, stream: int, **more: Any) -> int:
        """hipEventRecord."""
        return self.call("hipEventRecord", event=event, stream=stream, **more)

    def wait(self, stream: int, event: int, **more: Any) -> int:
        """hipStreamWaitEvent."""
        return self.call("hipStreamWaitEvent", stream=stream, event=event, flags=0, **more)

    def sync(self, stream: int, **more: Any) -> int:
        """hipStreamSynchronize."""
        return self.call("hipStreamSynchronize", stream=stream, **more)


class Run:
    """A database being made and, once asked for, its trace."""

    def __init__(self, folder: Path, schema: int = 3, plain: bool = False) -> None:
        self.database = Database(folder / "run_results.db", schema, plain)
        self.hip = Hip(self.database.process())
        self._folder = folder

    @cached_property
    def imported(self) -> Imported:
        """The import of the one process, and what was said of it."""
        (one,) = import_database(self.database.close(), self._folder / "run.synctrace")
        return one

    def trace(self) -> Trace:
        """The trace."""
        return open_trace(self.imported.path)

    def checked(self, profile: str = "hip-7", host_order: str = "observed") -> Checked:
        """What `check` says of races and lifetimes."""
        select = ["RACE", "LIFE", "TRACE"]
        return check(self.trace(), [profile], host_order=host_order, select=select)


def races(checked: Checked) -> list[tuple[str, str, tuple[int, ...]]]:
    """Rule, verdict and the pair of ops of each race or lifetime error."""
    return [
        (f.rule, str(f.verdict), tuple(t.op.id for t in f.touches))
        for f in checked.findings
        if f.rule.startswith(("RACE", "LIFE"))
    ]
