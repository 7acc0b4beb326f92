"""What all examples take (--fixed, --device, --seed, -o) and what they say at the end."""

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.recording import Recording
from synctrace.tracer.scheduler.busy import Busy
from synctrace.tracer.scheduler.cpu import CpuDevice, cpu_devices
from synctrace.tracer.scheduler.cpu_pace import Speed
from synctrace.tracer.scheduler.device import Device
from synctrace.tracer.scheduler.host import host_device

CYCLES = 1_000_000  # of a kernel on a GPU: about half a millisecond


@dataclass(frozen=True)
class Options:
    """As given on the command line."""

    fixed: bool
    cupy: bool
    seed: int
    trace: Path

    @contextmanager
    def device(self) -> Iterator[Device]:
        """The one device of the example, closed in the end."""
        if self.cupy:
            from synctrace.tracer.scheduler.cupy_device import CupyDevice

            opened: Device = CupyDevice(cycles=CYCLES)
        else:
            speed = Speed(latency_s=2e-4, bytes_per_s=1e7, kernel_s=4e-4, seed=self.seed)
            opened = CpuDevice(speed=speed)
        with closing(opened):
            yield opened

    @contextmanager
    def pipeline(self, count: int, busy: list[Busy]) -> Iterator[list[Device]]:
        """Devices and, last, the host. In the end `busy` has what the devices did and when."""
        if self.cupy:
            from synctrace.tracer.scheduler.cupy_device import cupy_devices

            gpus = cupy_devices(count, cycles=CYCLES, timed=True)
            devices: list[Device] = [*gpus]
        else:
            gpus, devices = [], cpu_devices(count, Speed(kernel_s=1e-3, seed=self.seed), busy)
        with ExitStack() as opened:
            for device in devices:
                opened.callback(device.close)
            yield [*devices, host_device(Speed(kernel_s=0, latency_s=0))]
            for gpu in gpus:
                busy += gpu.busy()


def parser(doc: str | None, has_fix: bool = True) -> argparse.ArgumentParser:
    """The options of every example, with its docstring as their help."""
    made = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if has_fix:
        made.add_argument("--fixed", action="store_true", help="run the fix instead of the race")
    made.add_argument("--device", choices=["cpu", "cupy"], default="cpu", help="default: cpu")
    made.add_argument("--seed", type=int, default=0, help="of the CPU device's times")
    made.add_argument("-o", dest="trace", metavar="TRACE", help="default: NAME.synctrace")
    return made


def options(given: argparse.Namespace, name: str) -> Options:
    """What was given. `name`: of the trace, if none was."""
    fixed = getattr(given, "fixed", False)
    trace = Path(given.trace or f"{name}{'-fixed' if fixed else ''}.synctrace")
    return Options(fixed, given.device == "cupy", given.seed, trace)


def parse(doc: str | None) -> Options:
    """Read the command line."""
    return options(parser(doc).parse_args(), Path(sys.argv[0]).stem)


def say(
    given: Options,
    what: str,
    got: Sequence[object],
    right: Sequence[object],
    recording: Recording,
) -> None:
    """Say whether the results were right, and how to check the trace."""
    wrong = sum(one != other for one, other in zip(got, right, strict=True))
    if wrong:
        print(f"{wrong} of {len(got)} {what} are wrong")
    else:
        print(f"all {len(got)} {what} are right{'' if given.fixed else ', this time'}")
    if recording.path:
        print(f"next: synctrace check {recording.path}")


def run(main: Callable[[], None]) -> int:
    """Exit code of an example: 2, and a sentence, if it cannot run here."""
    try:
        main()
    except (SynctraceError, ImportError) as error:  # of CuPy
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        return 2
    return 0
