"""Writers that never end, for tests that kill them.

Run as a program it forks one writer a line of input, `FOLDER ROWS`, and prints its process id.
"""

import os
import sys
from pathlib import Path

from synctrace.tracer.writer import TraceWriter


def flushed_file(path: Path) -> Path:
    """File that holds the number of rows known to be written, 8 bytes."""
    return path.with_suffix(".flushed")


def write_until_killed(path: Path, rows: int) -> None:
    """Write `rows` rows a flush for ever, and after each how many there are."""
    writer = TraceWriter(path, {})
    flushed = os.open(flushed_file(path), os.O_CREAT | os.O_WRONLY)
    number = 0
    while True:
        ids = list(range(number, number + rows))
        writer.append("op", {"id": ids, "ticket_c": ids, "accesses": [[i, 2 * i] for i in ids]})
        writer.flush()
        number += rows
        os.pwrite(flushed, number.to_bytes(8, "little"), 0)


def main() -> None:
    """Fork a writer a line; the last one is reaped when the next line comes."""
    for line in sys.stdin:
        folder, rows = line.rsplit(maxsplit=1)
        if (child := os.fork()) == 0:
            write_until_killed(Path(folder), int(rows))
        print(child, flush=True)
        os.waitpid(child, 0)
        print("gone", flush=True)


if __name__ == "__main__":
    main()
