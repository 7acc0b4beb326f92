"""The way into a program: by name (LD_PRELOAD), as a backend that ggml loads, or both.

With both, the recorder itself decides in each process (native/ggml_plugin.c): by name where ggml's
calls can be met so, else by the slots of ggml's objects.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, get_args

from synctrace.tracer.library import RECORDER

Via = Literal["auto", "preload", "plugin"]
ROUTES: tuple[Via, ...] = get_args(Via)

RecordedLevel = Literal["all", "ggml", "api"]
RECORDED: tuple[RecordedLevel, ...] = get_args(RecordedLevel)
LEVEL = "SYNCTRACE_LEVEL"  # which of them, for the recorder

PRELOAD = "LD_PRELOAD"
PLUGIN = "GGML_BACKEND_PATH"
RECORD_FOLDER = "SYNCTRACE_RECORD_FOLDER"  # where the recorder finds its rings
NVTX = "NVTX_INJECTION64_PATH"  # the library that takes the ranges of NVTX
THEIRS = "SYNCTRACE_BACKEND_PATH"  # the program's own GGML_BACKEND_PATH, while ours is in its place

BY_PLUGIN = (
    "recorded by ggml's interface for backends: scheduler runs, decode calls, stores into graph "
    "inputs and perhaps frees were not seen"
)
_WANTED: dict[Via, str] = {
    "auto": "the program (or a process it starts) must load ggml as a shared library "
    "(libggml-base.so), carry a ggml that it exports (linked with -rdynamic) and call "
    "ggml_backend_load_all(), or call CUDA (libcuda.so.1) or HIP (libamdhip64.so)",
    "preload": "the program (or a process it starts) must load ggml as a shared library "
    "(libggml-base.so; try --via auto for one that carries its own) or call CUDA or HIP",
    "plugin": "the program (or a process it starts) must call ggml_backend_load_all() of a ggml "
    "that is a shared library or exported (linked with -rdynamic); try --via auto for a program "
    "that does not call it",
}


NVTX_TAKEN = (
    f"ranges of NVTX were not recorded: {NVTX} names another library "
    f"(without it: env -u {NVTX} synctrace record …)"
)


def nvtx_taken(present: Mapping[str, str]) -> bool:
    """Whether the user has NVTX's ranges go elsewhere; an empty value means nowhere."""
    return bool(present.get(NVTX)) and not _is_ours(present[NVTX])


def _is_ours(library: str) -> bool:
    return Path(library).name == RECORDER


def nothing_seen(via: Via, level: RecordedLevel = "all") -> str:
    """One sentence for a recording without a recorded call."""
    if level != "all":
        whose = "ggml" if level == "ggml" else "CUDA or HIP"
        return (
            f"no call of {whose} was seen, so there is no trace: --level {level} records no "
            "others; leave it out to record all"
        )
    return (
        f"no call of ggml, CUDA or HIP was seen, so there is no trace: {_WANTED[via]}; other "
        "programs can tell their calls themselves (synctrace.record, synctrace.h); statically "
        "linked and setuid programs cannot be recorded (docs/hip.md, Nothing was recorded)"
    )


def environment(
    via: Via, level: RecordedLevel, library: Path, root: Path, present: Mapping[str, str]
) -> dict[str, str]:
    """What to add to the program's environment; `root` is the folder of the rings.

    An LD_PRELOAD that is there stays in front of ours. A GGML_BACKEND_PATH that is there names one
    library only: ours takes its place and loads it.
    """
    added = {RECORD_FOLDER: str(root)}
    if level != "all":
        added[LEVEL] = level
    if via != "plugin":
        preload = str(_without(" :", library, root))  # the loader would split the name there
        if NVTX not in present or _is_ours(present[NVTX]):
            added[NVTX] = preload
        if before := present.get(PRELOAD):
            preload = f"{before}:{preload}"
        added[PRELOAD] = preload
    if via != "preload":
        before = present.get(PLUGIN, "")
        nested = before and Path(before).name == library.name  # a recorder around this one
        added[PLUGIN] = str(library)
        added[THEIRS] = present.get(THEIRS, "") if nested else before
    return added


def _without(characters: str, library: Path, root: Path) -> Path:
    """The library by a name that holds none of these characters."""
    if not any(c in str(library) for c in characters):
        return library
    link = root / library.name
    link.symlink_to(library)
    return link
