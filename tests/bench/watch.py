"""What watching host memory costs: `watch.py`, or as part of `make bench`.

The digest's cost by size, beside a memcpy of the same bytes in the same run; what a free costs more
under the recorder; what a copy and the wait for it cost more in each way of watching.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from synctrace.tracer.launch import record
from synctrace.tracer.watch import WATCHES, Watch

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"
KB, MB = 1 << 10, 1 << 20
TURNS = 5
DIGESTED = (1 * KB, 4 * KB, 16 * KB, 64 * KB, 256 * KB, 1 * MB, 4 * MB, 16 * MB, 64 * MB)
COPIED = (2 * KB, 64 * KB, 256 * KB, 4 * MB)


def build(folder: Path) -> str:
    """The program, optimised, on the stand-in ggml."""
    base, program = folder / "libggml-base.so", folder / "watch"
    cc = ["cc", "-O2", "-D_GNU_SOURCE=", "-DLAYOUT_2D", f"-I{NATIVE}", f"-I{HERE.parent / 'ggml'}"]
    fake = [str(path) for path in sorted((HERE.parent / "ggml").glob("fake_*.c"))]
    subprocess.run([*cc, "-fPIC", "-shared", *fake, "-ldl", "-o", str(base)], check=True)
    sources = [str(HERE / "watch.c"), str(NATIVE / "digest.c")]
    link = [str(base), "-Wl,-rpath,$ORIGIN", "-o", str(program)]
    subprocess.run([*cc, *sources, *link], check=True)
    return str(program)


def plain(*command: str) -> list[float]:
    """The figures of a run, ns."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return [float(line) for line in done.stdout.split()]


def recorded(folder: Path, watch: Watch, *command: str) -> list[float]:
    """The same under the recorder."""
    printed = folder / "printed"
    script = ["sh", "-c", f'exec "$@" >{printed}', "sh", *command]
    record(script, str(folder / "t"), overwrite=True, watch=watch)
    return [float(line) for line in printed.read_text().split()]


def _size(size: int) -> str:
    return f"{size // MB} MB" if size >= MB else f"{size // KB} KB"


def _digests(program: str) -> None:
    print("\ndigest by size, ns (ratio to a memcpy of the same bytes)")
    print(f"{'':8} {'memcpy':>11} {'in place':>19} {'by way of the kernel':>22}")
    for size in DIGESTED:
        copy, here, there = plain(program, "digest", str(size))
        ratios = f"{here:11,.0f} ({here / copy:5.2f}) {there:14,.0f} ({there / copy:5.2f})"
        print(f"{_size(size):8} {copy:11,.0f} {ratios}")


def _frees(program: str, folder: Path) -> None:
    print("\nmalloc and free of 64 bytes, ns: the least of each in turn (more than plain)")
    settings = {
        "nothing in flight": (),
        "in flight before it": ("far",),
        "in flight behind it": ("near",),
    }
    bare = min(plain(program, "free")[0] for _ in range(TURNS))
    print(f"{'plain':22} {bare:6.2f}")
    taken: dict[str, list[float]] = {label: [] for label in settings}
    for _ in range(TURNS):
        for label, where in settings.items():
            taken[label] += recorded(folder, "digest", program, "free", *where)
    for label, figures in taken.items():
        print(f"{label:22} {min(figures):6.2f}  ({min(figures) - bare:+.2f})")


def _copies(program: str, folder: Path) -> None:
    print("\na copy of the stand-in ggml and the wait for it, us more than plain, by --watch")
    print(f"{'':8}" + "".join(f"{watch:>10}" for watch in WATCHES))
    for size in COPIED:
        [bare] = plain(program, "copy", str(size))
        more = [recorded(folder, w, program, "copy", str(size))[0] - bare for w in WATCHES]
        print(f"{_size(size):8}" + "".join(f"{ns / 1000:10.2f}" for ns in more))


def main() -> None:
    """Print three tables."""
    os.environ.pop("LD_PRELOAD", None)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program = build(folder)
        _digests(program)
        _frees(program, folder)
        _copies(program, folder)


if __name__ == "__main__":
    main()
