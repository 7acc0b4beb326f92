"""How host memory that a device may still use is watched: `record --watch`.

What it does happens in the recorder (native/watch.h, source.c); here is how it is asked for, and
what is told of it at the end.
"""

from typing import Literal, get_args

Watch = Literal["digest", "track", "protect", "off"]
WATCHES: tuple[Watch, ...] = get_args(Watch)
VARIABLE = "SYNCTRACE_WATCH"


def environment(watch: Watch) -> dict[str, str]:
    """The request, as the recorder reads it."""
    return {VARIABLE: watch}


def not_watched(not_tracked: int, not_protected: int) -> list[str]:
    """What was not watched as asked for, a sentence each."""
    told = []
    if not_tracked:
        told.append(
            f"written pages could not be tracked, times: {not_tracked}; samples of the bytes were"
            " compared instead (it takes Linux 6.7 and userfaultfd: a container's seccomp profile"
            " may refuse that; memory that a driver has mapped may not be tracked)"
        )
    if not_protected:
        told.append(
            f"memory could not be made read-only, times: {not_protected}; its bytes were compared"
            " instead (less than a page of its own, a stack, or mapped by a driver)"
        )
    return told
