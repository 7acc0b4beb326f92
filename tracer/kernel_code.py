"""What the code of a CUDA trace's kernels does with their parameters: read after the run.

    python -m synctrace.tracer.kernel_code [--write] TRACE

A line for each launched kernel: a letter and the byte of each word of its parameters that its code
reaches memory by (r read, w written, rw both, ? one of these, not known which), then its name.
--write: puts that into the trace (tables kernel_code and kernel_word), as `record` does.
"""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from synctrace.tracer.added import add_tables
from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.kinds import Mode
from synctrace.tracer.reader import Trace, open_trace
from synctrace.tracer.sass.images import Images, images_of
from synctrace.tracer.sass.known import known_kernels
from synctrace.tracer.sass.modes import KernelModes
from synctrace.tracer.sass.nvdisasm import find_nvdisasm
from synctrace.tracer.schema import CODE_FILE

LETTERS = {Mode.READ: "r", Mode.WRITE: "w", Mode.READ_WRITE: "rw"}
Progress = Callable[[int, int], None]  # kernels read, of how many


def read_code(trace: Trace, images: Images) -> Iterable[KernelModes]:
    """Of each launched kernel, as they are read. Raises SynctraceError without nvdisasm."""
    return known_kernels(images, _kernels(trace))


def _kernels(trace: Trace) -> list[tuple[str, int]]:
    """Name and code of each row of table kernel, in their order."""
    columns = (trace.table("kernel")[name].to_pylist() for name in ("name", "code"))
    return list(zip(*columns, strict=True))


def add_code(path: Path, progress: Progress = lambda done, of: None) -> str:
    """Put what the kernels' code does into a trace, if it says where the code is and nvdisasm is
    here. A Ctrl-C leaves out what is not read yet.

    Returns what went wrong, in a sentence; "" if nothing did or there was nothing to do.
    """
    if not (path / CODE_FILE).exists() or find_nvdisasm() is None:
        return ""
    found: list[KernelModes] = []
    try:
        trace = open_trace(path)
        kernels = trace.table("kernel").num_rows
        progress(0, kernels)
        try:
            for modes in read_code(trace, images_of(path)):
                found.append(modes)
                progress(len(found), kernels)
        except KeyboardInterrupt:
            pass
        write_code(trace, found)
    except (SynctraceError, OSError) as error:
        return f"the code of its kernels was not read: {error}"
    return ""


def write_code(trace: Trace, found: Sequence[KernelModes]) -> None:
    """Both tables of a closed trace, of its first kernels as many as were read.

    Raises SynctraceError if they cannot be written.
    """
    known = list(zip(trace.table("kernel")["id"].to_pylist(), found, strict=False))
    words = [(kernel, word) for kernel, modes in known for word in modes.words if word.used]
    code = {
        "kernel": [kernel for kernel, _ in known],
        "why": [modes.why for _, modes in known],
        "waits": [int(modes.waits) for _, modes in known],
        "triggers": [int(modes.triggers) for _, modes in known],
        "elsewhere": [modes.elsewhere for _, modes in known],
    }
    word = {
        "kernel": [kernel for kernel, _ in words],
        "word": [word.offset for _, word in words],
        "mode": [int(word.mode) for _, word in words],
    }
    add_tables(trace.path, {"kernel_code": code, "kernel_word": word})


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
    write, paths = "--write" in arguments, [a for a in arguments if a != "--write"]
    if len(paths) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = []
    try:
        trace = open_trace(Path(paths[0]))
        images = images_of(trace.path)
        for modes in read_code(trace, images):
            print(line(modes), flush=True)
            found.append(modes)
        if write:
            write_code(trace, found)
    except (SynctraceError, OSError) as error:
        print(f"synctrace: {error}", file=sys.stderr)
        return 2
    for lost in images.lost:
        print(f"not read: {lost}")
    print(f"{sum(map(all_known, found))} of {len(found)} launched kernels have all modes known")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
