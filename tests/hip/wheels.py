"""Real HIP programs, CUPTI and CUDA's runtime as wheels on PyPI carry them, under .cache/hip.

    python wheels.py [--optional]

downloads with pip what is not there yet (170 MB, no dependencies; nothing is installed). With
--optional a missing piece is said and is no failure: the tests that need it then say so too. Where
SYNCTRACE_REQUIRE_HIP is set (CI sets it), a test that lacks one downloads it, or fails.
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest

CACHE = Path(__file__).parents[2] / ".cache/hip"


@dataclass(frozen=True)
class Wheels:
    """What one program needs in one folder: packages with versions, and for which Python; "": this
    one."""

    packages: dict[str, str]
    python: str = ""

    def folder(self, name: str) -> Path:
        """Where they are unpacked."""
        own = "" if self.python else f"-py{sys.version_info.major}.{sys.version_info.minor}"
        return CACHE / (name + own)


WHEELS = {
    "cyllama": Wheels({"cyllama-rocm": "0.2.18"}, "3.11"),  # llama.cpp b9190, May 2026
    "cyllama-0.4.9": Wheels({"cyllama-rocm": "0.4.9"}, "3.12"),  # v0.4.0: inputs read in place
    "cyllama-0.7.0": Wheels({"cyllama-rocm": "0.7.0"}, "3.12"),  # b11669, October 2026: no more
    "nvtx": Wheels({"nvtx": "0.2.17"}),
    "nvtx-headers": Wheels({"nvidia-nvtx": "13.5.25"}),
    "cudart-11": Wheels({"nvidia-cuda-runtime-cu11": "11.8.89"}),  # of tests/cuda: NVIDIA's runtime
    "cudart-12": Wheels({"nvidia-cuda-runtime-cu12": "12.9.79"}),
    "cudart-13": Wheels({"nvidia-cuda-runtime": "13.5.37"}),
    "cupy": Wheels({"cupy-rocm-7-0": "14.2.0"}),
    "hip-python": Wheels(
        dict.fromkeys(("hip-python", "rocm-bindings-core", "rocm-bindings-hip"), "10.0.0.0.1.2")
    ),
    # NVIDIA's library for profilers and its headers (tests/cuda/test_cupti.py).
    "cupti-12.8": Wheels({"nvidia-cuda-cupti-cu12": "12.8.90"}),
    "cupti-13.0": Wheels({"nvidia-cuda-cupti": "13.0.85"}),
    "cupti-13.5": Wheels({"nvidia-cuda-cupti": "13.5.25"}),
}


class Missing(Exception):
    """A wheel that cannot be had; the text is one sentence."""


def _download(package: str, version: str, python: str, place: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
    command += ["--disable-pip-version-check", "--only-binary", ":all:", "--dest", str(place)]
    if python:
        command += ["--python-version", python, "--platform", "manylinux_2_35_x86_64"]
    pip = subprocess.run([*command, f"{package}=={version}"], capture_output=True, text=True)
    wheels = list(place.glob(f"{package.replace('-', '_')}-*.whl"))
    if pip.returncode or not wheels:
        said = (pip.stderr.strip() or "nothing").splitlines()[-1]
        raise Missing(f"no wheel of {package} {version}: is there a network? (pip says: {said})")
    return wheels[0]


def fetched(name: str) -> Path:
    """The folder with WHEELS[name] unpacked, downloaded if need be. Raises Missing."""
    wheels = WHEELS[name]
    folder = wheels.folder(name)
    if folder.exists():
        return folder
    CACHE.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=CACHE) as place:
        whole = Path(place) / "whole"
        for package, version in wheels.packages.items():
            print(f"wheels: downloading {package} {version}", file=sys.stderr, flush=True)
            with zipfile.ZipFile(_download(package, version, wheels.python, Path(place))) as wheel:
                wheel.extractall(whole)
        if not folder.exists():  # another worker of pytest may have been faster
            whole.rename(folder)
    return folder


def wheel(name: str) -> Path:
    """As `fetched`, for a test: skips with the reason where it is not there, or fails."""
    folder = WHEELS[name].folder(name)
    if folder.exists():
        return folder
    if not os.environ.get("SYNCTRACE_REQUIRE_HIP"):
        pytest.skip(f"no wheel of {name} here: run python tests/hip/wheels.py")
    try:
        return fetched(name)
    except Missing as reason:
        pytest.fail(str(reason))


def main(*arguments: str) -> int:
    """Bring what is not there yet; 2 and a sentence if that cannot be, 0 with --optional."""
    try:
        for name in WHEELS:
            fetched(name)
    except Missing as reason:
        print(f"wheels: {reason}", file=sys.stderr)
        return 0 if arguments == ("--optional",) else 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
