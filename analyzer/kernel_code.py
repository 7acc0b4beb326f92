"""What the code of a trace's kernels does with their parameters.

    python -m synctrace.analyzer.kernel_code TRACE

A line for each launched kernel: a letter and the byte of each word of its parameters that its code
reaches memory by (r read, w written, rw both, ? one of these, not known which), then its name.
"""

import sys
from pathlib import Path

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Mode
from synctrace.tracer.reader import open_trace
from synctrace.tracer.sass.images import images_of
from synctrace.tracer.sass.known import known_kernels
from synctrace.tracer.sass.modes import KernelModes

LETTERS = {Mode.READ: "r", Mode.WRITE: "w", Mode.READ_WRITE: "rw"}


def line(modes: KernelModes) -> str:
    """r:0 w:8 scale"""
    words = [f"{LETTERS.get(w.mode, '?')}:{w.offset}" for w in modes.words if w.used]
    more = [f"elsewhere:{LETTERS.get(modes.elsewhere, '?')}"] if modes.elsewhere is not None else []
    more += ["waits"] * modes.waits + ["triggers"] * modes.triggers
    told = f"({modes.why})" if modes.why else " ".join([*words, *more]) or "touches nothing"
    return f"{told}  {modes.name}"


def all_known(modes: KernelModes) -> bool:
    """Whether of no word the mode is unknown."""
    return not modes.why and not any(w.used and w.mode == Mode.UNKNOWN for w in modes.words)


def main(arguments: list[str]) -> int:
    """Exit status: 0, or 2 if the trace or nvdisasm is not as needed."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        trace = open_trace(Path(arguments[0]))
        images = images_of(trace.path)
        names = sorted(set(trace.table("kernel")["name"].to_pylist()))
        known = []
        for modes in known_kernels(images, names):
            print(line(modes), flush=True)
            known.append(all_known(modes))
    except SynctraceError as error:
        print(f"synctrace: {error}", file=sys.stderr)
        return 2
    for lost in images.lost:
        print(f"not read: {lost}")
    print(f"{sum(known)} of {len(known)} launched kernels have all modes known")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
