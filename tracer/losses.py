"""What a recording lost, in words for meta.json and the user."""

from synctrace.tracer.rings import ControlState

LAYOUT_TENSOR_UNKNOWN = 2  # a bit of native/record.h: enum layout_bit
OTHER_LIBRARIES = {1: "HIP runtime", 2: "RCCL or NCCL", 4: "CUDA driver"}  # native/record.h


def losses(
    state: ControlState, dropped: int, damaged: int, unfinished: int, note: str | None
) -> list[str]:
    """What a process's control page says, besides records dropped, rings damaged (times) and
    threads inside a recorded call at its end; `note` goes first.
    """
    lost = [note] if note else []
    if dropped:
        lost.append(f"records dropped because a ring was full or missing: {dropped}")
    if damaged:
        lost.append(f"records missing because something wrote over the rings, times: {damaged}")
    if unfinished:
        lost.append(f"threads inside a recorded call when the program ended: {unfinished}")
    if state.untracked:
        lost.append(f"objects that could not be followed: {state.untracked}")
    if state.abandoned:
        lost.append(f"calls left by longjmp: {state.abandoned}")
    if state.reentrant:
        lost.append(f"calls from signal handlers, not recorded: {state.reentrant}")
    if state.unrecorded_forks:
        lost.append(
            "forked processes that had no access to the folder of the rings and ran "
            f"unrecorded: {state.unrecorded_forks}"
        )
    for bit, library in OTHER_LIBRARIES.items():
        if state.other_libraries & bit:
            lost.append(f"calls of a second {library} in the process: they are not recorded")
    if state.layout & LAYOUT_TENSOR_UNKNOWN:
        lost.append("tensors were not read: this ggml has an unknown tensor layout")
    return lost
