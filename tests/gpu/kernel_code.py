"""How much the code says of the kernels that CuPy and PyTorch launch, on a machine with a GPU.

    python tests/gpu/kernel_code.py [FOLDER]

Records tests/gpu/cuda/cupy_whole.py and torch_whole.py (those whose package is there), and prints
of each how many launched kernels have all modes known, and why the others have not; the lines of
all kernels go to FOLDER/NAME.txt. Needs nvdisasm: pip install nvidia-cuda-nvdisasm.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent / "cuda"
PROGRAMS = {"cupy": "cupy_whole.py", "torch": "torch_whole.py"}


def main() -> int:
    """Exit status: 1 if a program could not be recorded or read."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    failed = False
    for name, program in PROGRAMS.items():
        if importlib.util.find_spec(name) is None:
            print(f"{name}: not here")
            continue
        trace = folder / f"{name}.synctrace"
        record = [sys.executable, "-m", "synctrace", "record", "-q", "-f", "-o", str(trace), "--"]
        recorded = subprocess.run(
            [*record, sys.executable, str(HERE / program), "fixed"], check=False
        )
        started = time.monotonic()
        read = subprocess.run(
            [sys.executable, "-m", "synctrace.tracer.kernel_code", str(trace)],
            capture_output=True,
            text=True,
            check=False,
        )
        seconds = time.monotonic() - started
        (folder / f"{name}.txt").write_text(read.stdout)
        why = Counter(re.findall(r"^\((.*?)\)  ", read.stdout, re.M))
        last = (read.stdout.splitlines() or [read.stderr.strip()])[-1]
        print(f"{name}: {last}; read in {seconds:.1f} s; {folder / f'{name}.txt'}")
        for reason, count in why.most_common():
            print(f"    {count}: {reason}")
        failed |= bool(recorded.returncode or read.returncode)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
