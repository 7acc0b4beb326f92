"""NVIDIA's disassembler: where it is, and what it prints of some functions of a cubin."""

import importlib.util
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from synctrace.tracer.errors import SynctraceError
from synctrace.tracer.sass.cubin import Cubin
from synctrace.tracer.sass.listing import Listing, parse

TOOLKITS = ("/usr/local/cuda/bin", "/opt/cuda/bin")
IN_WHEEL = ("cu13/bin/nvdisasm", "cuda_nvdisasm/bin/nvdisasm")  # under site-packages/nvidia
GET = "pip install nvidia-cuda-nvdisasm"
TIMEOUT_S = 120
ROUNDS = 8  # of functions that functions call


def find_nvdisasm() -> Path | None:
    """On PATH, in a toolkit, or in pip's wheel."""
    found = shutil.which("nvdisasm")
    if found:
        return Path(found)
    places = [Path(folder) / "nvdisasm" for folder in TOOLKITS]
    spec = importlib.util.find_spec("nvidia")
    for root in (spec.submodule_search_locations or ()) if spec else ():
        places += [Path(root) / each for each in IN_WHEEL]
    return next((place for place in places if place.is_file()), None)


def needed_nvdisasm() -> Path:
    """Raises SynctraceError where there is none."""
    found = find_nvdisasm()
    if found is None:
        raise SynctraceError(f"nvdisasm, which reads the code of kernels, is not here: {GET}")
    return found


def version_of(tool: Path) -> str:
    """V13.0.85; empty where it does not say."""
    said = re.search(r"\bV\d+[.\d]*", _run([str(tool), "--version"]))
    return said[0] if said else ""


def listing_of(tool: Path, content: bytes, cubin: Cubin, name: str) -> Listing:
    """A function and those that it calls, as far as the cubin has them. Raises SynctraceError if
    the disassembler does not take it."""
    wanted, listing = [name], Listing((), {})
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "code.cubin"
        file.write_bytes(content)
        for _ in range(ROUNDS):
            numbers = ",".join(str(cubin.functions[each]) for each in wanted)
            listing = parse(_run([str(tool), "-c", "-fun", numbers, str(file)]))
            called = {
                t for one in listing.instructions if one.opcode == "CALL" for t in one.targets
            }
            more = sorted(t for t in called if t not in listing.labels and t in cubin.functions)
            if not set(more) - set(wanted):
                break
            wanted += more
    return listing


def _run(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=TIMEOUT_S, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise SynctraceError(f"nvdisasm: {error}") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()
        raise SynctraceError(f"nvdisasm: {said[0] if said else 'failed'}")
    return done.stdout
