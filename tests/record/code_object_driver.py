"""Runs code_object.c, compiled with the recorder's own files."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
NATIVE = HERE.parents[1] / "tracer/native"
FILES = [
    *("address_table", "code_object", "decompress", "digest", "elf_note", "kept"),
    *("kernel_index", "kernel_layout", "kernel_registry", "kernel_types", "module_file"),
    *("mappings", "msgpack", "process"),
]
SANITIZERS = {"ASAN_OPTIONS": "detect_leaks=0", "TSAN_OPTIONS": "report_signal_unsafe=0"}
STATES = {
    int(number): name.lower()
    for name, number in re.findall(r"CODE_(\w+) = (\d+)", (NATIVE / "code_object.h").read_text())
}


@dataclass(frozen=True)
class Layout:
    """What is told of a kernel.

    `arguments`: "OFFSET:SIZE ..."; `pointers`: "ARGUMENT+OFFSET:MODE ...", guessed ones with "?".
    """

    name: str
    state: str
    hash: str
    arguments: str
    pointers: str


@dataclass(frozen=True)
class Driver:
    """The compiled program."""

    program: Path

    def run(self, *arguments: str, stdin: str = "", **environment: str) -> str:
        """Its output; raises CalledProcessError for a sanitizer's report and any other failure."""
        # Names live as long as the process, in memory that the leak check does not look at. A
        # signal handler that launches the first kernel opens a decompressor, as the runtime would.
        result = subprocess.run(
            [str(self.program), *arguments],
            input=stdin,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
            timeout=120,
            env={**os.environ, **SANITIZERS, **environment},
        )
        return result.stdout

    def layouts(self, *commands: str, **environment: str) -> list[Layout]:
        """The layouts of all kernels and functions in the commands (see code_object.c)."""
        lines = self.run(stdin="".join(f"{line}\n" for line in commands), **environment)
        return [_layout(line) for line in lines.splitlines()]


def _layout(line: str) -> Layout:
    name, state, hash_, *rest = line.split(" ")
    arguments = " ".join(word for word in rest if "+" not in word)
    pointers = " ".join(word for word in rest if "+" in word)
    return Layout(name, STATES[int(state)], hash_, arguments, pointers)


def compiled(folder: Path, *flags: str) -> Driver:
    """The driver, built in this folder with these flags of the compiler."""
    sources = [str(HERE / "code_object.c"), *(str(NATIVE / f"{name}.c") for name in FILES)]
    program = folder / "code_object"
    command = ["cc", "-std=gnu11", "-g", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", *flags]
    command += [f"-I{NATIVE}", *sources, "-ldl", "-lpthread", "-o", str(program)]
    subprocess.run(command, check=True)
    return Driver(program)
