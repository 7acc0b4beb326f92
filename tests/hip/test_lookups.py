"""Programs that look for HIP: each gets what it would get without a recorder, and its own runtime.

The runtime of runtime.c knows its own memory alone, so that a call led to another one fails.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from hip import told
from synctrace.tracer.launch import record
from synctrace.tracer.reader import open_trace

HERE = Path(__file__).parent
SOURCE = HERE / "lookups/runtime.c"
PROBE = """
import ctypes
for name in ("hipMalloc", "ncclAllReduce", "cuMemAlloc_v2"):
    try:
        getattr(ctypes.CDLL(None), name)
    except AttributeError as error:
        print(str(error).partition("undefined")[2])
"""
CALLS = """
import _ctypes, ctypes, sys
def use(hip):
    memory = ctypes.c_void_p()
    print(hip.hipMalloc(ctypes.byref(memory), ctypes.c_size_t(64)), hip.hipFree(memory))
"""
TWO = "libraries = [ctypes.CDLL(path) for path in sys.argv[1:]]\nfor hip in libraries: use(hip)"
HALF = """
first, second = [ctypes.CDLL(path) for path in sys.argv[1:]]
first.hipMalloc(ctypes.byref(ctypes.c_void_p()), ctypes.c_size_t(64))
use(second) # looks hipFree up before the first one's is
use(first)
"""
ANEW = """
for path in sys.argv[1:]:
    hip = ctypes.CDLL(path)
    use(hip)
    _ctypes.dlclose(hip._handle)
"""
BY_DLERROR = """
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
    dlerror();
    void *found = dlsym(RTLD_DEFAULT, NAME);
    return !dlerror() == !found; // who is told of no error calls it
}
"""
EARLY = """
#include <dlfcn.h>
__attribute__((constructor)) static void look(void) {
    dlsym(RTLD_DEFAULT, "nothing_of_this_name");
    dlsym(RTLD_DEFAULT, "nor_of_this"); // gives the first error's text back: free
}
"""
LINKED = """
#include <stddef.h>
int hipMalloc(void **, size_t);
int hipFree(void *);
int main(void) {
    void *memory;
    return hipMalloc(&memory, 64) || hipFree(memory);
}
"""


def made(folder: Path, name: str) -> str:
    folder.mkdir()
    library = str(folder / name)
    subprocess.run(["cc", "-fPIC", "-shared", f"-Wl,-soname,{name}", SOURCE, "-o", library])
    return library


@pytest.fixture(scope="module")
def runtimes(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two of one name, as PyTorch brings its own beside the system's."""
    folder = tmp_path_factory.mktemp("hip-lookups")
    return [made(folder / name, "libamdhip64.so.7") for name in ("first", "second")]


def same(code: str, paths: list[str], out: Path, capfd: pytest.CaptureFixture[str]) -> int:
    """The exit code when recorded, of a program that prints the same as it does alone."""
    command = [sys.executable, "-c", code, *paths]
    assert subprocess.run(command).returncode == 0
    alone = capfd.readouterr().out
    result = record(command, str(out), quiet=True)
    assert result.status == 0, result.message
    assert capfd.readouterr().out == alone
    return result.exit_code


def test_who_looks_whether_there_is_any(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """There is none, and the loader says so: Python prints what dlerror says."""
    assert same(PROBE, [], tmp_path / "t", capfd) == 125
    (tmp_path / "probe.c").write_text(BY_DLERROR)
    for name in ("hipMalloc", "ncclAllReduce", "cuMemAlloc_v2"):
        program, defined = str(tmp_path / name), ["-D_GNU_SOURCE", f'-DNAME="{name}"']
        subprocess.run(["cc", *defined, tmp_path / "probe.c", "-o", program, "-ldl"], check=True)
        assert record([program], str(tmp_path / "t"), quiet=True).status == 0, name


def test_errors_of_look_ups_are_the_programs_own(tmp_path: Path) -> None:
    """A program asks dlerror and errno whether it went well, with recorded calls in between."""
    null, runtime = HERE.parent / "bench/hip_null.c", str(tmp_path / "libamdhip64.so.7")
    shared = ["cc", "-fPIC", "-shared", "-Wl,-soname,libamdhip64.so.7", str(null), "-o", runtime]
    subprocess.run(shared, check=True)
    program, source = str(tmp_path / "keeps"), HERE / "lookups/keeps.c"
    subprocess.run(["cc", str(source), runtime, f"-Wl,-rpath,{tmp_path}", "-o", program, "-ldl"])
    assert subprocess.run([program]).returncode == 0
    assert record([program], str(tmp_path / "t"), quiet=True).status == 0


def test_look_ups_before_the_recorder_is_ready(tmp_path: Path) -> None:
    """A linked library's constructor comes first. So do sanitizers' runtimes, which look far."""
    (tmp_path / "early.c").write_text(EARLY)
    (tmp_path / "main.c").write_text("int main(void) { return 7; }")
    cc, library = ["cc", "-D_GNU_SOURCE"], str(tmp_path / "libearly.so")
    subprocess.run([*cc, "-fPIC", "-shared", tmp_path / "early.c", "-o", library], check=True)
    link = ["-Wl,--no-as-needed", library, f"-Wl,-rpath,{tmp_path}", "-o", tmp_path / "main"]
    subprocess.run([*cc, tmp_path / "main.c", *link], check=True)
    assert record([str(tmp_path / "main")], str(tmp_path / "t"), quiet=True).status == 7


def test_two_runtimes(
    runtimes: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Calls of each go to it; those of the first are recorded."""
    assert same(CALLS + TWO, runtimes, tmp_path / "t", capfd) == 0
    assert told.calls(tmp_path / "t") == ["alloc_device hipMalloc", "free hipFree"]
    lost = "calls of a second HIP runtime in the process: they are not recorded"
    assert open_trace(tmp_path / "t").lost == (lost,)


def test_two_runtimes_whose_functions_are_looked_up_in_turn(
    runtimes: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert same(CALLS + HALF, runtimes, tmp_path / "t", capfd) == 0
    alloc, free = "alloc_device hipMalloc", "free hipFree"
    assert told.calls(tmp_path / "t") == [alloc, alloc, free]


def test_a_runtime_that_is_closed_and_opened_anew(
    runtimes: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert same(CALLS + ANEW, [runtimes[0], runtimes[1], runtimes[0]], tmp_path / "t", capfd) == 0
    assert told.calls(tmp_path / "t") == ["alloc_device hipMalloc", "free hipFree"] * 2


def test_a_runtime_of_another_name(tmp_path: Path) -> None:
    library = made(tmp_path / "other", "libCHIP.so")
    (tmp_path / "linked.c").write_text(LINKED)
    program, rpath = str(tmp_path / "linked"), f"-Wl,-rpath,{tmp_path}/other"
    subprocess.run(["cc", tmp_path / "linked.c", library, rpath, "-o", program], check=True)
    assert record([program], str(tmp_path / "t"), quiet=True).exit_code == 0
    assert told.calls(tmp_path / "t") == ["alloc_device hipMalloc", "free hipFree"]


BY_NAME = """
import _ctypes, ctypes, mmap, sys
libraries, memory = [], ctypes.c_void_p()
def use(library):
    print(getattr(library, sys.argv[1])(ctypes.byref(memory), ctypes.c_size_t(0), *[None] * 5))
"""
ANEW_BY_NAME = """
for path in sys.argv[2:]:
    library = ctypes.CDLL(path)
    use(library)
    _ctypes.dlclose(library._handle)
    libraries += [mmap.mmap(-1, 1 << 14) for _ in range(64)]  # where it lay
"""
TWO_BY_NAME = """
libraries = [ctypes.CDLL(path) for path in sys.argv[2:]]
for library in libraries * 2:
    use(library)
"""
LIBRARIES = {
    "CUDA driver": ("cuMemAlloc_v2", "libcuda.so.1"),
    "RCCL or NCCL": ("ncclAllReduce", "librccl.so.1"),
}


def answering(folder: Path, library: str) -> list[str]:
    """A function, and two libraries of one name in which it answers 0 and 1."""
    function, name = LIBRARIES[library]
    paths = []
    for answer in range(2):
        (folder / str(answer)).mkdir()
        source = folder / str(answer) / "library.c"
        source.write_text(f"int {function}(void *a, unsigned long b) {{ return {answer}; }}")
        paths.append(str(source.parent / name))
        shared = ["-w", "-fPIC", "-shared", f"-Wl,-soname,{name}", "-o", paths[-1]]
        subprocess.run(["cc", source, *shared], check=True)
    return [function, *paths]


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_driver_that_is_closed_and_opened_anew(
    library: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """What was recorded first stays, so that no call goes where nothing is mapped any more."""
    named = answering(tmp_path, library)
    same(BY_NAME + ANEW_BY_NAME, [*named, named[1]], tmp_path / "t", capfd)


@pytest.mark.parametrize("library", LIBRARIES)
def test_two_drivers(library: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Calls of each go to it, and it is told that those of the second are not recorded."""
    named = answering(tmp_path, library)
    assert same(BY_NAME + TWO_BY_NAME, named, tmp_path / "t", capfd) == 0
    assert len(told.calls(tmp_path / "t")) == 2
    lost = f"calls of a second {library} in the process: they are not recorded"
    assert open_trace(tmp_path / "t").lost == (lost,)
