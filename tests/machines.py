"""The machines whose native code the tests build and run: this one, and aarch64 by emulation.

What a pass under user-mode qemu proves: the code compiles for aarch64 without a warning and links
to what every aarch64 Linux has; the layouts, the calling convention, the unwinder and the loader
do what the recorder expects of them. What it does not prove: anything about memory order, since
qemu runs the program on this machine's own (on x86-64 a strong one); that the kernel of such a
machine, perhaps with pages of 64 KiB, does what this one does; and nothing about speed. qemu 7.2
knows no process_vm_readv, so that sources of pending copies go unwatched there (and are counted).
"""

import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

SYSROOT = Path("/usr/aarch64-linux-gnu")
NEEDED = {"aarch64-linux-gnu-gcc": "gcc-aarch64-linux-gnu", "qemu-aarch64": "qemu-user"}
CMAKE = Path(sys.executable).with_name("cmake")  # of the test extra, in the environment in use


@dataclass(frozen=True)
class Machine:
    """A compiler for a machine, and what to put before a program of it to run it here."""

    name: str
    cc: str
    objdump: str
    page_bits: int  # of the largest page that its kernels are built with
    emulator: tuple[str, ...] = ()


NATIVE = Machine("native", "cc", "objdump", page_bits=12)
AARCH64 = Machine(
    "aarch64",
    "aarch64-linux-gnu-gcc",
    "aarch64-linux-gnu-objdump",
    page_bits=16,
    emulator=("qemu-aarch64", "-L", str(SYSROOT)),
)


def aarch64() -> Machine:
    """The emulated machine. Without its tools: skips, or fails if CI asks for it."""
    if platform.machine() == "aarch64":
        pytest.skip("this machine is an aarch64 one: the native tests prove more")
    missing = {package for command, package in NEEDED.items() if not shutil.which(command)}
    if not (SYSROOT / "include/stdio.h").exists():
        missing.add("libc6-dev-arm64-cross")
    reason = f"no aarch64 here: apt-get install {' '.join(sorted(missing))}" if missing else ""
    if not CMAKE.exists():
        reason = reason or "no aarch64 here: pip install cmake"
    if reason:
        if os.environ.get("SYNCTRACE_REQUIRE_AARCH64"):
            pytest.fail(reason)
        pytest.skip(reason)
    return AARCH64
