"""Builds scheduler variants of libggml-base.so under the prebuilt llama.cpp that setup.sh brings.

    python variants.py [--optional]

.cache/llama/variants/NAME is a whole library folder: links to the prebuilt libraries, and one
libggml-base.so built here. One scheduler or the other runs under the same Vulkan backend and the
same llama.cpp: between recordings of the two, the scheduler differs and nothing else.

    newest    as it is in the newest release that carries sources
    pr20793   the same, with compute_splits of the one release that has llama.cpp PR 20793

The sources come with pip, from source releases of llama-cpp-python that carry llama.cpp. With
--optional a missing piece is said and is no failure: the tests that need it then say so too.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache/llama"
PREBUILT = CACHE / "package/bins/linux-x64-vulkan"
VARIANTS = CACHE / "variants"
BASE = "libggml-base.so"
CC, CXX = "cc", "c++"

PACKAGE = "llama-cpp-python"
NEWEST, PR20793 = "0.3.36", "0.3.32"
COMPUTE_SPLITS = "ggml_backend_sched_compute_splits"
SCHEDULER, VERSION = "ggml-backend.cpp", "ggml.c"  # the sources that differ between variants
SHARED = [
    "gguf.cpp",
    "ggml-backend-meta.cpp",
    "ggml-quants.c",
    "ggml-opt.cpp",
    "ggml-alloc.c",
    "ggml-threading.cpp",
    "ggml.cpp",
]
WANTED = re.compile(
    r"[^/]+/vendor/llama\.cpp/ggml/"
    r"((?:include|src|src/ggml-cpu)/[^/]+\.(?:c|cpp|h)|CMakeLists\.txt)$"
)
# As ggml's own build sets them. Semantic interposition leaves the library's calls of its own
# functions to the loader, also with a compiler that binds them early by default.
FLAGS = [
    "-O2",
    "-w",
    "-fPIC",
    "-fsemantic-interposition",
    "-DNDEBUG",
    "-D_GNU_SOURCE",
    "-D_XOPEN_SOURCE=600",
    "-DGGML_BACKEND_DL",
    "-DGGML_BUILD",
    "-DGGML_SHARED",
    "-DGGML_SCHED_MAX_COPIES=4",
]


class Missing(Exception):
    """Something that has to be there is not; the text is one sentence."""


def function_span(text: str, name: str) -> tuple[int, int]:
    """Where the definition of C function `name` begins and ends: its line to its last brace."""
    head = re.search(rf"^[\w *]*\b{name}\([^;{{]*\{{", text, re.MULTILINE)
    if head is None:
        raise Missing(f"no definition of {name} in this source")
    depth = 0
    # Braces in comments, strings and characters do not count, so these are matched first.
    token = r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\])*"|' + r"'(?:\\.|[^'\\])*'|[{}]"
    for found in re.compile(token, re.DOTALL).finditer(text, head.end() - 1):
        depth += {"{": 1, "}": -1}.get(found.group(), 0)
        if depth == 0:
            return head.start(), found.end()
    raise Missing(f"the definition of {name} has no end in this source")


def transplanted(into: str, donor: str, name: str) -> str:
    """The text `into`, with the donor's definition of function `name` in the place of its own."""
    begin, end = function_span(into, name)
    donor_begin, donor_end = function_span(donor, name)
    return into[:begin] + donor[donor_begin:donor_end] + into[end:]


def fetched(version: str) -> Path:
    """The folder of ggml's sources in this version of the package; downloads them once."""
    ggml = VARIANTS / f"source-{version}"
    if ggml.exists():
        return ggml
    with tempfile.TemporaryDirectory(dir=VARIANTS) as place:
        # pip asks the package's build system for its metadata first; nothing is built.
        command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps"]
        command += ["--disable-pip-version-check", "--no-binary", PACKAGE]
        command += ["--dest", place, f"{PACKAGE}=={version}"]
        pip = subprocess.run(command, capture_output=True, text=True)
        archives = list(Path(place).glob("*.tar.gz"))
        if pip.returncode or not archives:
            said = (pip.stderr.strip() or "nothing").splitlines()[-1]
            raise Missing(f"no {PACKAGE} {version}: is there a network? (pip says: {said})")
        with tarfile.open(archives[0]) as archive:
            for member in archive:
                if member.isfile() and (match := WANTED.match(member.name)):
                    target = Path(place, "ggml", match[1])
                    target.parent.mkdir(parents=True, exist_ok=True)
                    content = archive.extractfile(member)
                    assert content is not None
                    target.write_bytes(content.read())
        Path(place, "ggml").rename(ggml)
    return ggml


def ggml_version(ggml: Path) -> str:
    text = (ggml / "CMakeLists.txt").read_text()
    parts = (re.search(rf"GGML_VERSION_{p} (\d+)", text) for p in ("MAJOR", "MINOR", "PATCH"))
    return ".".join(part[1] if part else "?" for part in parts)


def run(command: list[str | Path], what: str) -> None:
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        print(result.stderr, file=sys.stderr)
        raise Missing(f"{what} failed, see above")


def compiled(source: Path, out: Path, include: list[Path], *more: str) -> Path:
    """The object of one source, in folder `out`."""
    compiler = [CC, "-std=gnu11"] if source.suffix == ".c" else [CXX, "-std=gnu++17"]
    target = out / (source.name + ".o")
    folders = [f"-I{folder}" for folder in include]
    command: list[str | Path] = [*compiler, *FLAGS, *more, *folders, "-c", source, "-o", target]
    run(command, f"compiling {source.name}")
    return target


def library_folder(folder: Path, objects: list[Path]) -> None:
    """Links to the prebuilt libraries, with `BASE` linked from these objects.

    The loader looks for a library's neighbours beside the name it was opened by, not beside what
    that name links to, so that links lead the others to this folder's own `BASE`.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for library in PREBUILT.iterdir():
        if library.name != BASE:
            (folder / library.name).symlink_to(os.path.relpath(library, folder))
    command: list[str | Path] = [CXX, "-shared", f"-Wl,-soname,{BASE}", *objects]
    run([*command, "-lm", "-o", folder / BASE], f"linking {BASE}")


def build() -> None:
    """Both variants from one set of sources."""
    with ThreadPoolExecutor(2) as pool:
        newest, donor = pool.map(fetched, (NEWEST, PR20793))
    scheduler = (newest / "src" / SCHEDULER).read_text()
    texts = {
        "newest": scheduler,
        "pr20793": transplanted(scheduler, (donor / "src" / SCHEDULER).read_text(), COMPUTE_SPLITS),
    }
    with tempfile.TemporaryDirectory(dir=VARIANTS) as place, ThreadPoolExecutor(2) as pool:
        work = Path(place)
        include = [newest / "include", newest / "src", work]
        # The commit that the library tells is the variant's name: a recording says which one ran.
        version = f'#define GGML_VERSION "{ggml_version(newest)}"\n#define GGML_COMMIT VARIANT\n'
        (work / "ggml-version.h").write_text(version)
        shared = [pool.submit(compiled, newest / "src" / file, work, include) for file in SHARED]
        own = {}
        for name, text in texts.items():
            out = work / name
            out.mkdir()
            (out / SCHEDULER).write_text(text)
            own[name] = [
                pool.submit(compiled, source, out, include, f'-DVARIANT="{name}"')
                for source in (out / SCHEDULER, newest / "src" / VERSION)
            ]
        for name, jobs in own.items():
            library_folder(VARIANTS / name, [job.result() for job in [*shared, *jobs]])


def main(*arguments: str) -> int:
    """Build what is not there yet; 2 and a sentence if that cannot be, 0 with --optional."""
    stamp = VARIANTS / "built-by"
    script = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()
    if stamp.exists() and stamp.read_text() == script:
        return 0
    try:
        if not (PREBUILT / BASE).exists():
            raise Missing("no prebuilt llama.cpp here: run examples/llama/setup.sh")
        for compiler in (CC, CXX):
            if shutil.which(compiler) is None:
                raise Missing(f"no compiler {compiler} here: apt-get install gcc g++")
        VARIANTS.mkdir(exist_ok=True)
        print("scheduler variants: downloading sources (150 MB), compiling two", flush=True)
        build()
        stamp.write_text(script)
    except Missing as reason:
        print(f"scheduler variants: {reason}", file=sys.stderr)
        return 0 if arguments == ("--optional",) else 2
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
